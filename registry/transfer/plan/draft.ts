import type { Operation } from '../../../lib/store/store.ts';
import type { Item, LeftOut } from '../items/item.ts';
import type { Forward, Ledger, LedgerEntry } from '../items/ledger.ts';

/** What the records of a commit take. */
export interface Taken {
  /** Unique keys, and the ids of their records. */
  readonly keys: Map<string, number>;
  /** Ids: `posts 12`. */
  readonly taken: Set<string>;
}

/** The plan of one commit: what it will do if it succeeds. Nothing is known of it before. */
export class Draft implements LedgerEntry {
  readonly ids = new Map<string, Map<number, number>>();
  readonly groups = new Map<string, Map<number, number>>();
  readonly forward: Forward[] = [];
  readonly operations: Operation[] = [];
  readonly created: string[] = [];
  readonly completed: string[] = [];
  readonly kept: string[] = [];
  readonly leftOut: LeftOut[] = [];
  /** Passwords of users whom the site had before. */
  readonly credentials: { readonly place: string; readonly user: number }[] = [];
  /** Logins of users whom the site had before and who get a further password. */
  readonly logins: string[] = [];
  /** Media whose files belong to them. */
  readonly files: Item[] = [];
  readonly keys: Taken['keys'];
  readonly taken: Taken['taken'];
  readonly lastIds = new Map<string, number>();
  readonly #ledger: Ledger;

  /** `taken`: by commits that are not written. */
  constructor(ledger: Ledger, { keys, taken }: Taken = { keys: new Map(), taken: new Set() }) {
    this.#ledger = ledger;
    this.keys = keys;
    this.taken = taken;
  }

  find(collection: string, id: number): number | undefined {
    return this.ids.get(collection)?.get(id) ?? this.#ledger.find(collection, id);
  }

  findGroup(collection: string, group: number): number | undefined {
    return this.groups.get(collection)?.get(group) ?? this.#ledger.findGroup(collection, group);
  }

  setGroup(collection: string, group: number, number: number): void {
    this.groups.set(
      collection,
      (this.groups.get(collection) ?? new Map<number, number>()).set(group, number),
    );
  }

  /** The record of the source has this id in the store. */
  set({ collection, id }: Item, stored: number): void {
    this.ids.set(collection, (this.ids.get(collection) ?? new Map<number, number>()).set(id, stored));
  }
}
