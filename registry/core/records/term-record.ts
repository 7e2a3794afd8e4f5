import { oneOf } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import type { MetaOfRecord, RecordIn } from './collections.ts';

/** A term as it is stored. `taxonomy`, `name`, `slug`, `parent` and `description` are those of its routes. `group`, `siblings`: as of a post. `language`: '' for a term that all languages share. `meta`: values of its declared keys. */
export interface TermRecord extends RecordIn<'terms', { readonly meta: MetaOfRecord | null }> {}

/** A record of the collection `terms` with its type. */
export const toTerm = (record: StoredRecord): TermRecord => record as TermRecord;

/** Ids of these terms and of all their descendants. A term may be below another one of them. */
export async function loadDescendants(
  { store }: { readonly store: Store },
  roots: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const children = new Map<number, number[]>();
  const asked = new Set(roots);
  for (let level: readonly number[] = [...asked]; level.length > 0;) {
    const { records } = await store.find({
      collection: 'terms',
      where: oneOf('parent', level),
      fields: ['parent'],
    });
    for (const { id, parent } of records)
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), id]);
    level = records.map(({ id }) => id).filter((id) => !asked.has(id));
    for (const id of level) asked.add(id);
  }
  return new Map(
    roots.map((root) => {
      // A set that grows while it is read: a term that is in it already is not walked again.
      const below = new Set([root]);
      for (const id of below) for (const child of children.get(id) ?? []) below.add(child);
      return [root, [...below]];
    }),
  );
}
