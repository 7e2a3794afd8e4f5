export interface DocumentLimits {
  readonly entries: number;
  /** Of all documents together. */
  readonly bytes: number;
}

type Documents = Map<string, Uint8Array>;

/**
 * JSON documents by key, as bytes, bounded in number and size. A key says all that its document rests on, so that none is ever wrong.
 * They are kept in a young and an old half; a full young half takes the place of the old one, so that nothing has to be searched for what goes.
 */
export class CachedDocuments {
  readonly #limits: DocumentLimits;
  #young: Documents = new Map();
  #old: Documents = new Map();
  /** Of the young half. */
  #bytes = 0;

  constructor(limits: DocumentLimits) {
    this.#limits = { entries: Math.floor(limits.entries / 2), bytes: Math.floor(limits.bytes / 2) };
  }

  /** The document of the key, if it is there. */
  find(key: string): Uint8Array | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Keeps a document that is not there yet, if there is room for it. */
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
