import { own } from '../../lib/core/objects.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor, UniqueKey } from '../../lib/store/collection.ts';
import { EMPTY_VALUES } from '../../lib/store/field-types.ts';
import type { Operation, Values } from '../../lib/store/store.ts';
import { postCollections } from '../cms/collections.ts';
import { toIndexValues } from '../cms/meta-index.ts';
import type { StoredMeta } from '../cms/meta-values.ts';
import type { Zone } from '../content/site-time.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { ContentType } from '../model/content-type.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { siteCollections } from './collections.ts';
import {
  listRows,
  pick,
  toSiteOptions,
  revisionListOf,
  textOf,
  toDates,
  toPlaced,
  toSlugs,
  type Fixture,
  type PlacedRow,
  type Row,
} from './fixture-rows.ts';
import { ROW_FIELDS } from './fixture-rules.ts';

/** The site data that the rows of a fixture depend on. */
export interface FixtureSite {
  readonly zone: Zone;
  /** Language of rows that do not have one. */
  readonly language: string;
  readonly content: ContentModel;
}

type Create = Extract<Operation, { op: 'create' }>;
/** An operation and the place of the row that it comes from. */
type Placed = readonly [operation: Create, place: string];

const NOT_OPTIONS: ReadonlySet<string> = new Set(['ml_language']);
const COLLECTIONS = new Map<string, CollectionDescriptor>(
  [...siteCollections, ...postCollections].map((collection) => [collection.name, collection]),
);
const ID: UniqueKey = { fields: ['id'] };

const create = (collection: string, values: Values): Create => ({ op: 'create', collection, values });
const languageOf = (row: Row, { language }: FixtureSite): string => textOf(row, 'ml_language') || language;

function toTerms({ name, base }: Taxonomy, fixture: Fixture, site: FixtureSite): readonly Placed[] {
  return toPlaced(base, listRows(fixture, base)).map(([term, place]) => [
    create('terms', {
      ...pick(term, ROW_FIELDS.terms),
      ...toSlugs(term),
      taxonomy: name,
      language: languageOf(term, site),
    }),
    place,
  ]);
}

function toRevision([revision, place]: PlacedRow, { zone }: FixtureSite): Placed {
  const key =
    revision['autosave'] === true ? `${String(revision['parent'])}:${String(revision['author'])}` : '';
  return [
    create('revisions', {
      ...pick(revision, ROW_FIELDS.revisions),
      ...toSlugs(revision),
      ...toDates([revision, place], zone),
      meta: revision['meta'] ?? {},
      autosave_key: key,
    }),
    place,
  ];
}

/** The terms of a row, by the field that stores them. */
function termsOf(row: Row, { taxonomies }: ContentType, { content }: FixtureSite): Record<string, Json> {
  const fields: Record<string, Json> = {};
  for (const name of taxonomies) {
    const { base, field } = content.taxonomies.get(name) as Taxonomy;
    const ids = own(row, base);
    if (Array.isArray(ids)) fields[field] = [...((fields[field] ?? []) as readonly Json[]), ...ids];
  }
  return fields;
}

/** A record of a type, and its history as updates and autosaves would have written it. */
function toPost(
  [post, place]: PlacedRow,
  revisions: readonly Row[],
  { type, site }: { type: ContentType; site: FixtureSite },
): readonly Placed[] {
  const row: Row = { ...post, status: textOf(post, 'status') || 'draft' };
  const newest = Math.max(0, ...revisions.map((revision) => Number(revision['id'])));
  const values = {
    ...pick(row, ROW_FIELDS.posts),
    ...termsOf(row, type, site),
    ...toSlugs(row),
    ...toDates([row, place], site.zone),
    meta: row['meta'] ?? {},
    type: type.name,
    language: languageOf(row, site),
    ...toIndexValues(
      { type, meta: site.content.meta.get(type.name) ?? [] },
      (row['meta'] ?? {}) as StoredMeta,
    ),
  };
  return [
    [{ ...create('posts', values), as: place }, place],
    [create('post_history', { post: { $ref: place }, count: revisions.length, newest }), place],
  ];
}

/** The records of a type and their revisions. */
function toPosts(type: ContentType, fixture: Fixture, site: FixtureSite): readonly Placed[] {
  const revisions = listRows(fixture, revisionListOf(type));
  const byPost = new Map<Json, Row[]>();
  for (const revision of revisions)
    byPost.set(revision['parent'] ?? 0, [...(byPost.get(revision['parent'] ?? 0) ?? []), revision]);
  return [
    ...toPlaced(type.base, listRows(fixture, type.base)).flatMap((placed) =>
      toPost(placed, byPost.get(placed[0]['id'] ?? 0) ?? [], { type, site }),
    ),
    ...toPlaced(revisionListOf(type), revisions).map((row) => toRevision(row, site)),
  ];
}

