import {
  and,
  eq,
  findFirst,
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
  type MaybePromise,
  own,
  pause,
  type PostRecord,
  type PostSources,
  toAddressed,
  toAddressSources,
  toPost,
  toTerm,
  countRecords,
} from '../../../plugin.ts';
import { fillMeta } from '../pages/filled-meta.ts';
import type { SeoDeps } from '../routes/routes.ts';
import type { SeoConfig } from '../values/config.ts';
import { readContent, toPlainText } from '../values/content-facts.ts';
import { findMeta, type ObjectType, withOwnMeta } from '../values/head-facts.ts';
import { toGmt, toText } from '../values/scalars.ts';
import {
  buildPage,
  buildPost,
  buildTerm,
  GENERAL,
  type ObjectPlace,
  type PageRow,
  toArchives,
} from './build-indexables.ts';
import {
  BUILDER_VERSION,
  type Indexable,
  type IndexableValues,
  toFoundLinks,
  toIndexable,
} from './indexable.ts';
import { findIndexable, type LinkSources, saveIndexable, writeLinks } from './save.ts';
import type { Phase } from './state.ts';

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
  readonly indexable: Indexable | undefined;
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
  const [indexableOf, metaOf] = await Promise.all([
    findIndexables(
      store,
      records.map(({ id }) => `${type}:${id}`),
      KNOWN_FIELDS,
    ),
    findMeta(
      store,
      type,
      records.map(({ id }) => id),
    ),
  ]);
  return records.map((record) => ({
    record,
    indexable: indexableOf(`${type}:${record.id}`),
    metaVersion: metaOf(record.id).version,
  }));
}

/** The indexables with these keys. */
async function findIndexables(
  store: Store,
  keys: readonly string[],
  fields: readonly string[],
): Promise<(key: string) => Indexable | undefined> {
  const { records } = await store.find({ collection: 'seo_indexables', where: oneOf('key', keys), fields });
  const byKey = new Map(records.map(toIndexable).map((indexable) => [indexable.key, indexable]));
  return (key) => byKey.get(key);
}

/** Whether the object, its path, its editor's fields or the builder has changed since it was indexed. A path also changes with the objects above and with settings. */
function isStale({ record, indexable, metaVersion }: IndexedRecord, path: string): boolean {
  return (
    indexable?.object_version !== record.version ||
    indexable.path !== path ||
    indexable.meta_version !== metaVersion ||
    indexable.builder_version !== BUILDER_VERSION
  );
}

/** The objects of a phase. */
export interface IndexSource {
  /** Maximum number of stale objects in one batch. */
  readonly limit: number;
  readonly total: () => Promise<number>;
  /** The next objects after a position, in order; none at the end. */
  readonly list: (behind: number) => Promise<readonly SourceCandidate[]>;
  /** Writes the object into the index; null when it has been removed. */
  readonly index: (candidate: SourceCandidate) => Promise<Indexable | null>;
}

/** An object or a page. `at`: its ascending position in its source. */
export interface SourceCandidate {
  readonly at: number;
  readonly stale: boolean;
  readonly object_type: string;
  readonly object_id: number;
}

/**
 * Collects the next stale objects after the cursor. It reads one more than the batch holds, so `left` is exact.
 * The cursor only grows, so a client that follows it reaches the end even while objects change.
 * @returns `cursor`: where the next batch continues; 0 at the end. `passed`: number of objects that this batch went through, including fresh ones
 */
async function takeBatch({ list, limit }: IndexSource, cursor: number) {
  const stale: SourceCandidate[] = [];
  let passed = 0;
  for (let at = cursor; ; await pause()) {
    const page = await list(at);
    if (page.length === 0) return { stale, cursor: 0, passed, left: false };
    for (const candidate of page) {
      if (candidate.stale && stale.length === limit) return { stale, cursor: at, passed, left: true };
      if (candidate.stale) stale.push(candidate);
      at = candidate.at;
      passed += 1;
    }
  }
}

/** Indexes the next stale objects. `fail`: what is done about an object that cannot be indexed. `signal`: it ends before the next object. */
export async function indexBatch(
  source: IndexSource,
  cursor: number,
  {
    fail,
    signal,
  }: {
    readonly fail: (candidate: SourceCandidate, error: unknown) => MaybePromise<void>;
    readonly signal?: AbortSignal;
  },
) {
  const { stale, ...batch } = await takeBatch(source, cursor);
  const indexed: Indexable[] = [];
  for (const candidate of stale) {
    if (signal?.aborted === true) break;
    try {
      const indexable = await source.index(candidate);
      if (indexable !== null) indexed.push(indexable);
    } catch (error) {
      await fail(candidate, error);
    }
    await pause();
  }
  return { ...batch, indexed };
}

/** Dependencies of sources. `gmt`: the time to store. */
interface SourceParts extends LinkSources {
  readonly gmt: string;
}

/** Addresses below the site. */
const BELOW_SITE: Homes = { home: (language) => `/${language}` };

const OBJECTS_AT_ONCE = 25;
/** Reading links takes longer than reading facts. */
const LINKED_AT_ONCE = 5;

/** The path of a post below the site. */
export async function readIndexedPath(sources: PostSources, post: PostRecord): Promise<string> {
  return (await loadAddresses(sources, [post]))(post, BELOW_SITE);
}

