import { brand } from '../core/objects.ts';
import { JsonText, writeJson } from '../json/json-document.ts';

/** Statuses whose responses have no body (RFC 9110 15.3.5, 15.3.6, 15.4.5). */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Bytes that are sent unchanged with their media type (null: none), instead of JSON. */
export class RawBody {
  /** Media type; null: none. */
  readonly type: string | null;
  /** The body as it is sent. */
  readonly content: string | Uint8Array;

  constructor(type: string | null, content: string | Uint8Array) {
    this.type = type;
    this.content = content;
  }
}

brand(RawBody, 'RawBody');

/** Relation -> links. `embeddable`: can be resolved by `_embed`. */
export type Links = Readonly<Record<string, readonly Link[]>>;

/** One link of a `_links` list. Other members are written unchanged. */
export interface Link {
  /** Address of the target. */
  readonly href: string;
  /** Whether `_embed` includes the target. */
  readonly embeddable?: true;
  /** Further attributes of the link. */
  readonly [attribute: string]: unknown;
}

/** The dependencies of a cached response. */
export interface Dependencies {
  /** Records that it shows, with the version shown; 0: the record did not exist. */
  readonly records: readonly (readonly [collection: string, id: number, version: number])[];
  /** Collections for which any change may change the response. */
  readonly collections: readonly string[];
  /** The language of all records of these collections on which it depends. Absent: any. */
  readonly language?: string;
  /** Epoch milliseconds until which the response is valid if nothing changes. Infinity: always. 0: it is not cached. */
  readonly until: number;
}

/** Everything about a response except its content; see the members of `RestResponse`. Default: status 200, no headers, no cookies, all else null. */
export interface ResponseOptions {
  /** Default: 200. */
  readonly status?: number;
  /** Headers of the response. */
  readonly headers?: Record<string, string>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** Links by relation. */
  readonly links?: Links | null;
  /** Version of the record that the response shows, for its ETag; null: none. */
  readonly version?: number | null;
  /** What a cached response depends on; null: it is not cached. */
  readonly dependsOn?: Dependencies | null;
}

const NO_COOKIES: readonly string[] = Object.freeze([]);

/** Parsed documents. Not a private field, because it would make the types of two copies of the package incompatible. */
const bodies = new WeakMap<RestResponse, unknown>();

/** A response. Handlers return a plain value to send JSON with the status of their endpoint, or a RestResponse to set more. */
export class RestResponse {
  /** Status of the response. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Record<string, string>;
  /** Values of `Set-Cookie`, one header each, because they are the only header values that cannot be joined (RFC 9110 5.3). */
  readonly cookies: readonly string[];
  /** The content: a value, or a `JsonText` or `RawBody` that is sent unchanged. */
  readonly content: unknown;
  /** Shown as `_links`, even if `_fields` does not name them. */
  readonly links: Links | null;
  /** Version of the one record that the response shows. It is part of the ETag and compared by `If-Match`. */
  readonly version: number | null;
  /** For endpoints with `cache`. null: any change of their collections makes the response stale. */
  readonly dependsOn: Dependencies | null;

  /** `content`: a value to write as JSON, a document that is already written (`JsonText`), or other bytes (`RawBody`). */
  constructor(content: unknown, options: ResponseOptions = {}) {
    this.content = content;
    this.status = options.status ?? 200;
    this.headers = options.headers ?? {};
    this.cookies = options.cookies ?? NO_COOKIES;
    this.links = options.links ?? null;
    this.version = options.version ?? null;
    this.dependsOn = options.dependsOn ?? null;
  }

  /** The value that the response shows. A document that is already written is parsed on first use. */
  get body(): unknown {
    if (!(this.content instanceof JsonText)) return this.content;
    const body = bodies.get(this) ?? this.content.toJSON();
    bodies.set(this, body);
    return body;
  }

  /** The same response with other content, which already includes the links. */
  withContent(content: unknown): RestResponse {
    return copyWith(this, { content, headers: this.headers, links: null });
  }

  /** The same response with more headers. The original does not change, because a handler may keep it. */
  withHeaders(headers: Readonly<Record<string, string>>): RestResponse {
    return copyWith(this, {
      content: this.content,
      headers: Object.assign({}, this.headers, headers),
      links: this.links,
    });
  }
}

brand(RestResponse, 'RestResponse');

function copyWith(
  { status, cookies, version, dependsOn }: RestResponse,
  { content, headers, links }: Pick<RestResponse, 'content' | 'headers' | 'links'>,
): RestResponse {
  return new RestResponse(content, { status, headers, cookies, links, version, dependsOn });
}

/** Converts a response of another copy of the package, or of a subclass, to one of the engine's own. */
export function toOwnResponse(response: RestResponse): RestResponse {
  return Object.getPrototypeOf(response) === RestResponse.prototype ? response : copyWith(response, response);
}

/** The content of a response as bytes, or as the handler wrote it if it is already written. @throws TypeError for a value that is not JSON */
export function toBytes(content: unknown): JsonText | RawBody {
  if (content instanceof RawBody) return content;
  const written = writeJson(content);
  return new JsonText(typeof written === 'string' ? Buffer.from(written) : written);
}
