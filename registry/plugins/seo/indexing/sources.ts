import {
  findFirst,
  and,
  gt,
  not,
  oneOf,
  type Predicate,
  type Store,
  type StoredRecord,
} from '../../../../lib/index.ts';
import {
  ADDRESSED,
  type Homes,
  loadAddresses,
  loadTermAddresses,
  orderLanguages,
  own,
  pause,
  type PostRecord,
  type PostSources,
  servicesOf,
  type Taxonomy,
  toAddressed,
  toPost,
  toTerm,
} from '../../../plugin.ts';
import { fillMeta } from '../pages/filled-meta.ts';
import type { SeoDeps } from '../routes/routes.ts';
import type { SeoConfig } from '../values/config.ts';
import { readContent, toPlainText } from '../values/content-facts.ts';
import { findMeta, type ObjectType, withOwnMeta } from '../values/head-facts.ts';
import { toGmt, toMembers, toNumber, toText } from '../values/scalars.ts';
import {
  buildArchives,
  buildGeneral,
  buildPost,
  buildTerm,
  type SiteName,
  type TermPlace,
} from './build-indexables.ts';
import { BUILDER_VERSION, type Indexable, type IndexableValues, toFoundLinks } from './indexable.ts';
import { findIndexable, type LinkSources, saveIndexable, writeLinks } from './save.ts';
import type { Phase, WalkedRecord } from './state.ts';

/** Number of objects checked at once in the search for stale ones. */
const PAGE = 200;
/** Posts with these statuses are never pages. */
const EXCLUDED = ['auto-draft', 'inherit', 'trash'];

/** A kind of object that the index covers. */
interface Kind {
  readonly type: ObjectType;
  readonly collection: 'posts' | 'terms';
  readonly where: Predicate;
  /** The fields that addresses of these objects need. */
  readonly fields: readonly string[];
}

/** Posts and terms that the index covers. */
export function kindsOf({ postTypes, taxonomies }: SeoConfig): {
  readonly posts: Kind;
  readonly terms: Kind;
} {
  return {
    posts: {
      type: 'post',
      collection: 'posts',
      where: and(oneOf('type', postTypes), not(oneOf('status', EXCLUDED))),
      fields: ADDRESSED,
    },
    terms: {
      type: 'term',
      collection: 'terms',
      where: oneOf('taxonomy', taxonomies),
      fields: ['taxonomy', 'slug', 'parent', 'language'],
    },
  };
}

/** An object and its state in the index. */
interface IndexedRecord {
  readonly record: StoredRecord;
  readonly indexable: StoredRecord | undefined;
  readonly metaVersion: number;
}

const KNOWN_FIELDS = ['key', 'path', 'object_version', 'meta_version', 'builder_version', 'links_version'];

/** The next objects after an id, each with its state in the index. */
async function listKnown(
  store: Store,
  { type, collection, where, fields }: Kind,
  behind: number,
): Promise<readonly IndexedRecord[]> {
  const { records } = await store.find({
    collection,
    where: and(where, gt('id', behind)),
    fields,
    limit: PAGE,
  });
  if (records.length === 0) return [];
  const [{ records: indexables }, metaOf] = await Promise.all([
    store.find({
      collection: 'seo_indexables',
      where: oneOf(
        'key',
        records.map(({ id }) => `${type}:${id}`),
      ),
      fields: KNOWN_FIELDS,
    }),
    findMeta(
      store,
      type,
      records.map(({ id }) => id),
    ),
  ]);
  const byKey = new Map(indexables.map((indexable) => [indexable['key'], indexable]));
  return records.map((record) => ({
    record,
    indexable: byKey.get(`${type}:${record.id}`),
    metaVersion: metaOf(record.id).version,
  }));
}

