import { JsonText, writeJson } from './json-document.ts';
import { RawBody, type RestResponse } from './response.ts';
import type { RecordKey } from './store.ts';
import type { WireResponse } from './wire.ts';

/** An answer about to be kept. `before`: revision of `collections` when the work on it began. */
export interface Candidate {
  readonly key: string;
  /** Collections that the endpoint reads. */
  readonly collections: readonly string[];
  readonly before: number;
  /** `generation` of the cache when the work began. */
  readonly generation: number;
  readonly response: RestResponse;
}

/** Weight of an answer beside its bytes: its headers, as object and as list, and what finds it. Bytes. */
const OVERHEAD = 1024;

/** An answer to an anonymous read, and everything that decides whether it is still right. */
export class KeptAnswer {
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
  readonly #response: RestResponse;

  /** @throws TypeError for a body that is no JSON */
  constructor({ key, collections, before, response }: Candidate, stable: number) {
    // As bytes, which the finished form shares.
    const content = response.content instanceof RawBody ? response.content : new JsonText(Buffer.from(writeJson(response.content)));
    this.key = key;
    this.collections = collections;
    this.seen = before;
    this.stable = stable;
    this.records = (response.dependsOn?.records ?? []).map(([collection, id]) => [collection, id]);
    this.until = response.dependsOn?.until ?? Infinity;
    this.#response = response.withContent(content);
  }

  /** Weight in memory, about. */
  get bytes(): number {
    const { content } = this.#response.content as JsonText | RawBody;
    const body = this.wire?.body ?? content;
    return OVERHEAD + this.key.length + Buffer.byteLength(content) + (body === content ? 0 : Buffer.byteLength(body));
  }

  get dependsOn(): RestResponse['dependsOn'] {
    return this.#response.dependsOn;
  }

  /** An answer of its own for everybody: what one does to the body is not seen by the next. */
  get response(): RestResponse {
    return this.#response.withContent(this.#response.content);
  }
}
