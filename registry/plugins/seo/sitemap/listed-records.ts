import { type Predicate, type StoredRecord, and, eq, oneOf } from '../../../../lib/index.ts';
import {
  ADDRESSED,
  type ContentType,
  type Homes,
  type Ports,
  type Taxonomy,
  createFindFilled,
  loadAddresses,
  loadTermAddresses,
  servicesOf,
  toPost,
  toTerm,
} from '../../../plugin.ts';
import type { ObjectType } from '../values/meta.ts';

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

/** Posts without a password. */
export function createListedPosts(ports: Ports): (type: ContentType) => ListedRecords {
  const {
    store,
    config,
    content: { types },
  } = ports;
  const { settings } = servicesOf(ports);
  return ({ name }) => ({
    type: 'post',
    collection: 'posts',
    fields: [...ADDRESSED, 'group', 'meta', 'modified_gmt'],
    where: and(
      eq('type', name),
      eq('status', 'publish'),
      eq('password', ''),
      oneOf('language', config.prefixes),
    ),
    async loadUrls(records, site) {
      const addressOf = await loadAddresses({ store, settings, types }, records.map(toPost));
      return (record) => addressOf(toPost(record), site);
    },
  });
}

/** Terms whose archives have published posts. A term without a language is listed in the first one. */
export function createListedTerms({
  store,
  config,
  content: { taxonomies },
}: Ports): (taxonomy: Taxonomy) => ListedRecords {
  const findFilled = createFindFilled(store, config.prefixes);
  return (taxonomy) => ({
    type: 'term',
    collection: 'terms',
    fields: ['taxonomy', 'slug', 'parent', 'language', 'group', 'meta'],
    where: and(eq('taxonomy', taxonomy.name), oneOf('language', [...config.prefixes, ''])),
    async loadUrls(records, site) {
      const terms = records.map(toTerm);
      const filled = await findFilled(
        taxonomy,
        terms.map(({ id }) => id),
      );
      const addressOf = await loadTermAddresses({ store, taxonomies }, terms);
      return (record) => (filled.has(record.id) ? addressOf(toTerm(record), site) : '');
    },
  });
}
