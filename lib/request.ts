/** Nested parameters as the client sent them: text, list or object of the same. Null prototype throughout. */
export type Param = string | readonly Param[] | { readonly [key: string]: Param };
export type Params = Readonly<Record<string, unknown>>;

/** The request body, parsed by its media type alone. `text` is a body of any other type, which carries no parameters. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly params: Params }
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
  /** Remote address, for throttles; '' when unknown. */
  readonly address: string;
  /** Aborted when the client goes away or the handler's time is over. */
  readonly signal?: AbortSignal;
}
