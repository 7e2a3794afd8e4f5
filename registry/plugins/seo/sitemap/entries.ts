import { and, eq, not, oneOf, type Predicate, type Store, type StoredRecord } from '../../../../lib/index.ts';
import {
  ADDRESSED,
  type ContentType,
  createFindFilled,
  groupBy,
  type Homes,
  loadAddresses,
  loadTermAddresses,
  type Ports,
  type Taxonomy,
  toAddressSources,
  toPost,
  toTerm,
} from '../../../plugin.ts';
import { type Alternate, findListed, linkVersions } from '../head/canonical.ts';
import type { ObjectType } from '../values/head-facts.ts';
import { toDefault } from '../values/page-context.ts';
import { toNumber, toText, withOffset } from '../values/scalars.ts';

/** Address of a record's page; '' for a record that has none. */
type UrlOf = (record: StoredRecord) => string;

/** The public records of one type or taxonomy, in the languages that the site serves. */
export interface ListedRecords {
  readonly type: ObjectType;
  readonly collection: 'posts' | 'terms';
  readonly where: Predicate;
  readonly fields: readonly string[];
  /** Loads what the addresses of these records depend on. */
  loadUrls(records: readonly StoredRecord[], site: Homes): Promise<UrlOf>;
}

/** The posts of a type without a password. */
export function toListedPosts(ports: Ports, type: ContentType): ListedRecords {
  const { prefixes } = ports.config;
  return {
    type: 'post',
    collection: 'posts',
    fields: [...ADDRESSED, 'group', 'meta', 'modified_gmt'],
    where: and(
      eq('type', type.name),
      eq('status', 'publish'),
      eq('password', ''),
      oneOf('language', prefixes),
    ),
    async loadUrls(records, site) {
      const addressOf = await loadAddresses(toAddressSources(ports), records.map(toPost));
      return (record) => addressOf(toPost(record), site);
    },
  };
}

/** The terms of a taxonomy whose archives have published posts. A term without a language is listed in the first one. */
export function toListedTerms(
  { store, config: { prefixes }, content: { taxonomies } }: Ports,
  taxonomy: Taxonomy,
): ListedRecords {
  const findFilled = createFindFilled(store, prefixes);
  return {
    type: 'term',
    collection: 'terms',
    fields: ['taxonomy', 'slug', 'parent', 'language', 'group', 'meta'],
    where: and(eq('taxonomy', taxonomy.name), oneOf('language', [...prefixes, ''])),
    async loadUrls(records, site) {
      const terms = records.map(toTerm);
      const filled = await findFilled(
        taxonomy,
        terms.map(({ id }) => id),
      );
      const addressOf = await loadTermAddresses({ store, taxonomies }, terms);
      return (record) => (filled.has(record.id) ? addressOf(toTerm(record), site) : '');
    },
  };
}

/** One page in a sitemap. `modified`: a time with offset; '' if it is not known. */
export interface Entry {
  readonly url: string;
  readonly modified: string;
  readonly alternates: readonly Alternate[];
}

/** What entries are made from besides their records. `languages`: those with addresses of their own, the default one first. */
export interface EntryPlace {
  readonly store: Store;
  readonly languages: readonly string[];
  readonly site: Homes;
}

const GMT = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

const toModified = (gmt: string): string => (GMT.test(gmt) ? withOffset(gmt) : '');

/** The records of these translation groups that are listed with the others. */
async function findSiblings(
  { store }: EntryPlace,
  { collection, where, fields }: ListedRecords,
  groups: readonly number[],
): Promise<readonly StoredRecord[]> {
  if (groups.length === 0) return [];
  return (
    await store.find({
      collection,
      where: and(where, not(eq('language', '')), oneOf('group', groups)),
      fields,
    })
  ).records;
}

/** The pages of these records that search engines may list, in the order of the records. Versions in other languages are read with one query. */
export async function toEntries(
  place: EntryPlace,
  listed: ListedRecords,
  records: readonly StoredRecord[],
): Promise<readonly (Entry & { readonly record: StoredRecord })[]> {
  const groups = [...new Set(records.map((record) => toNumber(record['group'])))].filter(
    (group) => group !== 0,
  );
  const siblings = await findSiblings(place, listed, groups);
  const all = [...new Map([...records, ...siblings].map((record) => [record.id, record])).values()];
  const urlOf = await listed.loadUrls(all, place.site);
  const versions = all
    .map((record) => ({
      id: record.id,
      language: toText(record['language']),
      url: urlOf(record),
      stored: record['meta'],
      group: toNumber(record['group']),
    }))
    .filter(({ url }) => url !== '');
  const found = new Set(await findListed(place.store, listed.type, versions));
  const shown = versions.filter((version) => found.has(version));
  const byGroup = groupBy(
    shown.filter(({ group, language }) => group !== 0 && language !== ''),
    ({ group }) => group,
  );
  const byId = new Map(shown.map((version) => [version.id, version]));
  return records.flatMap((record) => {
    const version = byId.get(record.id);
    if (version === undefined) return [];
    const group = version.language === '' ? [] : (byGroup.get(version.group) ?? []);
    const others = Object.fromEntries(group.map(({ language, url }) => [language, url]));
    return [
      {
        record,
        url: version.url,
        modified: toModified(toText(record['modified_gmt'])),
        alternates: linkVersions(others, toDefault(place, others)),
      },
    ];
  });
}
