export interface DocumentLimits {
  readonly entries: number;
  /** Of all documents together. */
  readonly bytes: number;
}

type Documents = Map<string, Uint8Array>;

/**
 * A bounded cache of JSON documents as bytes. A key contains everything on which its document depends, so a cached document is never stale.
 * The cache has a young and an old half. A full young half replaces the old one, so eviction does not need a search.
 */
export class CachedDocuments {
  readonly #limits: DocumentLimits;
  #young: Documents = new Map();
  #old: Documents = new Map();
  /** Size of the young half. */
  #bytes = 0;

  constructor(limits: DocumentLimits) {
    this.#limits = { entries: Math.floor(limits.entries / 2), bytes: Math.floor(limits.bytes / 2) };
  }

  /** Returns the document of the key if it is cached. */
  find(key: string): Uint8Array | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Adds a document that is not cached yet, if there is room for it. */
  keep(key: string, document: Uint8Array): void {
    const { entries, bytes } = this.#limits;
    if (document.length > bytes) return;
    if (this.#young.size === entries || this.#bytes + document.length > bytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(key, document);
    this.#bytes += document.length;
  }
}
