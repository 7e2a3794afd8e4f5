import type { JsonText } from '../core/json-document.ts';
import { toBytes, type RawBody, type RestResponse } from '../http/response.ts';
import type { RecordKey } from '../store/store.ts';
import type { WireResponse } from '../http/host.ts';

/** An answer about to be cached. `before`: revision of `collections` when the work on it began. */
export interface Candidate {
  readonly key: string;
  /** Collections that the endpoint reads. */
  readonly collections: readonly string[];
  readonly before: number;
  /** `generation` of the cache when the work began. */
  readonly generation: number;
  readonly response: RestResponse;
}

/** Weight of an answer beside its texts. Bytes. */
const OVERHEAD = 1024;

/** Names and values. They repeat the address where they link to other pages of a list. */
function weigh(headers: Readonly<Record<string, string>>): number {
  let sum = 0;
  for (const name in headers) sum += name.length + (headers[name]?.length ?? 0);
  return sum;
}

/** An answer to an anonymous read, and everything that decides whether it is still right. */
export class CachedResponse {
  readonly key: string;
  readonly collections: readonly string[];
  /** Revision of `collections` when the answer was last found right. */
  seen: number;
  /** Revision of those collections of which any change counts. */
  readonly stable: number;
  readonly records: readonly RecordKey[];
  readonly until: number;
  /** Asked for since the last round of eviction. */
  used = false;
  /** The finished form, once it was made, and the address of it as a client wrote it. */
  wire: WireResponse | null = null;
  target: string | null = null;
  /** Weight in memory, about. */
  bytes: number;
  readonly #response: RestResponse;

  /** @throws TypeError for a body that is no JSON */
  constructor({ key, collections, before, response }: Candidate, stable: number) {
    this.#response = response.withContent(toBytes(response.content));
    this.key = key;
    this.collections = collections;
    this.seen = before;
    this.stable = stable;
    this.records = (response.dependsOn?.records ?? []).map(([collection, id]) => [collection, id]);
    this.until = response.dependsOn?.until ?? Infinity;
    this.bytes = OVERHEAD + key.length + weigh(response.headers) + Buffer.byteLength(this.#content);
  }

  /** Takes the finished form. Its headers weigh three times: as object, and as a server writes them once for all requests, with a body and with 304. */
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

  /** An answer of its own for everybody: what one does to its body or headers is not seen by the next. */
  get response(): RestResponse {
    return this.#response.withHeaders({});
  }
}