/** Whether the object, its path, its editor's fields or the builder has changed since it was indexed. A path also changes with the objects above and with settings. */
function isStale({ record, indexable, metaVersion }: IndexedRecord, path: string): boolean {
  return (
    indexable?.['object_version'] !== record.version ||
    indexable['path'] !== path ||
    indexable['meta_version'] !== metaVersion ||
    indexable['builder_version'] !== BUILDER_VERSION
  );
}

/** Whether the text has changed since its links were read. */
const areLinksStale = ({ record, indexable }: IndexedRecord): boolean =>
  indexable?.['links_version'] !== record.version;

/** Number of objects of a kind. */
export async function countObjects(store: Store, { collection, where }: Kind): Promise<number> {
  return (await store.find({ collection, where, fields: [], limit: 1, total: true })).total;
}

/** The objects of a phase. */
export interface IndexSource {
  /** Maximum number of stale objects in one batch. */
  readonly limit: number;
  readonly total: () => Promise<number>;
  readonly list: (behind: number) => Promise<readonly SourceCandidate[]>;
  /** Writes the object into the index; null when it has been removed. */
  readonly index: (candidate: SourceCandidate) => Promise<Indexable | null>;
}

export interface SourceCandidate extends WalkedRecord {
  readonly object_type: string;
  readonly object_id: number;
}

/** Dependencies of sources. `gmt`: the time to store. */
interface SourceParts extends LinkSources {
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  readonly config: SeoConfig;
  readonly gmt: string;
}

/** Addresses below the site. */
const BELOW_SITE: Homes = { home: (language) => `/${language}` };

const OBJECTS_AT_ONCE = 25;
/** Reading links takes longer than reading facts. */
const LINKED_AT_ONCE = 5;

/** One post or term; null when it was removed or is no longer covered. */
async function readObject(
  { store }: SourceParts,
  { collection, where }: Kind,
  id: number,
): Promise<StoredRecord | null> {
  const record = await findFirst(store, { collection, where: and(where, oneOf('id', [id])) });
  return record ?? null;
}

/** The path of a post below the site. */
export async function readIndexedPath(sources: PostSources, post: PostRecord): Promise<string> {
  return (await loadAddresses(sources, [post]))(post, BELOW_SITE);
}

/** Where terms are found. A term without a language is found in the site's first one. */
async function loadTermPlaces(
  parts: SourceParts,
  records: readonly StoredRecord[],
): Promise<(record: StoredRecord) => TermPlace> {
  const addressOf = await loadTermAddresses(parts, records.map(toTerm));
  return (record) => {
    const term = toTerm(record);
    const language = term.language || (parts.languages[0] ?? '');
    return { language, path: addressOf({ ...term, language }, BELOW_SITE) };
  };
}

/** The paths of objects of a kind below the site. */
async function loadPaths(
  parts: SourceParts,
  { type }: Kind,
  records: readonly StoredRecord[],
): Promise<(record: StoredRecord) => string> {
  if (type === 'term') {
    const placeOf = await loadTermPlaces(parts, records);
    return (record) => placeOf(record).path;
  }
  const addressOf = await loadAddresses(parts, records.map(toAddressed));
  return (record) => addressOf(toAddressed(record), BELOW_SITE);
}

async function saveObject(parts: SourceParts, { type }: Kind, record: StoredRecord): Promise<Indexable> {
  const { store } = parts;
  const kept = (await findMeta(store, type, [record.id]))(record.id);
  const meta = {
    ...kept,
    meta: await fillMeta(parts, type, { record, meta: withOwnMeta(kept.meta, record['meta']) }),
  };
  if (type === 'term')
    return saveIndexable(
      store,
      buildTerm(record, meta, (await loadTermPlaces(parts, [record]))(record)),
      parts,
    );
  const post = toPost(record);
  return saveIndexable(
    store,
    buildPost(post, meta, { ...parts, path: await readIndexedPath(parts, post) }),
    parts,
  );
}

const toCandidate = ({ type }: Kind, { record: { id } }: IndexedRecord, stale: boolean): SourceCandidate => ({
  at: id,
  stale,
  object_type: type,
  object_id: id,
});

