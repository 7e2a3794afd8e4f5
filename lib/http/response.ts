import { brand } from '../core/brand.ts';
import { JsonText, writeJson } from '../core/json-document.ts';

/** Statuses whose answers have no body (RFC 9110 15.3.5, 15.3.6, 15.4.5). */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Bytes that are sent as they are, with their media type (null: none is named), in place of JSON. */
export class RawBody {
  readonly type: string | null;
  readonly content: string | Uint8Array;

  constructor(type: string | null, content: string | Uint8Array) {
    this.type = type;
    this.content = content;
  }
}

brand(RawBody, 'RawBody');

/** Relation -> links. `embeddable`: may be resolved by `_embed`. */
export type Links = Readonly<Record<string, readonly Link[]>>;

/** One link of a `_links` list. Other members are written as they are. */
export interface Link {
  readonly href: string;
  readonly embeddable?: true;
  readonly [attribute: string]: unknown;
}

/** What a cached answer rests on. */
export interface Dependencies {
  /** Records that it shows, with the version shown; 0: there was none. */
  readonly records: readonly (readonly [collection: string, id: number, version: number])[];
  /** Collections of which any change may change the answer. */
  readonly collections: readonly string[];
  /** Epoch milliseconds from when on the answer may be another one without any change; Infinity: never; 0: it is not to be kept. */
  readonly until: number;
}

/** What an answer says beside its content; the members are those of `RestResponse`. Default: status 200, no headers, no cookies, all else null. */
export interface ResponseOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly string[];
  readonly links?: Links | null;
  readonly version?: number | null;
  readonly dependsOn?: Dependencies | null;
}

const NO_COOKIES: readonly string[] = Object.freeze([]);

/** Documents that were read. Not a private field: the types of two copies of the package would exclude each other. */
const bodies = new WeakMap<RestResponse, unknown>();

/** An answer. Handlers return a plain value for JSON with the status of their endpoint, or one of these to say more. */
export class RestResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Values of `Set-Cookie`, each of which is sent as a header of its own: the one header whose values cannot be joined (RFC 9110 5.3). */
  readonly cookies: readonly string[];
  /** What the answer was made of: a value, or a `JsonText` or `RawBody` that is sent as it is. */
  readonly content: unknown;
  /** Shown as `_links`, whatever `_fields` asks for. */
  readonly links: Links | null;
  /** Version of the one record that the answer shows: part of its ETag, compared by `If-Match`. */
  readonly version: number | null;
  /** For endpoints with `cache`: null means that any change of their collections counts. */
  readonly dependsOn: Dependencies | null;

  /** `content`: a value to be written as JSON, a document that is written already (`JsonText`), or other bytes (`RawBody`). */
  constructor(content: unknown, options: ResponseOptions = {}) {
    this.content = content;
    this.status = options.status ?? 200;
    this.headers = options.headers ?? {};
    this.cookies = options.cookies ?? NO_COOKIES;
    this.links = options.links ?? null;
    this.version = options.version ?? null;
    this.dependsOn = options.dependsOn ?? null;
  }

  /** The value that the answer shows. A document that is written already is read here, the first time. */
  get body(): unknown {
    if (!(this.content instanceof JsonText)) return this.content;
    const body = bodies.get(this) ?? this.content.toJSON();
    bodies.set(this, body);
    return body;
  }

  /** The same answer made of something else, which holds the links already. */
  withContent(content: unknown): RestResponse {
    return copyWith(this, { content, headers: this.headers, links: null });
  }

  /** The same answer with more headers. An answer that a handler keeps is never changed. */
  withHeaders(headers: Readonly<Record<string, string>>): RestResponse {
    return copyWith(this, { content: this.content, headers: Object.assign({}, this.headers, headers), links: this.links });
  }
}

brand(RestResponse, 'RestResponse');

function copyWith({ status, cookies, version, dependsOn }: RestResponse, { content, headers, links }: Pick<RestResponse, 'content' | 'headers' | 'links'>): RestResponse {
  return new RestResponse(content, { status, headers, cookies, links, version, dependsOn });
}

/** An answer of another copy of the package, or of a subclass, as one of the engine's own. */
export function toOwnResponse(response: RestResponse): RestResponse {
  return Object.getPrototypeOf(response) === RestResponse.prototype ? response : copyWith(response, response);
}

/** The content of an answer as bytes; those of the handler where it gave bytes. @throws TypeError for what is not JSON */
export function toBytes(content: unknown): JsonText | RawBody {
  if (content instanceof RawBody) return content;
  const written = writeJson(content);
  return new JsonText(typeof written === 'string' ? Buffer.from(written) : written);
}
