import type { RestResponse } from './response.ts';
import type { Store } from './store.ts';
import type { WireResponse } from './wire.ts';

/** What the cache asks of the store. */
export type CacheStore = Pick<Store, 'revision' | 'get'>;

export interface CacheLimits {
  /** Most answers kept. Default 50,000. */
  readonly entries: number;
  /** Most bytes of answers kept. Default 128 MiB. */
  readonly bytes: number;
}

export const CACHE_LIMITS: CacheLimits = Object.freeze({ entries: 50_000, bytes: 128 * 1024 * 1024 });

/** A kept answer to an anonymous read, and everything that decides whether it is still right. */
interface Entry {
  readonly key: string;
  readonly response: RestResponse;
  readonly bytes: number;
  /** Collections that the endpoint reads, and their revision when the answer was last found right. */
  readonly collections: readonly string[];
  seen: number;
  /** Revision of those collections of which any change counts. */
  readonly stable: number;
  readonly until: number;
  /** Asked for since the last round of eviction. */
  used: boolean;
  wire: WireResponse | null;
  target: string | null;
}

/** An answer about to be kept. `before`: revision of `collections` when the work on it began. */
export interface Candidate {
  readonly key: string;
  readonly collections: readonly string[];
  readonly before: number;
  /** `generation` of the cache when the work began. */
  readonly generation: number;
  readonly response: RestResponse;
}

/** Weight of an entry beside its texts. Bytes. */
const OVERHEAD = 1024;
/** Weight of a member beside its text. Bytes. */
const MEMBER = 32;

/** Freezes a body, since many callers are given the same one. @returns its weight in memory, about. Bytes. */
function freezeAll(value: unknown): number {
  if (typeof value === 'string') return MEMBER + 2 * value.length;
  if (typeof value !== 'object' || value === null) return MEMBER;
  if (ArrayBuffer.isView(value)) return MEMBER + value.byteLength;
  Object.freeze(value);
  return Object.entries(value).reduce((sum, [key, member]) => sum + key.length + freezeAll(member), MEMBER);
}

/**
 * Answers to anonymous reads. An answer is given again only while the store says that what it depends on is as it was,
 * so a cached answer never outlives a write, also of another process; when only other records changed, the versions
 * of its own records are compared and it stays. Bounded in entries and bytes; what was not asked for goes first.
 */
export class AnswerCache {
  readonly #store: CacheStore;
  readonly #now: () => number;
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #targets = new Map<string, Entry>();
  #bytes = 0;
  /** Grows with every `clear`, so that no answer of an old route table is kept after it. */
  generation = 0;

  constructor(store: CacheStore, options: { now: () => number; limits: CacheLimits }) {
    this.#store = store;
    this.#now = options.now;
    this.#limits = options.limits;
  }

  revision(collections: readonly string[]): number | Promise<number> {
    return this.#store.revision(collections);
  }

  /** The answer under the key, if it is still right. */
  async find(key: string): Promise<RestResponse | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (!await this.#isRight(entry)) {
      this.#remove(entry);
      return null;
    }
    entry.used = true;
    return entry.response;
  }

  /** The finished answer to an address as the client wrote it, if that can be said at once. Null says nothing: ask `find`. */
  findReady(target: string): WireResponse | null {
    const entry = this.#targets.get(target);
    if (entry === undefined || this.#now() >= entry.until || this.#store.revision(entry.collections) !== entry.seen) return null;
    entry.used = true;
    return entry.wire;
  }

  /** Keeps an answer, unless something changed while it was being made. */
  async keep({ key, collections, before, generation, response }: Candidate): Promise<void> {
    const depends = response.dependsOn;
    const stable = await this.#store.revision(depends?.collections ?? collections);
    if (await this.#store.revision(collections) !== before || generation !== this.generation) return;
    const bytes = OVERHEAD + key.length + freezeAll(response.body);
    this.#add({
      key, response, collections, seen: before, stable, bytes, until: depends?.until ?? Infinity, used: false, wire: null, target: null,
    });
  }

  /** Adds the finished form of a kept answer. `target`: how the client wrote the address; null when that is not known. */
  finish(response: RestResponse, key: string, { wire, target }: { wire: WireResponse; target: string | null }): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.response !== response || entry.target !== null) return;
    this.#remove(entry);
    this.#add({ ...entry, wire, target, bytes: entry.bytes + (wire.body?.length ?? 0) });
  }

  /** The finished form of a kept answer, if it was made before. */
  wireOf(response: RestResponse, key: string): WireResponse | null {
    const entry = this.#entries.get(key);
    return entry?.response === response ? entry.wire : null;
  }

  /** Forgets everything: another route table may answer differently. */
  clear(): void {
    this.#entries.clear();
    this.#targets.clear();
    this.#bytes = 0;
    this.generation += 1;
  }

  async #isRight(entry: Entry): Promise<boolean> {
    if (this.#now() >= entry.until) return false;
    const all = await this.#store.revision(entry.collections);
    if (all === entry.seen) return true;
    const depends = entry.response.dependsOn;
    if (depends === null || await this.#store.revision(depends.collections) !== entry.stable) return false;
    for (const [collection, id, version] of depends.records) {
      if (((await this.#store.get(collection, id))?.version ?? 0) !== version) return false;
    }
    entry.seen = all;
    return true;
  }

  #add(entry: Entry): void {
    const known = this.#entries.get(entry.key);
    if (known !== undefined) this.#remove(known);
    if (entry.bytes > this.#limits.bytes / 8) return;
    this.#entries.set(entry.key, entry);
    if (entry.target !== null) this.#targets.set(entry.target, entry);
    this.#bytes += entry.bytes;
    this.#evict();
  }

  #remove(entry: Entry): void {
    if (this.#entries.get(entry.key) !== entry) return;
    this.#entries.delete(entry.key);
    if (entry.target !== null) this.#targets.delete(entry.target);
    this.#bytes -= entry.bytes;
  }

  /** Oldest first; what was asked for since it was last looked at gets another round. */
  #evict(): void {
    for (const entry of this.#entries.values()) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      this.#remove(entry);
      if (!entry.used) continue;
      entry.used = false;
      this.#entries.set(entry.key, entry);
      if (entry.target !== null) this.#targets.set(entry.target, entry);
      this.#bytes += entry.bytes;
    }
  }
}
