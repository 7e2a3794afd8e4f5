import { own } from '../../lib/core/objects.ts';
import type { Item } from './item.ts';
import { REFERENCES } from './references.ts';

/** A reference to a record that does not exist. */
export interface Dangling {
  readonly collection: string;
  readonly id: number;
  readonly field: string;
  readonly to: string;
  readonly ref: number;
}

function* listReferences({ collection, id, values }: Item): Generator<Dangling> {
  for (const { field, to, list } of own(REFERENCES, collection) ?? []) {
    const value = own(values, field) ?? 0;
    for (const ref of list === true && Array.isArray(value) ? value : [value]) if (Number(ref) > 0) yield { collection, id, field, to, ref: Number(ref) };
  }
}

/** Reads all items of a site, and returns the references to records that do not exist. Records may come in any order. `onItem`: called for each item. */
export async function findDangling(items: AsyncIterable<Item>, onItem: (item: Item) => void = () => undefined): Promise<readonly Dangling[]> {
  const known = new Set<string>();
  const open: Dangling[] = [];
  const isKnown = ({ to, ref }: Dangling): boolean => known.has(`${to} ${ref}`);
  for await (const item of items) {
    known.add(`${item.collection} ${item.id}`);
    onItem(item);
    for (const reference of listReferences(item)) if (!isKnown(reference)) open.push(reference);
  }
  return open.filter((reference) => !isKnown(reference));
}
