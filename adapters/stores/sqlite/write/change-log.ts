import {
  CHANGE_COLUMNS,
  checkKept,
  fromChangeRow,
  isLogged,
  loggedNames,
  mergeChanges,
  toChangeRow,
} from '../../../../lib/store/change-rows.ts';
import type { ChangeSource, ChangesPage, ChangesQuery, Positions } from '../../../../lib/store/change.ts';
import type { Collections } from '../../../../lib/store/collection.ts';
import { deleteChanges, insertChanges, selectChanges, selectFirst } from '../../sql/change-log.ts';
import type { Session } from '../session.ts';
import type { Change } from './apply.ts';
import type { Revisions } from './revisions.ts';

const INSERT = insertChanges([`(${CHANGE_COLUMNS.map(() => '?').join(', ')})`]);
const SELECT = selectChanges('?', '?', '?');
const FIRST = selectFirst('?');
const FORGET = deleteChanges('?', '?');
/** Most changes that one transaction removes. */
const FORGOTTEN = 500;

/** The log of changes in the file. */
export class ChangeLog {
  readonly #session: Session;
  readonly #revisions: Revisions;
  readonly #collections: Collections;

  constructor(session: Session, revisions: Revisions, collections: Collections) {
    this.#session = session;
    this.#revisions = revisions;
    this.#collections = collections;
  }

  /** Counts the changes of a commit, and logs those of logged collections. Must be called inside its transaction. @throws SqliteFailure */
  add(changes: readonly Change[], source: ChangeSource): void {
    const at = Date.now();
    const plain = new Set<string>();
    for (const change of changes) {
      const collection = this.#collections.get(change.collection);
      if (collection === undefined || !isLogged(collection)) {
        plain.add(change.collection);
        continue;
      }
      this.#revisions.count([change.collection]);
      const revision = this.#revisions.of(change.collection);
      this.#session.run(INSERT, toChangeRow(collection, change, { revision, source, at }));
    }
    this.#revisions.count(plain);
  }

  /** @throws StoreError `expired`, `invalid` */
  read(query: ChangesQuery): ChangesPage {
    const { after, limit } = query;
    const names = loggedNames(this.#collections, after);
    this.#revisions.refresh();
    const heads = Object.fromEntries(names.map((name) => [name, this.#revisions.of(name)]));
    const starts = Object.fromEntries(names.map((name) => [name, this.#startOf(name)]));
    checkKept(query, starts);
    const lists = names.map((name) =>
      (after[name] ?? 0) >= (heads[name] ?? 0)
        ? []
        : this.#session.all(SELECT, [name, after[name] ?? 0, limit]).map(fromChangeRow),
    );
    return { changes: mergeChanges(lists, limit), heads, starts };
  }

  /** Removes the oldest changes up to the positions. Must be called inside a transaction. @returns whether any are left */
  forget(through: Positions): boolean {
    let room = FORGOTTEN;
    for (const name of loggedNames(this.#collections, through)) {
      const start = this.#startOf(name);
      const last = Math.min(through[name] ?? 0, this.#revisions.of(name));
      if (last <= start) continue;
      const end = Math.min(last, start + room);
      this.#session.run(FORGET, [name, end]);
      room -= end - start;
      if (end < last || room === 0) return true;
    }
    return false;
  }

  /** The revision after which the log is complete. */
  #startOf(name: string): number {
    const first = this.#session.get(FIRST, [name])?.[0];
    return first === undefined ? this.#revisions.of(name) : Number(first) - 1;
  }
}
