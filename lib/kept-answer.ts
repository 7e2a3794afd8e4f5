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

/** Weight of an answer beside its bytes: its headers, as object and as they are sent, and what finds it. Bytes. */
const OVERHEAD = 2048;

/** As bytes, which the finished form shares, and which are those of the handler where it gave bytes. @throws TypeError for what is no JSON */
function toBytes(content: unknown): JsonText | RawBody {
  if (content instanceof RawBody) return content;
  const written = writeJson(content);
  return new JsonText(typeof written === 'string' ? Buffer.from(written) : written);
}

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
    this.#response = response.withContent(toBytes(response.content));
    this.key = key;
    this.collections = collections;
    this.seen = before;
    this.stable = stable;
    this.records = (response.dependsOn?.records ?? []).map(([collection, id]) => [collection, id]);
    this.until = response.dependsOn?.until ?? Infinity;
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

  /** An answer of its own for everybody: what one does to its body or headers is not seen by the next. */
  get response(): RestResponse {
    return this.#response.withHeaders({});
  }
}
