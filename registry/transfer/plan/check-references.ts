import { own } from '../../../lib/core/objects.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Item } from '../items/item.ts';
import { listIds } from './reference-kinds.ts';
import { rulesOf } from './references.ts';

/** A reference to a record that does not exist. */
export interface Dangling {
  /** Collection of the record that refers. */
  readonly collection: string;
  /** Its id. */
  readonly id: number;
  /** Its field. */
  readonly field: string;
  /** Collection in which it is missing. */
  readonly to: string;
  /** The id that does not exist. */
  readonly ref: number;
}

function* listReferences(
  { collection, id, values }: Item,
  fields: CollectionDescriptor['fields'] | undefined,
): Generator<Dangling> {
  for (const { field, to, kind = 'id', loose = false } of rulesOf(collection, values, fields)) {
    if (!loose)
      for (const ref of listIds(kind, own(values, field) ?? 0))
        if (ref > 0) yield { collection, id, field, to, ref };
  }
}

/** Reads all items of a site, and returns the references to records that do not exist. Records may come in any order. `collections`: those of the site. `onItem`: called for each item. */
export async function findDangling(
  items: AsyncIterable<Item>,
  collections: readonly CollectionDescriptor[],
  onItem: (item: Item) => void = () => undefined,
): Promise<readonly Dangling[]> {
  const fieldsOf = new Map(collections.map(({ name, fields }) => [name, fields]));
  const known = new Set<string>();
  const open: Dangling[] = [];
  const isKnown = ({ to, ref }: Dangling): boolean => known.has(`${to} ${ref}`);
  for await (const item of items) {
    known.add(`${item.collection} ${item.id}`);
    onItem(item);
    for (const reference of listReferences(item, fieldsOf.get(item.collection)))
      if (!isKnown(reference)) open.push(reference);
  }
  return open.filter((reference) => !isKnown(reference));
}
