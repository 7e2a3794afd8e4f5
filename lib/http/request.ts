import type { UploadedFiles } from '../ports/uploads.ts';

/** Parameters by name. */
export type Params = Readonly<Record<string, unknown>>;

/** All values of the names that appear more than once, in the order sent; `Params` holds only the last one. Adjacent values with brackets count as one. */
export type Repeated = ReadonlyMap<string, readonly unknown[]>;

/**
 * The request body. An adapter parses it by its media type alone (`none`, `json`, `form`, `text`), or passes it `unread`.
 * `text` is a body of any other type, which has no parameters. `bytes`: the body as sent, if the endpoint asks for it.
 */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes?: Uint8Array }
  | {
      readonly kind: 'form';
      readonly params: Params;
      readonly repeated?: Repeated;
      readonly bytes?: Uint8Array;
      readonly files?: UploadedFiles;
    }
  | { readonly kind: 'text'; readonly type: string; readonly bytes?: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<Uint8Array>; readonly timeoutMs: number }
  | { readonly kind: 'unread'; readonly source: BodySource };

/** A body that has not been read. One of its functions may be called, once. They reject with a RestError when the body is too large, arrives too slowly or not completely. */
export interface BodySource {
  /** Largest body of endpoints that declare no limit. Bytes. */
  readonly maxBytes: number;
  /** How long the client may take to send the body. Milliseconds. */
  readonly timeoutMs: number;
  /** Reads the body to its end. It rejects if the body is larger than `maxBytes`. */
  readonly read: (maxBytes: number) => Promise<Uint8Array>;
  /** Reads the body piece by piece. It throws when more than `maxBytes` have come. */
  readonly stream: (maxBytes: number) => AsyncIterable<Uint8Array>;
  /** The parts of a body of type multipart/form-data. The bytes of each part must be read before the next part is asked for. */
  readonly parts: (maxBytes: number) => AsyncIterable<BodyPart>;
}

/** A part of a multipart body. */
export interface BodyPart {
  /** Name of the form field. */
  readonly name: string;
  /** null: the part is a field. '': a file without a name, or an empty file input. */
  readonly filename: string | null;
  /** Media type in lower case, without parameters. */
  readonly type: string;
  /** The content, read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The request that an adapter passes to the engine. */
export interface RestRequest<H = unknown> {
  /** Upper case, as the client sent it. */
  readonly method: string;
  /** Path below the API base, decoded once, with a leading slash: `/cms/v2/posts/1`. */
  readonly path: string;
  /** The raw query string without `?`. */
  readonly query: string;
  /** The language prefix of the address. Without prefixes: `en`. */
  readonly language: string;
  /** Absolute address of the site without a trailing slash: `http://127.0.0.1:8787`. */
  readonly siteUrl: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body, parsed or still to be read. */
  readonly body: Body;
  /** The path and query as the client wrote them, if the adapter knows them. */
  readonly target?: string;
  /** Remote address, for rate limits; '' if unknown. */
  readonly address: string;
  /** Aborted when the client disconnects or the handler's time limit has passed. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the server begins to stop. Absent: it never does. */
  readonly draining?: AbortSignal | undefined;
  /** Id for logs, if the engine has `requestIds`. */
  readonly id?: string;
  /** What the host app passes on to `call.host`. */
  readonly host?: H | undefined;
}

/** The same request with other members. `target` is dropped, because it no longer describes the request. */
export function changeRequest(
  { method, path, query, language, siteUrl, headers, body, address, signal, draining, host, id }: RestRequest,
  changes: Partial<RestRequest>,
): RestRequest {
  return {
    method,
    path,
    query,
    language,
    siteUrl,
    headers,
    body,
    address,
    signal,
    draining,
    host,
    ...(id === undefined ? {} : { id }),
    ...changes,
  };
}

/** Whether the method only reads. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
