import { toPositions } from '../store/change-rows.ts';
import type { Change, ChangesPage, Positions } from '../store/change.ts';
import type { Store } from '../store/store.ts';

/** What a follower gets: changes, and the place after them. */
export interface ChangesBatch {
  /** Oldest first. Empty: nothing is left at the moment. */
  readonly changes: readonly Change[];
  /** Where to go on. Kept, it is the `after` of a later call, in this or in any other process. */
  readonly positions: Positions;
}

/** How to follow. */
export interface FollowOptions {
  /** Ends the iteration, without an error. */
  readonly signal: AbortSignal;
  /** Most changes of a batch. Default 500. */
  readonly limit?: number;
  /** The wait for changes does not keep the process alive. Default false. */
  readonly background?: boolean;
}

/** The log of the changes of a store, for code of the same process: what plugins react to and the feed shows. */
export interface ChangeLog {
  /** The collections that have a log. */
  readonly collections: readonly string[];
  /** The newest position of each collection: a reader that begins here gets only what comes. */
  heads(): Promise<Positions>;
  /** The oldest position of each collection: a reader that begins here gets all changes that are kept. */
  starts(): Promise<Positions>;
  /**
   * Reads up to `limit` changes after positions, which name the collections to read, each once and none twice.
   * @throws StoreError `expired` when some of them are no longer kept
   */
  read(after: Positions, limit: number): Promise<ChangesPage>;
  /**
   * Goes through all changes after positions and then waits for more, also for those that other processes commit. An empty batch
   * says each time that nothing is left. At most 50 ms pass between a commit of this process and its batch, and 250 ms for a database
   * server, if the loop is free.
   * @throws StoreError `expired` as `read`; those of the store
   * @example
   * for await (const { changes, positions } of log.follow(await log.heads(), { signal })) {
   *   for (const { collection, id, op } of changes) console.log(op, collection, id);
   *   await keep(positions);
   * }
   */
  follow(after: Positions, options: FollowOptions): AsyncIterable<ChangesBatch>;
  /** Resolves when the collections have another revision than `seen`, which `store.revision` returned, or when the signal is aborted. */
  until(seen: number, options: Pick<FollowOptions, 'signal' | 'background'>): Promise<void>;
  /** The sum of the revisions of the collections, as `until` compares it. */
  revision(): Promise<number>;
}

const LIMIT = 500;
/** How often to look for commits of others. A store that answers at once costs nothing; a database is asked over a network. */
const LOOK_MS = { local: 40, remote: 200 };

/** Waits for a revision to change. All waiters share one question to the store. */
class Watch {
  readonly #look: () => number | Promise<number>;
  readonly #waiting = new Set<{
    readonly seen: number;
    readonly background: boolean;
    readonly wake: () => void;
  }>();
  #timer: NodeJS.Timeout | undefined;
  #everyMs = LOOK_MS.local;

  constructor(look: () => number | Promise<number>) {
    this.#look = look;
  }

  until(
    seen: number,
    { signal, background = false }: Pick<FollowOptions, 'signal' | 'background'>,
  ): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const end = (): void => {
        this.#waiting.delete(waiter);
        signal.removeEventListener('abort', end);
        if (this.#waiting.size === 0) clearTimeout(this.#timer);
        resolve();
      };
      const waiter = { seen, background, wake: end };
      this.#waiting.add(waiter);
      signal.addEventListener('abort', end, { once: true });
      this.#plan();
    });
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => void this.#ask(), this.#everyMs);
    if ([...this.#waiting].every(({ background }) => background)) this.#timer.unref();
  }

  async #ask(): Promise<void> {
    try {
      const answer = this.#look();
      this.#everyMs = answer instanceof Promise ? LOOK_MS.remote : LOOK_MS.local;
      const revision = await answer;
      for (const { seen, wake } of this.#waiting) if (seen !== revision) wake();
    } catch {
      // The read that follows says what is wrong with the store.
      for (const { wake } of this.#waiting) wake();
    }
    this.#plan();
  }
}

/** The log of these collections of a store. @throws StoreError `invalid`, from its methods, for a collection without a log */
export function createChangeLog(store: Store, collections: readonly string[]): ChangeLog {
  const zero: Positions = Object.fromEntries(collections.map((name) => [name, 0]));
  const watch = new Watch(() => store.revision(collections));
  const read = async (after: Positions, limit: number): Promise<ChangesPage> =>
    store.changes({ after, limit });
  const revision = async (): Promise<number> => store.revision(collections);

  async function* follow(
    after: Positions,
    { signal, limit = LIMIT, background = false }: FollowOptions,
  ): AsyncGenerator<ChangesBatch> {
    let positions = after;
    while (!signal.aborted) {
      // Read before the changes, so that a commit in between is noticed.
      const seen = await revision();
      const { changes } = await read(positions, limit);
      positions = toPositions(positions, changes);
      yield { changes, positions };
      if (changes.length < limit) {
        if (changes.length > 0 && !signal.aborted) yield { changes: [], positions };
        await watch.until(seen, { signal, background });
      }
    }
  }

  return {
    collections,
    heads: async () => (await read(zero, 0)).heads,
    starts: async () => (await read(zero, 0)).starts,
    read,
    follow,
    until: (seen, options) => watch.until(seen, options),
    revision,
  };
}
