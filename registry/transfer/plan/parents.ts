import { own } from '../../../lib/core/objects.ts';
import type { ReadResult, Item } from '../items/item.ts';
import { rulesOf } from './references.ts';

/** Field of records that are below others of their collection. */
const PARENT = 'parent';

/** The record that this one is below; 0 for none. */
function parentOf({ collection, values }: Item): number {
  const isBelow = rulesOf(collection, values).some(({ field, to }) => field === PARENT && to === collection);
  return isBelow ? Number(own(values, PARENT) ?? 0) : 0;
}

/** The parents of the records that were seen so far, none of them below itself. */
export class Parents {
  readonly #parents = new Map<string, Map<number, number>>();
  readonly #withChildren = new Map<string, Set<number>>();

  /** Remembers the parent of a record. False if it would put the record below itself: the parent is then not remembered. */
  add(item: Item): boolean {
    const parent = parentOf(item);
    if (parent === 0) return true;
    const { collection, id } = item;
    const parents = this.#parents.get(collection) ?? new Map<number, number>();
    const withChildren = this.#withChildren.get(collection) ?? new Set<number>();
    // Only a record that others are below already can close a circle.
    if (parent === id) return false;
    if (withChildren.has(id))
      for (let above: number | undefined = parent; above !== undefined; above = parents.get(above))
        if (above === id) return false;
    this.#parents.set(collection, parents.set(id, parent));
    this.#withChildren.set(collection, withChildren.add(parent));
    return true;
  }
}

/** `page 10`, as reports name a record. */
function toName({ collection, id, values }: Item): string {
  return `${String(own(values, collection === 'terms' ? 'taxonomy' : 'type') ?? collection)} ${id}`;
}

/** The same items, without parents that put a record below itself. */
export async function* cutCircles(found: AsyncIterable<ReadResult>): AsyncGenerator<ReadResult> {
  const parents = new Parents();
  for await (const each of found) {
    if ('leftOut' in each || parents.add(each.item)) {
      yield each;
      continue;
    }
    const { item } = each;
    yield { leftOut: { place: item.place, what: `parent of ${toName(item)}`, reason: 'is below itself' } };
    yield { item: { ...item, values: { ...item.values, [PARENT]: 0 } } };
  }
}
