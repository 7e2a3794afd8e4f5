import { CachedResponse, type Candidate } from './cached-response.ts';
import type { Store } from '../store/store.ts';
import { thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';
import type { WireResponse } from '../http/host.ts';

/** What the cache asks of the store. */
export type CacheStore = Pick<Store, 'collections' | 'revision' | 'versions' | 'isBusy'>;

/** How much the cache may keep. */
export interface CacheLimits {
  /** Most answers cached. Default 50,000. */
  readonly entries: number;
  /** Most bytes of answers cached. Default 128 MiB. */
  readonly bytes: number;
}

/** What is cached where nothing else is asked for. */
export const CACHE_LIMITS: CacheLimits = Object.freeze({ entries: 50_000, bytes: 128 * 1024 * 1024 });

/** Whether to wait for the store where it has much to do. */
interface CheckOptions {
  readonly patient: boolean;
}

/** Null: it is not known, and to be asked again. */
type Right = boolean | null;

/**
 * Answers to anonymous reads. An answer is given again only while the store says that what it depends on is as it was,
 * so a cached answer never outlives a write, also of another process; when only other records changed, the versions
 * of its own records are compared and it stays. Bounded in entries and bytes; what was not asked for goes first.
 */
export class ResponseCache {
  readonly #store: CacheStore;
  readonly #now: () => number;
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, CachedResponse>();
  readonly #targets = new Map<string, CachedResponse>();
  #bytes = 0;
  /** Grows with every `clear`, so that no answer of an old route table is cached after it. */
  generation = 0;

  constructor(store: CacheStore, options: { now: () => number; limits: CacheLimits }) {
    this.#store = store;
    this.#now = options.now;
    this.#limits = options.limits;
  }

  revision(collections: readonly string[]): MaybePromise<number> {
    return this.#store.revision(collections);
  }

  /** The answer under the key, if it is still right. */
  find(key: string): MaybePromise<CachedResponse | null> {
    const entry = this.#entries.get(key);
    return entry === undefined ? null : this.#check(entry, { patient: true });
  }

  /** The finished answer to an address as the client wrote it. Null says nothing, not even why: ask `find`. Never throws or rejects. */
  findReady(target: string): MaybePromise<WireResponse | null> {
    const entry = this.#targets.get(target);
    if (entry === undefined) return null;
    try {
      const wire = thenMaybe(this.#check(entry, { patient: false }), (right) => right?.wire ?? null);
      return wire instanceof Promise ? wire.catch(() => null) : wire;
    } catch {
      // The store can not be asked: `find` will meet the same failure and is heard.
      return null;
    }
  }

  /** Keeps an answer, unless something changed while it was being made. @throws TypeError for a body that is no JSON */
  keep(candidate: Candidate): MaybePromise<CachedResponse | null> {
    const { collections, before, generation, response } = candidate;
    return thenMaybe(this.#store.revision(response.dependsOn?.collections ?? collections), (stable) => (
      thenMaybe(this.#store.revision(collections), (after) => {
        if (after !== before || generation !== this.generation) return null;
        const entry = new CachedResponse(candidate, stable);
        if (this.#isOver(entry)) return null;
        this.#add(entry);
        return entry;
      })
    ));
  }

  /** Adds the finished form of a cached response. `target`: how the client wrote the address; null when that is not known. */
  finish(cached: CachedResponse, { wire, target }: { wire: WireResponse; target: string | null }): void {
    if (this.#entries.get(cached.key) !== cached) return;
    this.#bytes -= cached.bytes;
    cached.finish(wire, target);
    this.#bytes += cached.bytes;
    if (cached.target !== null) this.#targets.set(cached.target, cached);
    this.#evict();
  }

  /** Forgets everything: another route table may answer differently. */
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

  /** Also for a time that is none: better made anew than given for ever. */
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

  /** Whether the writes since the last look left the entry as it is. */
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
    if (entry.target !== null && this.#targets.get(entry.target) === entry) this.#targets.delete(entry.target);
    this.#bytes -= entry.bytes;
  }

  /** Oldest first; what was asked for since it was last looked at gets another round. */
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
