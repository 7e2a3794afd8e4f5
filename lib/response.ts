/** Bytes that are sent as they are, with their media type, in place of JSON. */
export class RawBody {
  readonly type: string;
  readonly content: string | Uint8Array;

  constructor(type: string, content: string | Uint8Array) {
    this.type = type;
    this.content = content;
  }
}

/** An answer. Handlers return a plain value for a 200 with JSON, or one of these to say more. */
export class RestResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;

  constructor(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body;
    this.status = options.status ?? 200;
    this.headers = options.headers ?? {};
  }
}
