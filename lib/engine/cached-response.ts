import { deepFreeze } from '../core/objects.ts';
import type { WireResponse } from '../http/host.ts';
import { toBytes, type RawBody, type RestResponse } from '../http/response.ts';
import type { JsonText } from '../json/json-document.ts';
import type { RouteView } from '../route/call.ts';
import type { RecordKey } from '../store/store.ts';

/** A response that may be cached. `before`: revision of `collections` when the request began. */
export interface CacheMiss {
  readonly key: string;
  /** Collections that the endpoint reads. */
  readonly collections: readonly string[];
  readonly before: number;
  /** `generation` of the cache when the request began. */
  readonly generation: number;
  readonly route: RouteView | null;
  /** Functions run around the call. They see the cached response, too. */
  readonly isWrapped: boolean;
  readonly response: RestResponse;
}

/** Estimated size of a response without its texts, in bytes. */
const OVERHEAD = 1024;

/** Size of the names and values. Headers that link to other pages of a list repeat its address. */
function weigh(headers: Readonly<Record<string, string>>): number {
  let sum = 0;
  for (const name in headers) sum += name.length + (headers[name]?.length ?? 0);
  return sum;
}

/** A cached response to an anonymous read, with everything that decides whether it is still current. */
export class CachedResponse {
  readonly key: string;
  readonly collections: readonly string[];
  readonly isWrapped: boolean;
  readonly route: RouteView | null;
  /** Revision of `collections` when the response was last found current. */
  seen: number;
  /** Revision of the collections for which any change makes the response stale. */
  readonly stable: number;
  readonly records: readonly RecordKey[];
  readonly until: number;
  /** Whether the response was used since the last round of eviction. */
  used = false;
  /** The wire response, once it is written, and the address as the client wrote it. */
  wire: WireResponse | null = null;
  target: string | null = null;
  /** Estimated size in memory. */
  bytes: number;
  readonly #response: RestResponse;

  /** @throws TypeError for a body that is not JSON */
  constructor({ key, collections, before, isWrapped, route, response }: CacheMiss, stable: number) {
    this.#response = response.withContent(toBytes(response.content));
    this.key = key;
    this.collections = collections;
    this.isWrapped = isWrapped;
    this.route = route;
    this.seen = before;
    this.stable = stable;
    this.records = (response.dependsOn?.records ?? []).map(([collection, id]) => [collection, id]);
    // `around` functions of all callers get it.
    deepFreeze(response.dependsOn);
    this.until = response.dependsOn?.until ?? Infinity;
    this.bytes = OVERHEAD + key.length + weigh(response.headers) + Buffer.byteLength(this.#content);
  }

  /** Stores the wire response. Its headers count three times: once as an object, and twice as a server writes them, for responses with a body and for 304. */
  finish(wire: WireResponse, target: string | null): void {
    this.wire = wire;
    this.target ??= target;
    const body = wire.body === null || wire.body === this.#content ? 0 : Buffer.byteLength(wire.body);
    this.bytes += 3 * weigh(wire.headers) + body + (this.target?.length ?? 0);
  }

  get #content(): string | Uint8Array {
    return (this.#response.content as JsonText | RawBody).content;
  }

  get dependsOn(): RestResponse['dependsOn'] {
    return this.#response.dependsOn;
  }

  /** Each caller gets a new object, so that changes to its body or headers do not affect others. */
  get response(): RestResponse {
    return this.#response.withHeaders({});
  }
}
