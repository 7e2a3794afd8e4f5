/** Bytes that are sent as they are, with their media type, in place of JSON. */
export class RawBody {
  readonly type: string;
  readonly content: string | Uint8Array;

  constructor(type: string, content: string | Uint8Array) {
    this.type = type;
    this.content = content;
  }
}

/** Relation -> links. `embeddable`: may be resolved by `_embed`. */
export type Links = Readonly<Record<string, readonly Link[]>>;

export interface Link {
  readonly href: string;
  readonly embeddable?: true;
  readonly [attribute: string]: unknown;
}

export interface ResponseOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly links?: Links;
  readonly version?: number;
}

/** An answer. Handlers return a plain value for a 200 with JSON, or one of these to say more. */
export class RestResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  /** Shown as `_links`, whatever `_fields` asks for. */
  readonly links: Links | null;
  /** Version of the one record that the answer shows: part of its ETag, compared by `If-Match`. */
  readonly version: number | null;

  constructor(body: unknown, options: ResponseOptions = {}) {
    this.body = body;
    this.status = options.status ?? 200;
    this.headers = options.headers ?? {};
    this.links = options.links ?? null;
    this.version = options.version ?? null;
  }

  /** The same answer with another body, which holds the links already. */
  withBody(body: unknown): RestResponse {
    return new RestResponse(body, { status: this.status, headers: this.headers, ...(this.version === null ? {} : { version: this.version }) });
  }

  /** The same answer with more headers. An answer that a handler keeps is never changed. */
  withHeaders(headers: Readonly<Record<string, string>>): RestResponse {
    return new RestResponse(this.body, {
      status: this.status, headers: { ...this.headers, ...headers },
      ...(this.links === null ? {} : { links: this.links }), ...(this.version === null ? {} : { version: this.version }),
    });
  }
}
