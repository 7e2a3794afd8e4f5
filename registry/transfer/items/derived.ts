import { own } from '../../../lib/core/objects.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
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

/** Drops what the store of an import computes itself, and reports what belongs to the store of the source. Older exports contain both. */
export async function* dropDerived(
  found: AsyncIterable<ReadResult>,
  collections: readonly CollectionDescriptor[],
): AsyncGenerator<ReadResult> {
  const transient = new Set(collections.filter((each) => each.transient).map(({ name }) => name));
  for await (const each of found) {
    if (!('item' in each)) {
      yield each;
      continue;
    }
    const { collection, place, values } = each.item;
    if (transient.has(collection))
      yield { leftOut: { place, what: collection, reason: 'each site has its own' } };
    else if (!isDerived(collection, values))
      yield { item: { ...each.item, values: withoutDerived(collection, values) } };
  }
}
