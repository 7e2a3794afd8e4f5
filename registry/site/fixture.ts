import type { Json } from '../../lib/schema-dialect.ts';
import type { Operation, Store, Values } from '../../lib/store.ts';
import { hashPassword } from './password-hash.ts';

type Row = Readonly<Record<string, Json>>;

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

function toUsers(users: readonly Row[]): readonly Operation[] {
  return users.flatMap((user) => [
    create('users', pick(user, USER_FIELDS)),
    ...(typeof user['password'] === 'string' ? [create('credentials', { user: user['id'] ?? 0, name: 'fixture', hash: hashPassword(user['password']) })] : []),
  ]);
}

function toTerms(taxonomy: string, terms: readonly Row[], language: Json): readonly Operation[] {
  return terms.map((term) => create('terms', {
    ...pick(term, ['id', 'name', 'slug', 'parent', 'description', 'group']), taxonomy, language: term['ml_language'] ?? language,
  }));
}

function toRevisions(revisions: readonly Row[]): readonly Operation[] {
  return revisions.map((revision) => create('revisions', {
    ...pick(revision, REVISION_FIELDS), meta: revision['meta'] ?? {},
    autosave_key: revision['autosave'] === true ? `${String(revision['parent'])}:${String(revision['author'])}` : '',
  }));
}

/** A post, and its history as updates and autosaves would have left it. */
function toPost(post: Row, own: readonly Row[], { label, language }: { label: string; language: Json }): readonly Operation[] {
  const newest = Math.max(0, ...own.map((revision) => Number(revision['id'])));
  const count = own.filter((revision) => revision['autosave'] !== true).length;
  return [
    { ...create('posts', { ...pick(post, POST_FIELDS), meta: post['meta'] ?? {}, type: 'post', language: post['ml_language'] ?? language }), as: label },
    create('post_history', { post: { $ref: label }, count, newest }),
  ];
}

function toPosts({ posts = [], revisions = [] }: Fixture, language: Json): readonly Operation[] {
  const byPost = new Map<Json, Row[]>();
  for (const revision of revisions) byPost.set(revision['parent'] ?? 0, [...byPost.get(revision['parent'] ?? 0) ?? [], revision]);
  return posts.flatMap((post, index) => toPost(post, byPost.get(post['id'] ?? 0) ?? [], { label: `post${index}`, language }));
}

function toOptions(fixture: Fixture): readonly Operation[] {
  const site = Object.entries(fixture.site).filter(([key]) => !NOT_OPTIONS.has(key)).map(([key, value]) => ({ group: 'site', key, value }));
  return [...site, ...(fixture.options ?? [])].map((option) => create('options', option));
}

/** Writes the content into a store that is empty: in one commit, so that of several processes one does it, and wholly. */
export async function loadFixture(store: Store, fixture: Fixture): Promise<void> {
  if (typeof fixture.site !== 'object') throw new TypeError('the content has no member "site"; see docs/fixtures.md');
  const language = fixture.site['ml_language'] ?? 'en';
  const operations = [
    ...toOptions(fixture), ...toUsers(fixture.users ?? []), ...toTerms('category', fixture.categories ?? [], language),
    ...toTerms('post_tag', fixture.tags ?? [], language), ...(fixture.media ?? []).map((media) => create('media', pick(media, MEDIA_FIELDS))),
    ...toPosts(fixture, language), ...toRevisions(fixture.revisions ?? []),
  ];
  await store.commit(operations);
}

/** Whether nobody has written a site into the store yet. */
export async function isEmptySite(store: Store): Promise<boolean> {
  const { records } = await store.find({ collection: 'users', limit: 1, fields: [] });
  return records.length === 0;
}

/** Empties every collection, whatever is in it. */
export async function clearSite(store: Store, collections: readonly string[]): Promise<void> {
  await store.commit(collections.map((collection) => ({ op: 'removeAll', collection, where: { op: 'gt', field: 'id', value: 0 } })));
}