/** A user with the values of registered meta keys, which stand beside the other members. */
function toUser([user, place]: PlacedRow, { content }: FixtureSite): Placed {
  const meta = pick(
    user,
    (content.meta.get('user') ?? []).map(({ key }) => key),
  );
  return [
    {
      ...create('users', {
        ...pick(user, ROW_FIELDS.users),
        ...toSlugs(user),
        registered_gmt: textOf(user, 'registered'),
        meta,
      }),
      as: place,
    },
    place,
  ];
}

function toOptions(fixture: Fixture): readonly Placed[] {
  const site = Object.entries(toSiteOptions(fixture)).filter(([key]) => !NOT_OPTIONS.has(key));
  return [
    ...site.map(([key, value]): Placed => [create('options', { group: 'site', key, value }), `site.${key}`]),
    ...toPlaced('options', fixture.options).map(([option, place]): Placed => [
      create('options', option),
      place,
    ]),
  ];
}

/** A comment on a post of the fixture, whose type and language it has. @throws TypeError */
function toComment(
  [comment, place]: PlacedRow,
  posts: ReadonlyMap<unknown, Values>,
  { zone }: FixtureSite,
): Placed {
  const post = posts.get(comment['post']);
  if (post === undefined)
    throw new TypeError(
      `${place}.post: ${JSON.stringify(comment['post'] ?? null)} is not the id of a post of the fixture`,
    );
  const { date, date_gmt } = toDates([comment, place], zone);
  const values = {
    ...pick(comment, ROW_FIELDS.comments),
    date: date ?? '',
    date_gmt: date_gmt ?? '',
    post_type: post['type'] ?? '',
    language: post['language'] ?? '',
    status: textOf(comment, 'status') || 'approved',
    type: textOf(comment, 'type') || 'comment',
  };
  return [create('comments', values), place];
}

/** The values of a unique key; null if the key does not apply to the record. */
function toKey(
  { collection, values }: Create,
  { fields, except = {} }: UniqueKey,
): readonly unknown[] | null {
  const types = COLLECTIONS.get(collection)?.fields ?? {};
  const valueOf = (name: string): unknown => {
    const type = own(types, name)?.type;
    return own(values, name) ?? (type === undefined ? undefined : EMPTY_VALUES[type]);
  };
  const isFree = Object.entries(except).some(([name, value]) => valueOf(name) === value);
  return isFree || (fields === ID.fields && values['id'] === undefined) ? null : fields.map(valueOf);
}

/** Checks the unique keys of the collections, as the store does; the store does not know the places of the rows. @throws TypeError */
function checkUnique(placed: readonly Placed[]): void {
  const taken = new Map<string, string>();
  for (const [operation, place] of placed) {
    for (const key of [ID, ...(COLLECTIONS.get(operation.collection)?.unique ?? [])]) {
      const values = toKey(operation, key);
      if (values === null) continue;
      const name = JSON.stringify([operation.collection, key.fields, values]);
      const other = taken.get(name);
      if (other !== undefined)
        throw new TypeError(
          `${place} has the same ${key.fields.join(', ')} as ${other}: ${JSON.stringify(values).slice(1, -1)}`,
        );
      taken.set(name, place);
    }
  }
}

/** Everything that the fixture writes except passwords. The fixture must be checked already. @throws TypeError naming a row without a date, or with a duplicate key */
export function toOperations(fixture: Fixture, site: FixtureSite): readonly Operation[] {
  const posts = [...site.content.types.values()]
    .filter(({ storage }) => storage === 'posts')
    .flatMap((type) => toPosts(type, fixture, site));
  const byId = new Map(
    posts.filter(([{ collection }]) => collection === 'posts').map(([{ values }]) => [values['id'], values]),
  );
  const placed = [
    ...toOptions(fixture),
    ...toPlaced('users', fixture.users).map((row) => toUser(row, site)),
    ...[...site.content.taxonomies.values()].flatMap((taxonomy) => toTerms(taxonomy, fixture, site)),
    ...toPlaced('media', fixture.media).map(([each, place]): Placed => [
      create('media', {
        ...pick(each, ROW_FIELDS.media),
        ...toSlugs(each),
        ...(textOf(each, 'alt_text') === '' ? {} : { alt: textOf(each, 'alt_text') }),
      }),
      place,
    ]),
    ...posts,
    ...toPlaced('comments', fixture.comments).map((row) => toComment(row, byId, site)),
  ];
  checkUnique(placed);
  return placed.map(([operation]) => operation);
}
