import { sha256 } from '../../../lib/core/digest.ts';
import { isListIndex, type CollectionDescriptor } from '../../../lib/store/collection.ts';

/** The column with the folded text of a field. Field names cannot contain a colon. */
export function foldedName(field: string): string {
  return `${field}:folded`;
}

/** The columns that a field is sorted by. A folded field is sorted by its folded text, then by the text. */
export function toSortColumns({ fields }: CollectionDescriptor, field: string): readonly string[] {
  return fields[field]?.folded ? [foldedName(field), field] : [field];
}

/** The name of the table of a collection's texts. Names of collections and fields cannot contain a hyphen. */
export function textTableName(collection: string): string {
  return `search-texts:${collection}`;
}

/** Whether the folded text of a field is only in the table of texts. A text that is indexed is in both. */
export function isMoved(collection: CollectionDescriptor, field: string): boolean {
  return (
    collection.search?.includes(field) === true &&
    !(collection.indexes ?? []).some((index) => !isListIndex(collection, index) && index.includes(field))
  );
}

/** The column with the folded text of a field in the table of texts. Queries use the columns of both tables together, so they have different names. */
export function searchedName(collection: CollectionDescriptor, field: string): string {
  return isMoved(collection, field) ? foldedName(field) : `${field}:search`;
}

/** The key of a table of texts: the id of the record. */
export const RECORD_ID = 'record:id';

/** PostgreSQL silently cuts names at 63 bytes, and the names of indexes are longer than those of their table. */
const LONGEST_NAME = 56;

/** Twelve hexadecimal digits that identify a definition, for use in a name. */
export function toDigest(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 12);
}

/** The name of a list field's table. */
export function listName(collection: string, field: string): string {
  const name = `${collection}:${field}`;
  return name.length <= LONGEST_NAME ? name : `${collection}:${toDigest(field)}`;
}
