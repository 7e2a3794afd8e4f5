import { own } from '../../../lib/core/objects.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import type { ExportedItems } from './export-items.ts';
import type { Item } from './item.ts';
import { UNTOLD } from './report.ts';

/** Records of an export that its format does not contain. */
export interface Omission {
  /** What they are: `credentials`, or `posts of the type book`. */
  readonly what: string;
  /** Whether the site has no such type. Otherwise the format has no place for them. */
  readonly isUnknown: boolean;
  /** Number of records. */
  readonly count: number;
}

/** Says whether a format leaves out a record. */
export type Omits = (item: Item, content: ContentModel) => Omit<Omission, 'count'> | null;

/** A format that has these collections alone. `needsTypes`: records of types that the site does not have are left out. */
export function toOmits(
  collections: readonly string[],
  { needsTypes }: { readonly needsTypes: boolean },
): Omits {
  const parts = new Set([...collections, UNTOLD]);
  return ({ collection, values }, content) => {
    if (!parts.has(collection)) return { what: collection, isUnknown: false };
    const [type, taxonomy] = [String(own(values, 'type')), String(own(values, 'taxonomy'))];
    if (needsTypes && collection === 'posts' && !content.types.has(type))
      return { what: `posts of the type ${type}`, isUnknown: true };
    if (needsTypes && collection === 'terms' && !content.taxonomies.has(taxonomy))
      return { what: `terms of the taxonomy ${taxonomy}`, isUnknown: true };
    return null;
  };
}

/** Reads an export again, and counts what a format leaves out of it. */
export async function countOmissions(
  items: ExportedItems,
  omits: Omits,
  content: ContentModel,
): Promise<readonly Omission[]> {
  const counts = new Map<string, Omission>();
  for await (const item of items) {
    const omission = omits(item, content);
    if (omission !== null)
      counts.set(omission.what, { ...omission, count: (counts.get(omission.what)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
