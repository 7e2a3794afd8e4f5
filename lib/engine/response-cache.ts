import { thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';
import type { WireResponse } from '../http/host.ts';
import type { Store } from '../store/store.ts';
import { CachedResponse, type CacheMiss } from './cached-response.ts';

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
  readonly #entries = new Map<string, CachedResponse>();
  readonly #targets = new Map<string, CachedResponse>();
  #bytes = 0;
  /** Incremented by every `clear`, so that no response of an old route table is cached after it. */
  generation = 0;

  constructor(store: CacheStore, options: { now: () => number; limits: CacheLimits }) {
    this.#store = store;
    this.#now = options.now;
    this.#limits = options.limits;
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
        const entry = new CachedResponse(candidate, stable);
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
