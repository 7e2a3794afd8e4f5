import type { Store } from '../../../../lib/store/store.ts';

interface Kept<T> {
  readonly revision: number;
  readonly value: Promise<T>;
}

/** Everything that states are computed from. */
const SOURCES = ['posts', 'ml_jobs', 'options'] as const;
/** Callers with the same rights see the same. More than a few kinds of callers seldom look at the same time. */
const MOST = 4;

/** Keeps values that follow from posts and jobs until one of these changes. Concurrent callers share one computation. A failure is not kept. */
export class KeptByRevision<T> {
  readonly #store: Pick<Store, 'revision'>;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(store: Pick<Store, 'revision'>) {
    this.#store = store;
  }

  /** `key`: everything else on which the value depends. */
  async find(key: string, load: () => Promise<T>): Promise<T> {
    // Read before the value, so that a value with later changes is only computed once more than needed.
    const revision = await this.#store.revision(SOURCES);
    const known = this.#kept.get(key);
    if (known?.revision === revision) return known.value;
    const kept: Kept<T> = { revision, value: load() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of [...this.#kept.keys()].slice(0, -MOST)) this.#kept.delete(oldest);
    try {
      return await kept.value;
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }
}
