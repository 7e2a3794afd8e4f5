import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { Operation, Store } from '../../../lib/store/store.ts';
import { readOptions } from '../../core/settings/options.ts';

/** Group of the options that record what was imported. */
export const IMPORTS = 'import';

/** A reference to a record that had not been read yet. It was written as the id at the source, and is corrected at the end. */
export interface Forward {
  readonly collection: string;
  readonly id: number;
  readonly field: string;
  readonly to?: string;
  readonly ref: number;
}

/** What one commit of an import adds to what is known of its source. */
export interface LedgerEntry {
  /** Ids of records in the store by collection and id at the source. */
  readonly ids: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Numbers of translation groups in the store by collection and number at the source. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly forward: readonly Forward[];
  /** How many of all forward references of the source have been corrected. A text must not be corrected twice. */
  readonly settled?: number;
  /** What the site declared when the whole source had been read, as of `listDeclared`. */
  readonly declared?: readonly string[];
}

type Pairs = Map<string, Map<number, number>>;

function add(pairs: Pairs, added: LedgerEntry['ids']): void {
  for (const [collection, ids] of added) {
    const known = pairs.get(collection) ?? new Map<number, number>();
    for (const [from, to] of ids) known.set(from, to);
    pairs.set(collection, known);
  }
}

/** A pair of equal numbers is written as one. */
function toJson(pairs: LedgerEntry['ids']): Json {
  return Object.fromEntries(
    [...pairs]
      .filter(([, ids]) => ids.size > 0)
      .map(([name, ids]) => [name, [...ids].map(([from, to]) => (from === to ? from : [from, to]))]),
  );
}

function fromJson(value: unknown): LedgerEntry['ids'] {
  const members = isObject(value) ? Object.entries(value) : [];
  return new Map(
    members.map(([name, list]) => [
      name,
      new Map(
        (list as readonly (number | readonly [number, number])[]).map((pair) =>
          typeof pair === 'number' ? [pair, pair] : pair,
        ),
      ),
    ]),
  );
}

/**
 * What has been imported from one source. Each commit of an import writes its part in the same commit as the records, so that an import
 * that was interrupted continues where it ended, and a second one changes nothing.
 */
export class Ledger {
  readonly forward: Forward[] = [];
  /** What the site declared in a complete import. */
  readonly declared = new Set<string>();
  readonly #name: string;
  readonly #ids: Pairs = new Map();
  readonly #groups: Pairs = new Map();
  #entries = 0;
  #settled = 0;

  constructor(name: string) {
    this.#name = name;
  }

  static async load(store: Store, name: string): Promise<Ledger> {
    const ledger = new Ledger(name);
    for (const [key, value] of Object.entries(await readOptions(store, IMPORTS))) {
      if (key.slice(0, key.lastIndexOf('#')) !== name || !isObject(value)) continue;
      ledger.add({
        ids: fromJson(own(value, 'ids')),
        groups: fromJson(own(value, 'groups')),
        forward: (own(value, 'forward') ?? []) as unknown as readonly Forward[],
        settled: Number(own(value, 'settled') ?? 0),
        declared: (own(value, 'declared') ?? []) as readonly string[],
      });
    }
    return ledger;
  }

  /** The id in the store; undefined if the record was not imported. */
  find(collection: string, id: number): number | undefined {
    return this.#ids.get(collection)?.get(id);
  }

  findGroup(collection: string, group: number): number | undefined {
    return this.#groups.get(collection)?.get(group);
  }

  /** How many of the forward references have been corrected. */
  get settled(): number {
    return this.#settled;
  }

  /** Must be called when the commit with `toOperation` has succeeded. */
  add({ ids, groups, forward, settled = 0, declared = [] }: LedgerEntry): void {
    for (const name of declared) this.declared.add(name);
    this.#settled = Math.max(this.#settled, settled);
    add(this.#ids, ids);
    add(this.#groups, groups);
    this.forward.push(...forward);
    this.#entries += 1;
  }

  /** The operation that records the entry. */
  toOperation({ ids, groups, forward, settled = 0, declared = [] }: LedgerEntry): Operation {
    const value = {
      ids: toJson(ids),
      groups: toJson(groups),
      forward: forward.map((each) => ({ ...each })),
      ...(settled === 0 ? {} : { settled }),
      ...(declared.length === 0 ? {} : { declared: [...declared] }),
    };
    return {
      op: 'create',
      collection: 'options',
      values: { group: IMPORTS, key: `${this.#name}#${this.#entries + 1}`, value },
    };
  }
}
