import { own } from '../../../lib/core/objects.ts';
import { isIndexField } from '../../core/records/meta-index.ts';
import { INDEXED } from '../../core/records/sync-meta-index.ts';
import type { ReadResult, Item } from './item.ts';

/** Whether a record says what a site has computed of its other records. Each site computes that itself. */
export function isDerived(collection: string, values: Item['values']): boolean {
  return collection === 'options' && own(values, 'group') === INDEXED[0];
}

const COMPUTED: Readonly<Record<string, (field: string) => boolean>> = {
  posts: (field) => field === 'siblings' || isIndexField(field),
  terms: (field) => field === 'siblings',
};

/** The values without those that a site computes of the others, whose fields depend on its configuration. */
export function withoutDerived(collection: string, values: Item['values']): Item['values'] {
  const isComputed = own(COMPUTED, collection);
  if (isComputed === undefined || !Object.keys(values).some(isComputed)) return values;
  return Object.fromEntries(Object.entries(values).filter(([field]) => !isComputed(field)));
}

/** Drops what the store of an import computes itself. Older exports contain it. */
export async function* dropDerived(found: AsyncIterable<ReadResult>): AsyncGenerator<ReadResult> {
  for await (const each of found) {
    if (!('item' in each)) yield each;
    else if (!isDerived(each.item.collection, each.item.values))
      yield { item: { ...each.item, values: withoutDerived(each.item.collection, each.item.values) } };
  }
}
