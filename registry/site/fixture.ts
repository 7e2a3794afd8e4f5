import type { CollectionDescriptor } from '../../lib/collection.ts';
import { eq, not, type Query } from '../../lib/query.ts';
import type { Json } from '../../lib/schema-dialect.ts';
import type { Operation, Store, Values } from '../../lib/store.ts';
import { checkRow, checkUser } from './check-row.ts';
import { readDate, toDates, toFixtureSite, toLanguage, toPlaced, toSlugs, type FixtureSite, type Row } from './fixture-rows.ts';
import { SECRETS } from './options.ts';
import { hashPassword } from './password-hash.ts';

/**
 * A site's content as one document: the format of `conformance/fixture.json`. Beyond it, terms and posts may name
 * `ml_language` (default: that of the site) and `group`, terms a `description`, users `language_pairs`,
 * and `options` any further settings as `{group, key, value}`.
 */
export interface Fixture {
  readonly site: Row;
  readonly users?: readonly Row[];
  readonly categories?: readonly Row[];
  readonly tags?: readonly Row[];
  readonly media?: readonly Row[];
  readonly posts?: readonly Row[];
  readonly revisions?: readonly Row[];
  readonly options?: readonly Row[];
}

/** Lists of a fixture, and the collections that their rows go to. */
const LISTS = [['users', 'users'], ['categories', 'terms'], ['tags', 'terms'], ['media', 'media'], ['posts', 'posts'], ['revisions', 'revisions']] as const;
const NOT_OPTIONS: ReadonlySet<string> = new Set(['ml_language']);

const create = (collection: string, values: Values): Extract<Operation, { op: 'create' }> => ({ op: 'create', collection, values });

/** The members of a row that are given and named here. */
function pick(row: Row, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined || row[name] === null ? [] : [[name, row[name]]])));
}

const POST_FIELDS = [
  'id', 'group', 'author', 'status', 'slug', 'title', 'content', 'excerpt', 'password', 'comment_status', 'ping_status', 'format', 'sticky',
  'template', 'featured_media', 'categories', 'tags', 'meta', 'date', 'date_gmt', 'modified', 'modified_gmt', 'trashed_from', 'trashed_slug',
];
const REVISION_FIELDS = ['id', 'parent', 'author', 'date', 'date_gmt', 'modified', 'modified_gmt', 'slug', 'autosave', 'title', 'content', 'excerpt'];
const MEDIA_FIELDS = ['id', 'author', 'date', 'title', 'slug', 'alt', 'mime_type', 'file', 'width', 'height'];
const USER_FIELDS = ['id', 'login', 'name', 'slug', 'role', 'email', 'description', 'url', 'language_pairs'];

function toUser(user: Row, place: string): readonly Operation[] {
  checkUser(user, place);
  const operation = create('users', { ...pick(user, USER_FIELDS), ...toSlugs(user, place) });
  if (typeof user['password'] !== 'string') return [operation];
  return [operation, create('credentials', { user: user['id'] ?? 0, name: 'fixture', hash: hashPassword(user['password']) })];
}

function toTerms(list: 'categories' | 'tags', fixture: Fixture, { language }: FixtureSite): readonly Operation[] {
  const taxonomy = list === 'tags' ? 'post_tag' : 'category';
  return toPlaced(list, fixture[list]).map(([term, place]) => create('terms', {
    ...pick(term, ['id', 'name', 'parent', 'description', 'group']), ...toSlugs(term, place), taxonomy, language: toLanguage(term, place, language),
  }));
}

function toMedia(media: readonly Row[], { zone }: FixtureSite): readonly Operation[] {
  return toPlaced('media', media).map(([each, place]) => {
    readDate(each, 'date', { place, zone });
    return create('media', { ...pick(each, MEDIA_FIELDS), ...toSlugs(each, place) });
  });
}

