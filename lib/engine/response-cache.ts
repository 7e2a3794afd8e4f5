import { type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import { deepFreeze } from '../core/objects.ts';
import type { WireResponse } from '../http/host.ts';
import { type RawBody, type RestResponse, toBytes } from '../http/response.ts';
import type { JsonText } from '../json/json-document.ts';
import type { RouteView } from '../route/call.ts';
import type { RecordKey, Store } from '../store/store.ts';

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
/** Estimated size of what an entry keeps of a record that its response shows, in bytes: measured 135. */
const RECORD = 160;

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
    this.bytes =
      OVERHEAD +
      key.length +
      weigh(response.headers) +
      Buffer.byteLength(this.#content) +
      RECORD * this.records.length;
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

/** What a cached response depends on, as far as it is known. */
export interface CachedFacts {
  /** Records that it shows. */
  readonly records: readonly RecordKey[];
  /** Collections for which any change may change it. */
  readonly collections: readonly string[];
  /** The language of the records in the collections. null: any. */
  readonly language: string | null;
}

/** Headers that tell caches in front what a cached response depends on. */
export type CacheHeaders = (facts: CachedFacts) => Readonly<Record<string, string>>;

/** The response with the headers for caches in front. Refusals have none. */
function label({ response, collections }: CacheMiss, headers: CacheHeaders): RestResponse {
  if (response.status !== 200) return response;
  const { dependsOn } = response;
  return response.withHeaders(
    headers({
      records: (dependsOn?.records ?? []).map(([collection, id]) => [collection, id]),
      collections: dependsOn?.collections ?? collections,
      language: dependsOn?.language ?? null,
    }),
  );
}

/** The methods of the store that the cache uses. */
export type CacheStore = Pick<Store, 'collections' | 'revision' | 'versions' | 'isBusy'>;

/** Limits of the cache. */
export interface CacheLimits {
  /** Most cached responses. Default 50,000. */
  readonly entries: number;
  /** Most bytes of cached responses. Default 128 MiB. */
  readonly bytes: number;
}

/** The default limits. */
export const CACHE_LIMITS: CacheLimits = Object.freeze({ entries: 50_000, bytes: 128 * 1024 * 1024 });

/** Whether to wait for a store that is busy. */
interface CheckOptions {
  readonly patient: boolean;
}

/** Whether a response is current. null: not known now; ask again. */
type Right = boolean | null;

/**
 * Caches responses to anonymous reads. A cached response is used only if the store confirms that everything it depends on
 * is unchanged, so it never outlives a write, not even one of another process. If only other records have changed, the
 * versions of its own records are compared, and it stays. Limited in entries and bytes; the least used are evicted first.
 */
export class ResponseCache {
  readonly #store: CacheStore;
  readonly #now: () => number;
  readonly #limits: CacheLimits;
  readonly #headers: CacheHeaders | null;
  readonly #entries = new Map<string, CachedResponse>();
  readonly #targets = new Map<string, CachedResponse>();
  #bytes = 0;
  /** Incremented by every `clear`, so that no response of an old route table is cached after it. */
  generation = 0;

  constructor(
    store: CacheStore,
    options: { now: () => number; limits: CacheLimits; headers?: CacheHeaders | undefined },
  ) {
    this.#store = store;
    this.#now = options.now;
    this.#limits = options.limits;
    this.#headers = options.headers ?? null;
  }

  revision(collections: readonly string[]): MaybePromise<number> {
    return this.#store.revision(collections);
  }

  /** The response under the key, if it is still current. */
  find(key: string): MaybePromise<CachedResponse | null> {
    const entry = this.#entries.get(key);
    return entry === undefined ? null : this.#check(entry, { patient: true });
  }

  /** The wire response for an address as the client wrote it. null means only that there is none now: use `find`. Never throws or rejects. */
  findReady(target: string): MaybePromise<WireResponse | null> {
    const entry = this.#targets.get(target);
    if (entry === undefined) return null;
    try {
      const wire = thenMaybe(this.#check(entry, { patient: false }), (right) => right?.wire ?? null);
      return wire instanceof Promise ? wire.catch(() => null) : wire;
    } catch {
      // The store is not available. `find` will meet the same failure and report it.
      return null;
    }
  }

  /** Caches a response, unless something changed while it was built. @throws TypeError for a body that is not JSON */
  keep(candidate: CacheMiss): MaybePromise<CachedResponse | null> {
    const { collections, before, generation, response } = candidate;
    return thenMaybe(this.#store.revision(response.dependsOn?.collections ?? collections), (stable) =>
      thenMaybe(this.#store.revision(collections), (after) => {
        if (after !== before || generation !== this.generation) return null;
        const labelled =
          this.#headers === null ? candidate : { ...candidate, response: label(candidate, this.#headers) };
        const entry = new CachedResponse(labelled, stable);
        if (this.#isOver(entry)) return null;
        this.#add(entry);
        return entry;
      }),
    );
  }

  /** Adds the wire response of a cached response. `target`: the address as the client wrote it; null if that is not known. */
  finish(cached: CachedResponse, { wire, target }: { wire: WireResponse; target: string | null }): void {
    if (this.#entries.get(cached.key) !== cached) return;
    this.#bytes -= cached.bytes;
    cached.finish(wire, target);
    this.#bytes += cached.bytes;
    if (cached.target !== null) this.#targets.set(cached.target, cached);
    this.#evict();
  }

  /** Removes everything, because another route table may respond differently. */
  clear(): void {
    this.#entries.clear();
    this.#targets.clear();
    this.#bytes = 0;
    this.generation += 1;
  }

  #check(entry: CachedResponse, options: CheckOptions): MaybePromise<CachedResponse | null> {
    return thenMaybe(this.#isRight(entry, options), (right) => {
      if (right === true) entry.used = true;
      else if (right === false) this.#remove(entry);
      return right === true ? entry : null;
    });
  }

  /** Also true if `until` is not a number: it is better to build a response again than to cache it forever. */
  #isOver({ until }: CachedResponse): boolean {
    return !(this.#now() < until);
  }

  #isRight(entry: CachedResponse, { patient }: CheckOptions): MaybePromise<Right> {
    if (this.#isOver(entry)) return false;
    return thenMaybe(this.#store.revision(entry.collections), (all) => {
      if (all === entry.seen) return true;
      return !patient && this.#store.isBusy?.('read') === true ? null : this.#isUntouched(entry, all);
    });
  }

  /** Whether the writes since the last check left everything that the response depends on unchanged. */
  #isUntouched(entry: CachedResponse, all: number): MaybePromise<boolean> {
    const { dependsOn } = entry;
    if (dependsOn === null) return false;
    return thenMaybe(this.#store.revision(dependsOn.collections), (stable) => {
      if (stable !== entry.stable) return false;
      return thenMaybe(this.#store.versions(entry.records), (versions) => {
        if (dependsOn.records.some(([, , version], at) => versions[at] !== version)) return false;
        entry.seen = all;
        return true;
      });
    });
  }

  #add(entry: CachedResponse): void {
    const known = this.#entries.get(entry.key);
    if (known !== undefined) this.#remove(known);
    if (entry.bytes > this.#limits.bytes / 8) return;
    this.#entries.set(entry.key, entry);
    this.#bytes += entry.bytes;
    this.#evict();
  }

  #remove(entry: CachedResponse): void {
    if (this.#entries.get(entry.key) !== entry) return;
    this.#entries.delete(entry.key);
    if (entry.target !== null && this.#targets.get(entry.target) === entry)
      this.#targets.delete(entry.target);
    this.#bytes -= entry.bytes;
  }

  /** Evicts the oldest responses first. A response that was used since the last round stays for another round. */
  #evict(): void {
    for (const entry of this.#entries.values()) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      if (entry.used) {
        entry.used = false;
        this.#entries.delete(entry.key);
        this.#entries.set(entry.key, entry);
      } else this.#remove(entry);
    }
  }
}
