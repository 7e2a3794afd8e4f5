import { StoreError } from '../../lib/store/store.ts';
import type { Session } from './session.ts';

/**
 * How often each collection changed. The file holds the truth; this process keeps a copy, which is good as long as no
 * other process has written (`PRAGMA data_version`) or as long as no other process can. Inside a transaction the copy is
 * ahead of the file, which hears of all changes together at its end.
 */
export class Revisions {
  readonly #session: Session;
  readonly #shared: boolean;
  readonly #known = new Map<string, number>();
  readonly #ahead = new Map<string, number>();
  readonly #onReload: () => void;
  #dataVersion = -1;
  /** A part of every sum: grows when changes are taken back that were seen, so that no sum stands for two states. */
  #lost = 0;

  /** `onReload`: what was derived from the records may be wrong. */
  constructor(session: Session, { shared, onReload }: { readonly shared: boolean; readonly onReload: () => void }) {
    this.#session = session;
    this.#shared = shared;
    this.#onReload = onReload;
    this.#load();
  }

  /** Whether the open transaction has changed anything. */
  get areAhead(): boolean {
    return this.#ahead.size > 0;
  }

  /** Notices writes of other processes. Called before anything that was kept is used. */
  refresh(): void {
    if (!this.#shared) return;
    const version = this.#session.number('PRAGMA data_version');
    if (version === this.#dataVersion) return;
    this.#onReload();
    this.#load();
    // Last: what could not be read is asked for again.
    this.#dataVersion = version;
  }

  /** Of one collection, as its file counts it. */
  of(name: string): number {
    return this.#known.get(name) ?? 0;
  }

  sum(names: readonly string[]): number {
    this.refresh();
    return names.reduce((sum, name) => {
      const known = this.#known.get(name);
      if (known === undefined) throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
      return sum + known;
    }, this.#lost);
  }

  /** Inside a transaction: counts one more change of each collection. */
  count(names: Iterable<string>): void {
    for (const name of names) {
      this.#known.set(name, (this.#known.get(name) ?? 0) + 1);
      this.#ahead.set(name, (this.#ahead.get(name) ?? 0) + 1);
    }
  }

  /** Before the end of the transaction: tells the file. @throws SqliteFailure */
  write(): void {
    const rows = [...this.#ahead].map(() => '(?, ?)').join(', ');
    this.#session.run(`INSERT INTO "store:revisions" VALUES ${rows} ON CONFLICT DO UPDATE SET "revision" = "revision" + excluded."revision"`, [...this.#ahead].flat());
  }

  /** After its end. */
  settle(): void {
    this.#ahead.clear();
  }

  /** After a rollback. `wasSeen`: others may have kept something of it. */
  takeBack(wasSeen: boolean): void {
    if (this.#ahead.size === 0) return;
    // More than anybody can have seen.
    if (wasSeen) this.#lost += [...this.#ahead.values()].reduce((sum, by) => sum + by, 1);
    // The file is not asked: it may be what has failed.
    for (const [name, by] of this.#ahead) this.#known.set(name, (this.#known.get(name) ?? 0) - by);
    this.#ahead.clear();
    this.#onReload();
  }

  #load(): void {
    for (const [name, revision] of this.#session.all('SELECT "collection", "revision" FROM "store:revisions"')) this.#known.set(String(name), Number(revision));
  }
}