/** Where objects of a kind are found. A term without a language is found in the site's first one. */
async function loadPlaces(
  parts: SourceParts,
  { type }: Kind,
  records: readonly StoredRecord[],
): Promise<(record: StoredRecord) => ObjectPlace> {
  if (type === 'post') {
    const addressOf = await loadAddresses(parts, records.map(toAddressed));
    return (record) => {
      const post = toAddressed(record);
      return { language: post.language, path: addressOf(post, BELOW_SITE) };
    };
  }
  const [first = ''] = parts.languages;
  const addressOf = await loadTermAddresses(parts, records.map(toTerm));
  return (record) => {
    const term = toTerm(record);
    const language = term.language || first;
    return { language, path: addressOf({ ...term, language }, BELOW_SITE) };
  };
}

async function saveObject(parts: SourceParts, kind: Kind, record: StoredRecord): Promise<Indexable> {
  const { store } = parts;
  const { type } = kind;
  const stored = (await findMeta(store, type, [record.id]))(record.id);
  const meta = withOwnMeta(stored.meta, record['meta']);
  const kept = { ...stored, meta: await fillMeta(parts, type, { record, meta }) };
  const place = (await loadPlaces(parts, kind, [record]))(record);
  const values =
    type === 'term'
      ? buildTerm(toTerm(record), kept, place)
      : buildPost(toPost(record), kept, { ...parts, path: place.path });
  return saveIndexable(store, values, parts);
}

/** How the objects of a source are indexed. `loadIsStale`: what tells which of some objects have to be. */
interface ObjectIndexing {
  readonly limit: number;
  readonly loadIsStale: (known: readonly IndexedRecord[]) => Promise<(each: IndexedRecord) => boolean>;
  readonly save: (record: StoredRecord) => Promise<Indexable>;
}

function createObjectSource(
  store: Store,
  kind: Kind,
  { limit, loadIsStale, save }: ObjectIndexing,
): IndexSource {
  const { type, collection, where } = kind;
  return {
    limit,
    total: () => countRecords(store, kind),
    list: async (behind) => {
      const known = await listKnown(store, kind, behind);
      const isStale = await loadIsStale(known);
      return known.map((each) => ({
        at: each.record.id,
        stale: isStale(each),
        object_type: type,
        object_id: each.record.id,
      }));
    },
    index: async ({ object_id }) => {
      const record = await findFirst(store, { collection, where: and(where, eq('id', object_id)) });
      return record === undefined ? null : save(record);
    },
  };
}

const createFactSource = (parts: SourceParts, kind: Kind): IndexSource =>
  createObjectSource(parts.store, kind, {
    limit: OBJECTS_AT_ONCE,
    loadIsStale: async (known) => {
      const placeOf = await loadPlaces(
        parts,
        kind,
        known.map(({ record }) => record),
      );
      return (each) => isStale(each, placeOf(each.record).path);
    },
    save: (record) => saveObject(parts, kind, record),
  });

function createLinkSource(parts: SourceParts, kind: Kind): IndexSource {
  const { store } = parts;
  const field = kind.type === 'post' ? 'content' : 'description';
  return createObjectSource(
    store,
    { ...kind, fields: [] },
    {
      limit: LINKED_AT_ONCE,
      // The text has changed since its links were read.
      loadIsStale:
        async () =>
        ({ record, indexable }) =>
          indexable?.links_version !== record.version,
      save: async (record) => {
        const owner =
          (await findIndexable(store, `${kind.type}:${record.id}`)) ??
          (await saveObject(parts, kind, record));
        // Building the indexable may already have read the text.
        await pause();
        const found = toFoundLinks(readContent(toText(record[field])).links, { ...parts, path: owner.path });
        return writeLinks(parts, owner, { found, version: record.version });
      },
    },
  );
}

/** The pages of these rows in every language. */
function createPageSource(parts: SourceParts, rows: readonly PageRow[]): IndexSource {
  const { store, settings, languages } = parts;
  const build = async (): Promise<readonly IndexableValues[]> => {
    const { name } = await settings();
    return languages.flatMap((language) =>
      rows.map((row) => buildPage(row, language, toPlainText(own(name, language) ?? ''))),
    );
  };
  return {
    limit: OBJECTS_AT_ONCE,
    total: async () => rows.length * languages.length,
    list: async (behind) => {
      const pages = await build();
      const indexableOf = await findIndexables(
        store,
        pages.map(({ key }) => key),
        ['key', 'builder_version', 'facts'],
      );
      return pages
        .map(({ key, object_type, facts }, index) => {
          const indexable = indexableOf(key);
          // Titles contain the name of the site.
          const stale =
            indexable?.builder_version !== BUILDER_VERSION || indexable.facts['title'] !== facts['title'];
          return { at: index + 1, stale, object_type, object_id: 0 };
        })
        .slice(behind);
    },
    index: async ({ at }) => {
      const values = (await build())[at - 1];
      return values === undefined ? null : saveIndexable(store, values, parts);
    },
  };
}

/** The source of each phase. */
export function createSources(
  { ports, config }: SeoDeps,
  siteUrl: string,
): Readonly<Record<Phase, IndexSource>> {
  const parts = { ...toAddressSources(ports), siteUrl, gmt: toGmt(ports.now()) };
  const { posts, terms } = kindsOf(config);
  return {
    terms: createFactSource(parts, terms),
    posts: createFactSource(parts, posts),
    archives: createPageSource(parts, toArchives(config.postTypes)),
    general: createPageSource(parts, GENERAL),
    'post-links': createLinkSource(parts, posts),
    'term-links': createLinkSource(parts, terms),
  };
}
