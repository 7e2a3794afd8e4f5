import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';

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
