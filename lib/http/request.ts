export type Params = Readonly<Record<string, unknown>>;

/** All values of the names that came more than once, in the order of sending: `Params` holds the last of each. Values with brackets that follow each other are one. */
export type Repeated = ReadonlyMap<string, readonly unknown[]>;

/** The request body, parsed by its media type alone. `text` is a body of any other type, which carries no parameters. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly params: Params; readonly repeated?: Repeated }
  | { readonly kind: 'text'; readonly type: string };

/** What an adapter hands to the engine. */
export interface RestRequest {
  /** Upper case, as the client sent it. */
  readonly method: string;
  /** Path below the API base, decoded once, with a leading slash: `/cms/v2/posts/1`. */
  readonly path: string;
  /** The raw query string without `?`. */
  readonly query: string;
  /** The language prefix under which the request came in. */
  readonly language: string;
  /** Absolute address of the site without a trailing slash: `http://127.0.0.1:8787`. */
  readonly siteUrl: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  /** The address as the client wrote it, path and query, when an adapter knows it. */
  readonly target?: string;
  /** Remote address, for throttles; '' when unknown. */
  readonly address: string;
  /** Aborted when the client goes away or the handler's time is over. */
  readonly signal?: AbortSignal | undefined;
}

/** The same request with other members, without its `target`, which would no longer say what is asked for. */
export function changeRequest({ method, path, query, language, siteUrl, headers, body, address, signal }: RestRequest, changes: Partial<RestRequest>): RestRequest {
  return { method, path, query, language, siteUrl, headers, body, address, signal, ...changes };
}

/** True for the methods that ask and change nothing. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