function createObjectSource(parts: SourceParts, kind: Kind): IndexSource {
  const { store } = parts;
  return {
    limit: OBJECTS_AT_ONCE,
    total: () => countObjects(store, kind),
    list: async (behind) => {
      const known = await listKnown(store, kind, behind);
      const pathOf = await loadPaths(
        parts,
        kind,
        known.map(({ record }) => record),
      );
      return known.map((each) => toCandidate(kind, each, isStale(each, pathOf(each.record))));
    },
    index: async ({ object_id }) => {
      const record = await readObject(parts, kind, object_id);
      return record === null ? null : saveObject(parts, kind, record);
    },
  };
}

function createLinkSource(parts: SourceParts, kind: Kind): IndexSource {
  const { store } = parts;
  const field = kind.type === 'post' ? 'content' : 'description';
  return {
    limit: LINKED_AT_ONCE,
    total: () => countObjects(store, kind),
    list: async (behind) =>
      (await listKnown(store, { ...kind, fields: [] }, behind)).map((each) =>
        toCandidate(kind, each, areLinksStale(each)),
      ),
    index: async ({ object_id }) => {
      const record = await readObject(parts, kind, object_id);
      if (record === null) return null;
      const owner =
        (await findIndexable(store, `${kind.type}:${record.id}`)) ?? (await saveObject(parts, kind, record));
      // Building the indexable may already have read the text.
      await pause();
      const found = toFoundLinks(readContent(toText(record[field])).links, { ...parts, path: owner.path });
      return writeLinks(parts, owner, { found, version: record.version });
    },
  };
}

function createPageSource(
  parts: SourceParts,
  build: (siteName: SiteName) => readonly IndexableValues[],
): IndexSource {
  const { store, settings } = parts;
  const rows = async (): Promise<readonly IndexableValues[]> => {
    const { name } = await settings();
    return build((language) => toPlainText(own(name, language) ?? ''));
  };
  return {
    limit: OBJECTS_AT_ONCE,
    total: async () => (await rows()).length,
    list: async (behind) => {
      const all = await rows();
      const { records } = await store.find({
        collection: 'seo_indexables',
        where: oneOf(
          'key',
          all.map(({ key }) => key),
        ),
        fields: ['key', 'builder_version', 'facts'],
      });
      const known = new Map(
        records
          .filter((record) => toNumber(record['builder_version']) === BUILDER_VERSION)
          .map((record) => [record['key'], toMembers(record['facts'])['title']]),
      );
      // Titles contain the name of the site.
      return all
        .map(({ key, object_type, facts }, index) => ({
          at: index + 1,
          stale: known.get(key) !== facts['title'],
          object_type,
          object_id: 0,
        }))
        .slice(behind);
    },
    index: async ({ at }) => {
      const values = (await rows())[at - 1];
      return values === undefined ? null : saveIndexable(store, values, parts);
    },
  };
}

/** The source of each phase. */
export function createSources(
  { ports, config }: SeoDeps,
  siteUrl: string,
): Readonly<Record<Phase, IndexSource>> {
  const { types, taxonomies } = ports.content;
  const languages = orderLanguages(ports.config);
  const parts: SourceParts = {
    store: ports.store,
    types,
    taxonomies,
    settings: servicesOf(ports).settings,
    config,
    languages,
    siteUrl,
    gmt: toGmt(ports.now()),
  };
  const { posts, terms } = kindsOf(config);
  return {
    terms: createObjectSource(parts, terms),
    posts: createObjectSource(parts, posts),
    archives: createPageSource(parts, (siteName) => buildArchives(languages, config.postTypes, siteName)),
    general: createPageSource(parts, (siteName) => buildGeneral(languages, siteName)),
    'post-links': createLinkSource(parts, posts),
    'term-links': createLinkSource(parts, terms),
  };
}
