import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import type { Item } from '../items/item.ts';
import { changed, type Rule } from '../items/rule.ts';
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

/** Removes parents that put a record below itself. */
export function cutCircles(): Rule {
  const parents = new Parents();
  return (item, report) => {
    if (parents.add(item)) return item;
    report(`parent of ${toName(item)}`, 'is below itself');
    return changed(item, { [PARENT]: 0 });
  };
}

/** Fields by which a record of the source is recognised in a store that did not import it. Without an entry: by its unique keys alone. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  users: ['login'],
  terms: ['taxonomy', 'language', 'slug'],
  media: ['file', 'date_gmt'],
  posts: ['type', 'language', 'date', 'title'],
  comments: ['date_gmt', 'author_name', 'content'],
  revisions: ['date_gmt', 'title', 'author'],
};

/** The fields that tell whether a record is the same one. */
export function identityOf(collection: string): readonly string[] {
  return own(IDENTITY, collection) ?? [];
}

/** Whether a stored record is the one with these values, and not another that has its id or one of its keys. */
export function isSameRecord(
  collection: string,
  record: StoredRecord,
  values: Readonly<Record<string, Json>>,
): boolean {
  const fields = identityOf(collection);
  return (
    fields.length > 0 && fields.every((field) => (own(values, field) ?? '') === own<Json>(record, field))
  );
}

/** What happens if another record has a unique key: the record is the same one, or its field gets another value. */
type KeyConflict = 'same' | 'suffix' | 'empty';

/** By the last field of the key. Other keys identify records: a record with the same key is the same record. */
const CONFLICTS: Readonly<Record<string, KeyConflict>> = {
  'posts slug': 'suffix',
  'users slug': 'suffix',
  'users email_key': 'empty',
  'comments sameness': 'empty',
  'comments pace': 'empty',
  'media chosen_slug': 'empty',
};

export function toConflict(collection: string, field: string): KeyConflict {
  return own(CONFLICTS, `${collection} ${field}`) ?? 'same';
}
