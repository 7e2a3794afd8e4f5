import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { oneOf } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import type { Item } from '../items/item.ts';
import type { Ledger } from '../items/ledger.ts';
import type { Draft } from './draft.ts';
import { ownerOf } from './route-rules.ts';

type Fields = Readonly<Record<string, Json>>;

/** What records can have because the site declares it: `post meta mood`. */
export const listDeclared = ({ types, meta }: ContentModel): readonly string[] => [
  ...[...meta].flatMap(([of, keys]) => keys.map(({ key }) => `${of} meta ${key}`)),
  ...[...types.values()].flatMap(({ name, taxonomies }) => taxonomies.map((each) => `${name} terms ${each}`)),
];

/** Fields of posts that have the terms of all taxonomies. */
const TERM_FIELDS = ['categories', 'tags', 'terms'] as const;

const idsIn = (values: Fields | StoredRecord, field: string): readonly number[] =>
  (own(values, field) ?? []) as readonly number[];

/** What an item has that an earlier import left out. */
interface Late {
  readonly item: Item;
  /** Id of its record. */
  readonly stored: number;
  readonly meta: readonly (readonly [key: string, value: Json])[];
  /** Ids in the store. */
  readonly terms: readonly { readonly field: string; readonly taxonomy: string; readonly id: number }[];
}

/** Finds what earlier imports of a source left out of the records that they created, because the site did not declare it then. */
export class LateValues {
  readonly #store: Store;
  readonly #ledger: Ledger;
  readonly #names: ReadonlySet<string>;
  /** Taxonomies of the terms of the source. */
  readonly #taxonomies = new Map<number, string>();

  /** `names`: what the site has declared since. */
  constructor(store: Store, ledger: Ledger, names: ReadonlySet<string>) {
    this.#store = store;
    this.#ledger = ledger;
    this.#names = names;
  }

  /** The values to add to the record of each item. Keys and taxonomies of which a record has a value stay as they are. */
  async find(
    draft: Draft,
    items: readonly Item[],
  ): Promise<readonly { readonly item: Item; readonly record: StoredRecord; readonly values: Fields }[]> {
    if (this.#names.size === 0) return [];
    for (const { collection, id, values } of items)
      if (collection === 'terms') this.#taxonomies.set(id, String(own(values, 'taxonomy')));
    const late = items.flatMap((item) => this.#toLate(draft, item));
    const found = await Promise.all(
      [...new Set(late.map(({ item }) => item.collection))].map(async (collection) => {
        const part = new Map(
          late.filter(({ item }) => item.collection === collection).map((each) => [each.stored, each]),
        );
        const { records } = await this.#store.find({ collection, where: oneOf('id', [...part.keys()]) });
        const taxonomies = await this.#readTaxonomies(records);
        return records.flatMap((record) => {
          const each = part.get(record.id);
          const values = each === undefined ? {} : toMissing(each, record, taxonomies);
          return each === undefined || Object.keys(values).length === 0
            ? []
            : [{ item: each.item, record, values }];
        });
      }),
    );
    return found.flat();
  }

  #toLate(draft: Draft, item: Item): readonly Late[] {
    const { collection, id, values } = item;
    const stored = this.#ledger.find(collection, id);
    if (stored === undefined) return [];
    const owner = ownerOf(item);
    const given = own(values, 'meta');
    const meta = Object.entries(isObject(given) ? given : {}).filter(([key]) =>
      this.#names.has(`${owner} meta ${key}`),
    ) as Late['meta'];
    const terms = TERM_FIELDS.flatMap((field) =>
      idsIn(values, field).flatMap((ref) => {
        const taxonomy = this.#taxonomies.get(ref) ?? '';
        const term = draft.find('terms', ref);
        return term !== undefined && this.#names.has(`${owner} terms ${taxonomy}`)
          ? [{ field, taxonomy, id: term }]
          : [];
      }),
    );
    return meta.length + terms.length === 0 ? [] : [{ item, stored, meta, terms }];
  }

  async #readTaxonomies(records: readonly StoredRecord[]): Promise<ReadonlyMap<number, unknown>> {
    const ids = records.flatMap((record) => TERM_FIELDS.flatMap((field) => idsIn(record, field)));
    if (ids.length === 0) return new Map();
    const { records: terms } = await this.#store.find({
      collection: 'terms',
      where: oneOf('id', [...new Set(ids)]),
      fields: ['taxonomy'],
    });
    return new Map(terms.map(({ id, taxonomy }) => [id, taxonomy]));
  }
}

function toMissing(
  { meta, terms }: Late,
  record: StoredRecord,
  taxonomies: ReadonlyMap<number, unknown>,
): Fields {
  const has = (own(record, 'meta') ?? {}) as Fields;
  const absent = meta.filter(([key]) => !Object.hasOwn(has, key));
  const values: Record<string, Json> =
    absent.length === 0 ? {} : { meta: { ...has, ...Object.fromEntries(absent) } };
  for (const field of TERM_FIELDS) {
    const ids = idsIn(record, field);
    const added = terms.filter(
      (term) => term.field === field && !ids.some((id) => taxonomies.get(id) === term.taxonomy),
    );
    if (added.length > 0) values[field] = [...ids, ...added.map(({ id }) => id)];
  }
  return values;
}
