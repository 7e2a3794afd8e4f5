import { StoreError } from '../../../../lib/store/store.ts';
import type { Session } from '../session.ts';

/**
 * Counts the changes of each collection. The counts in the file are authoritative. This process keeps a copy, which is valid
 * while no other process writes (`PRAGMA data_version`), or always if none can. Inside a transaction the copy is ahead of
 * the file, which gets all changes at the end.
 */
export class Revisions {
  readonly #session: Session;
  readonly #shared: boolean;
  readonly #known = new Map<string, number>();
  readonly #ahead = new Map<string, number>();
  readonly #onReload: () => void;
  #dataVersion = -1;
  /** Added to every sum. It grows when visible changes are rolled back, so that one sum never stands for two states. */
  #lost = 0;

  /** `onReload`: called when data derived from the records may be wrong. */
  constructor(
    session: Session,
    { shared, onReload }: { readonly shared: boolean; readonly onReload: () => void },
  ) {
    this.#session = session;
    this.#shared = shared;
    this.#onReload = onReload;
    this.#load();
  }

  /** Whether the open transaction has changed anything. */
  get areAhead(): boolean {
    return this.#ahead.size > 0;
  }

  /** Detects writes of other processes. Must be called before cached data is used. */
  refresh(): void {
    if (!this.#shared) return;
    const version = this.#session.number('PRAGMA data_version');
    if (version === this.#dataVersion) return;
    this.#onReload();
    this.#load();
    // Set last, so that a failed load is repeated.
    this.#dataVersion = version;
  }

  /** The revision of one collection, as the file counts it. */
  of(name: string): number {
    return this.#known.get(name) ?? 0;
  }

  sum(names: readonly string[]): number {
    this.refresh();
    return names.reduce((sum, name) => {
      const known = this.#known.get(name);
      if (known === undefined)
        throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
      return sum + known;
    }, this.#lost);
  }

  /** Counts one more change of each collection. Must be called inside a transaction. */
  count(names: Iterable<string>): void {
    for (const name of names) {
      this.#known.set(name, (this.#known.get(name) ?? 0) + 1);
      this.#ahead.set(name, (this.#ahead.get(name) ?? 0) + 1);
    }
  }

  /** Writes the counts to the file. Called before the end of the transaction. @throws SqliteFailure */
  write(): void {
    const rows = [...this.#ahead].map(() => '(?, ?)').join(', ');
    this.#session.run(
      `INSERT INTO "store:revisions" VALUES ${rows} ON CONFLICT DO UPDATE SET "revision" = "revision" + excluded."revision"`,
      [...this.#ahead].flat(),
    );
  }

  /** Called after the end of the transaction. */
  settle(): void {
    this.#ahead.clear();
  }

  /** Called after a rollback. `wasSeen`: others may have cached data from the transaction. */
  takeBack(wasSeen: boolean): void {
    if (this.#ahead.size === 0) return;
    // Larger than any sum that anybody can have seen.
    if (wasSeen) this.#lost += [...this.#ahead.values()].reduce((sum, by) => sum + by, 1);
    // The file is not read, because it may be the cause of the failure.
    for (const [name, by] of this.#ahead) this.#known.set(name, (this.#known.get(name) ?? 0) - by);
    this.#ahead.clear();
    this.#onReload();
  }

  #load(): void {
    for (const [name, revision] of this.#session.all(
      'SELECT "collection", "revision" FROM "store:revisions"',
    ))
      this.#known.set(String(name), Number(revision));
  }
}
