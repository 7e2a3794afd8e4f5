import { and, eq, not } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import type { SiteSettings } from '../settings/site-settings.ts';

/** What the translations of a record show, in the order of the site's languages. */
export function listByLanguage<T extends { readonly id: number; readonly language: string }>(
  records: readonly T[],
  { name }: SiteSettings,
  show: (record: T) => object,
): readonly object[] {
  const order = Object.keys(name);
  return records
    .toSorted((a, b) => order.indexOf(a.language) - order.indexOf(b.language))
    .map((each) => Object.assign({ language: each.language, id: each.id }, show(each)));
}

/** Larger than any group number that a site assigns by hand. */
const OWN_NUMBERS = 1_000_000_000;

/** The translation group of a record; 0: it has none, or there is no record. */
export const groupOf = (record: StoredRecord | null): number => Number(record?.['group'] ?? 0);

/**
 * The translation group number of a record that gets its first translation: its own id or, when that number is
 * taken, a number reserved for this id.
 */
export async function toGroup(
  store: Store,
  collection: 'posts' | 'terms' | 'media',
  record: StoredRecord,
): Promise<number> {
  const group = groupOf(record);
  if (group !== 0) return group;
  const { records } = await store.find({
    collection,
    where: and(eq('group', record.id), not(eq('id', record.id))),
    limit: 1,
    fields: [],
  });
  return records.length === 0 ? record.id : OWN_NUMBERS + record.id;
}