function toRevisions(revisions: readonly Row[], { zone }: FixtureSite): readonly Operation[] {
  return toPlaced('revisions', revisions).map(([revision, place]) => create('revisions', {
    ...pick(revision, REVISION_FIELDS), ...toSlugs(revision, place), ...toDates(revision, { place, zone }), meta: revision['meta'] ?? {},
    autosave_key: revision['autosave'] === true ? `${String(revision['parent'])}:${String(revision['author'])}` : '',
  }));
}

/** A post, and its history as updates and autosaves would have left it. */
function toPost(post: Row, own: readonly Row[], { label, values }: { label: string; values: Values }): readonly Operation[] {
  const newest = Math.max(0, ...own.map((revision) => Number(revision['id'])));
  const count = own.filter((revision) => revision['autosave'] !== true).length;
  return [
    { ...create('posts', { ...pick(post, POST_FIELDS), meta: post['meta'] ?? {}, type: 'post', ...values }), as: label },
    create('post_history', { post: { $ref: label }, count, newest }),
  ];
}

function toPosts({ posts, revisions = [] }: Fixture, { zone, language }: FixtureSite): readonly Operation[] {
  const byPost = new Map<Json, Row[]>();
  for (const revision of revisions) byPost.set(revision['parent'] ?? 0, [...byPost.get(revision['parent'] ?? 0) ?? [], revision]);
  return toPlaced('posts', posts).flatMap(([post, place], index) => {
    const values = { language: toLanguage(post, place, language), ...toSlugs(post, place), ...toDates(post, { place, zone }) };
    return toPost(post, byPost.get(post['id'] ?? 0) ?? [], { label: `post${index}`, values });
  });
}

function toOptions(fixture: Fixture): readonly Operation[] {
  const site = Object.entries(fixture.site).filter(([key]) => !NOT_OPTIONS.has(key)).map(([key, value]) => ({ group: 'site', key, value }));
  return [...site, ...(fixture.options ?? [])].map((option) => create('options', option));
}

/**
 * Writes the content into a store that is empty: in one commit, so that of several processes one does it, and wholly.
 * Slugs are cleaned as a write cleans them, and dates that are not given are made of those that are.
 * @throws TypeError naming the row and the member: a value is of another type than its field, a role is none, a date is missing or none, nothing is left of a slug, a language is no code, there is no such time zone
 */
export async function loadFixture(store: Store, fixture: Fixture): Promise<void> {
  if (typeof fixture.site !== 'object') throw new TypeError('the content has no member "site"; see docs/fixtures.md');
  const site = toFixtureSite(fixture.site);
  for (const [list, collection] of LISTS) for (const [row, place] of toPlaced(list, fixture[list])) checkRow(collection, row, place);
  const operations = [
    ...toOptions(fixture), ...toPlaced('users', fixture.users).flatMap(([user, place]) => toUser(user, place)), ...toTerms('categories', fixture, site), ...toTerms('tags', fixture, site),
    ...toMedia(fixture.media ?? [], site), ...toPosts(fixture, site), ...toRevisions(fixture.revisions ?? [], site),
  ];
  await store.commit(operations);
}

/** Where the content of a site shows. What a site makes for itself, on an empty store too, is none. */
const CONTENT: readonly Query[] = [
  { collection: 'options', where: not(eq('group', SECRETS)) },
  ...[...new Set(LISTS.map(([, collection]) => collection))].map((collection) => ({ collection })),
];

/** Whether nobody has written anything of a site into the store yet. */
export async function isEmptySite(store: Store): Promise<boolean> {
  const found = await Promise.all(CONTENT.map((query) => store.find({ ...query, limit: 1, fields: [] })));
  return found.every(({ records }) => records.length === 0);
}

/** Empties the collections, whatever is in them: with all of the registry, the store is as new. */
export async function clearSite(store: Store, collections: readonly CollectionDescriptor[]): Promise<void> {
  await store.commit(collections.map(({ name }) => ({ op: 'removeAll', collection: name, where: { op: 'gt', field: 'id', value: 0 } })));
}
