import { StoreError } from '../../lib/store.ts';
import type { Session } from './session.ts';

/**
 * How often each collection changed. The file holds the truth; this process keeps a copy, which is good as long as no
 * other process has written (`PRAGMA data_version`) or as long as no other process can.
 */
export class Revisions {
  readonly #session: Session;
  readonly #shared: boolean;
  readonly #known = new Map<string, number>();
  readonly #onForeignWrite: () => void;
  #dataVersion = -1;

  constructor(session: Session, { shared, onForeignWrite }: { readonly shared: boolean; readonly onForeignWrite: () => void }) {
    this.#session = session;
    this.#shared = shared;
    this.#onForeignWrite = onForeignWrite;
    this.#load();
  }

  /** Notices writes of other processes. Called before anything that was kept is used. */
  refresh(): void {
    if (!this.#shared) return;
    const version = this.#session.number('PRAGMA data_version');
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    this.#onForeignWrite();
    this.#load();
  }

  sum(names: readonly string[]): number {
    this.refresh();
    return names.reduce((sum, name) => {
      const known = this.#known.get(name);
      if (known === undefined) throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
      return sum + known;
    }, 0);
  }

  /** Inside a transaction: counts one more change of each collection. */
  write(names: ReadonlySet<string>): void {
    const places = Array.from(names, () => '?').join(', ');
    this.#session.run(`UPDATE "store:revisions" SET "revision" = "revision" + 1 WHERE "collection" IN (${places})`, [...names]);
  }

  /** After the commit. */
  publish(names: Iterable<string>): void {
    for (const name of names) this.#known.set(name, (this.#known.get(name) ?? 0) + 1);
  }

  #load(): void {
    for (const row of this.#session.all('SELECT "collection", "revision" FROM "store:revisions"')) this.#known.set(String(row['collection']), Number(row['revision']));
  }
}
