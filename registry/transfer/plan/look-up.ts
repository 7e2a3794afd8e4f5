import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor, UniqueKey } from '../../../lib/store/collection.ts';
import { oneOf, type Scalar } from '../../../lib/store/query.ts';
import type { Store, StoredRecord, Values } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toSuffixed } from '../../core/content/slug.ts';
import type { Item } from '../items/item.ts';
import { valuesOfKey } from '../items/unique-key.ts';
import type { Draft } from './draft.ts';
import { GROUPED } from './references.ts';
import { identityOf, isSameRecord, toConflict } from './same-record.ts';

/** A user of whom only the address is known has it as login, so that another one with the address is the same person. */
const isNamedByAddress = (login: unknown, key: unknown): boolean =>
  typeof login === 'string' && fold(login) === key;

/** Two people with one address: the second one loses it, which the report says. */
function dropAddress(draft: Draft, place: string, values: Record<string, Json>): void {
  draft.leftOut.push({
    place,
    what: `address of ${String(values['login'])}`,
    reason: 'another user has it; each address belongs to one user',
  });
  values['email'] = '';
}

interface Keyed {
  readonly collection: CollectionDescriptor;
  readonly existing: Existing;
  /** The first number that is tried as the ending of a slug that is taken. */
  readonly firstSuffix: number;
  /** Where the record stands in the source. */
  readonly place: string;
}

/** Changes values whose unique key is taken. Returns the id of a record that is the same one; null if there is none. */
export function settleKeys(
  draft: Draft,
  values: Record<string, Json>,
  { collection, existing, firstSuffix, place }: Keyed,
): number | null {
  const findOwner = (text: string | null): StoredRecord | number | undefined =>
    text === null ? undefined : (existing.byKey.get(text) ?? draft.keys.get(text));
  for (const key of listKeys(collection)) {
    const owner = findOwner(toKeyText(collection, key, values));
    if (owner === undefined) continue;
    const field = key.fields.at(-1) ?? '';
    const conflict = toConflict(collection.name, field);
    const isStored = typeof owner !== 'number';
    if (conflict === 'same') return isStored ? owner.id : owner;
    if (isStored && isSameRecord(collection.name, owner, values)) return owner.id;
    if (conflict === 'empty') {
      if (collection.name === 'users') {
        const logins = [values['login'], isStored ? owner['login'] : undefined];
        if (logins.some((login) => isNamedByAddress(login, own(values, field))))
          return isStored ? owner.id : owner;
        dropAddress(draft, place, values);
      }
      values[field] = '';
      continue;
    }
    const slug = String(own(values, field));
    for (let n = firstSuffix; findOwner(toKeyText(collection, key, values)) !== undefined; n += 1)
      values[field] = toSuffixed(slug, n);
  }
  return null;
}

/** What the store has that the items of a batch may collide with. */
export interface Existing {
  /** Records at the ids that the items want, by collection and id. */
  readonly byId: ReadonlyMap<string, StoredRecord>;
  /** Records by unique key. */
  readonly byKey: ReadonlyMap<string, StoredRecord>;
  /** Group numbers in use: `posts 12`. */
  readonly groups: ReadonlySet<string>;
}

/** The key of a translation group is unique, too, but groups are renumbered as a whole. */
export function listKeys({ unique = [] }: CollectionDescriptor): readonly UniqueKey[] {
  return unique.filter(({ fields }) => !fields.includes('group') || fields.includes('key'));
}

/** A unique key of these values as text; null if the key does not apply to them. */
export function toKeyText(collection: CollectionDescriptor, key: UniqueKey, values: Values): string | null {
  const found = valuesOfKey(collection, key, values);
  return found === null ? null : JSON.stringify([collection.name, key.fields, found]);
}

/** Fields that are compared. Texts of posts are not read. */
function toFields(collection: CollectionDescriptor): readonly string[] {
  return [
    ...new Set([
      ...identityOf(collection.name),
      ...listKeys(collection).flatMap(({ fields }) => fields),
      ...listKeys(collection).flatMap(({ except = {} }) => Object.keys(except)),
    ]),
  ];
}

/** The field of a key that tells the most records apart. */
const fieldOf = ({ fields }: UniqueKey): string => fields.at(-1) ?? 'id';

async function findKeyed(
  store: Store,
  collection: CollectionDescriptor,
  items: readonly Item[],
): Promise<readonly (readonly [string, StoredRecord])[]> {
  const found = await Promise.all(
    listKeys(collection).map(async (key) => {
      const field = fieldOf(key);
      const values = [
        ...new Set(
          items
            .map(({ values }) => own(values, field))
            .filter((value): value is Scalar => typeof value === 'string' || typeof value === 'number'),
        ),
      ];
      const applying = values.filter((value) => own(key.except ?? {}, field) !== value);
      if (applying.length === 0) return [];
      const { records } = await store.find({
        collection: collection.name,
        where: oneOf(field, applying),
        fields: toFields(collection),
      });
      return records.flatMap((record) => {
        const text = toKeyText(collection, key, record);
        return text === null ? [] : [[text, record] as const];
      });
    }),
  );
  return found.flat();
}

async function findGroups(
  store: Store,
  { name }: CollectionDescriptor,
  items: readonly Item[],
): Promise<readonly string[]> {
  const groups = [...new Set(items.map(({ values }) => Number(own(values, 'group') ?? 0)))].filter(
    (group) => group !== 0,
  );
  if (!GROUPED.has(name) || groups.length === 0) return [];
  const { records } = await store.find({
    collection: name,
    where: oneOf('group', groups),
    fields: ['group'],
  });
  return records.map((record) => `${name} ${String(record['group'])}`);
}

/** Reads everything that the items may collide with, with a few queries for each collection. */
export async function lookUp(
  store: Store,
  collections: ReadonlyMap<string, CollectionDescriptor>,
  items: readonly Item[],
): Promise<Existing> {
  const names = [...new Set(items.map(({ collection }) => collection))];
  const parts = await Promise.all(
    names.map(async (name) => {
      const own = items.filter(({ collection }) => collection === name);
      const collection = collections.get(name) as CollectionDescriptor;
      const ids = own.map(({ id }) => id).filter((id) => id > 0);
      const [{ records }, keyed, groups] = await Promise.all([
        ids.length === 0
          ? { records: [] }
          : store.find({ collection: name, where: oneOf('id', ids), fields: toFields(collection) }),
        findKeyed(store, collection, own),
        findGroups(store, collection, own),
      ]);
      return { byId: records.map((record) => [`${name} ${record.id}`, record] as const), keyed, groups };
    }),
  );
  return {
    byId: new Map(parts.flatMap(({ byId }) => byId)),
    byKey: new Map(parts.flatMap(({ keyed }) => keyed)),
    groups: new Set(parts.flatMap(({ groups }) => groups)),
  };
}
