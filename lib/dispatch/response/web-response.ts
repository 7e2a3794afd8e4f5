import { engineError } from '../../core/errors.ts';
import { RawBody, RestResponse } from '../../http/response.ts';

/** Headers of message framing, which only the adapter may set. */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Limits for reading a body. `signal`: aborted when the time has passed or the client disconnects. */
interface ReadBounds {
  /** Largest response body, in bytes. */
  readonly answerLimit: number;
  readonly signal: AbortSignal;
  /** What to throw for a larger one, of which so many bytes were read. */
  readonly refuse: (size: number) => Error;
}

/** Whether this is a Response of the Fetch standard. It is not tested by class, because a server may have replaced the global one. */
export function isWebResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<Record<symbol, unknown>>)[Symbol.toStringTag] === 'Response' &&
    (value as Partial<Response>).headers !== undefined &&
    'body' in value
  );
}

/** Reads the whole body. @throws the error for a body that is too large, RestError `rest_client_gone`, TypeError for chunks that are not bytes */
async function readBytes(
  body: NonNullable<Response['body']>,
  { answerLimit, signal, refuse }: ReadBounds,
): Promise<Uint8Array> {
  const reader = body.getReader();
  // An error of the cancellation does not matter, because the response is already refused.
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  const parts: Uint8Array[] = [];
  let size = 0;
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const bytes: unknown = part.value;
      if (!(bytes instanceof Uint8Array))
        throw new TypeError('the body of a Response must be a stream of bytes');
      size += bytes.length;
      parts.push(bytes);
      if (size > answerLimit) throw refuse(size);
    }
    if (signal.aborted) throw engineError('rest_client_gone');
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts, size);
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The headers of a Response, except its type, its cookies and hop-by-hop headers. */
function toHeaders({ headers, url }: Response): Record<string, string> {
  // The body of a fetched Response is already decoded. A Response that was constructed has no URL, and its body is unchanged.
  const isDecoded = url !== '';
  const own = [...headers].filter(
    ([name]) =>
      name !== 'content-type' &&
      name !== 'set-cookie' &&
      !FRAMING.has(name) &&
      !(isDecoded && name === 'content-encoding'),
  );
  return Object.fromEntries(own);
}

/** Converts a Response to a RestResponse with the same status, headers and bytes. @throws TypeError if the body was already read, or as `readBytes` */
export async function readWebResponse(response: Response, bounds: ReadBounds): Promise<RestResponse> {
  if (response.bodyUsed) throw new TypeError('the body of the Response was already read');
  const bytes = response.body === null ? new Uint8Array() : await readBytes(response.body, bounds);
  return new RestResponse(new RawBody(response.headers.get('content-type'), bytes), {
    status: response.status,
    headers: toHeaders(response),
    cookies: response.headers.getSetCookie(),
  });
}
