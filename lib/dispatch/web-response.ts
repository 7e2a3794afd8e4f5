import { engineError } from '../core/errors.ts';
import { RawBody, RestResponse } from '../http/response.ts';

/** Where one message ends and the next begins is the adapter's business alone. */
const FRAMING: ReadonlySet<string> = new Set(['connection', 'content-length', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/** What bounds the reading of a body. `signal`: aborted when the time is over or the client has gone. */
export interface ReadBounds {
  /** Largest answer. Bytes. */
  readonly answerLimit: number;
  readonly signal: AbortSignal;
}

/** Whether this is a Response of the Fetch standard, whoever implements it: a server may have put its own class in the place of the global one. */
export function isWebResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && (value as Partial<Record<symbol, unknown>>)[Symbol.toStringTag] === 'Response'
    && (value as Partial<Response>).headers !== undefined && 'body' in value;
}

/** The whole body. @throws RestError `rest_answer_too_large`, `rest_client_gone`; TypeError for parts that are not bytes */
async function readBytes(body: NonNullable<Response['body']>, { answerLimit, signal }: ReadBounds): Promise<Uint8Array> {
  const reader = body.getReader();
  // What the source says about being cancelled changes nothing: its answer is refused already.
  const cancel = (): void => { reader.cancel().catch(() => undefined); };
  const parts: Uint8Array[] = [];
  let size = 0;
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const bytes: unknown = part.value;
      if (!(bytes instanceof Uint8Array)) throw new TypeError('the body of a Response must be a stream of bytes');
      size += bytes.length;
      parts.push(bytes);
      if (size > answerLimit) throw engineError('rest_answer_too_large');
    }
    if (signal.aborted) throw engineError('rest_client_gone');
    return parts.length === 1 ? parts[0] as Uint8Array : Buffer.concat(parts, size);
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The headers of a Response but for its type, its cookies and those of one connection. */
function toHeaders({ headers, url }: Response): Record<string, string> {
  // A body that was fetched has been decoded; one that was made by hand has not.
  const isDecoded = url !== '';
  const own = [...headers].filter(([name]) => name !== 'content-type' && name !== 'set-cookie' && !FRAMING.has(name) && !(isDecoded && name === 'content-encoding'));
  return Object.fromEntries(own);
}

/** A Response as an answer of the engine, with the same status, headers and bytes. @throws TypeError when somebody has read it, or as `readBytes` */
export async function readWebResponse(response: Response, bounds: ReadBounds): Promise<RestResponse> {
  if (response.bodyUsed) throw new TypeError('the body of the Response was read already');
  const bytes = response.body === null ? new Uint8Array() : await readBytes(response.body, bounds);
  return new RestResponse(new RawBody(response.headers.get('content-type'), bytes), {
    status: response.status, headers: toHeaders(response), cookies: response.headers.getSetCookie(),
  });
}
