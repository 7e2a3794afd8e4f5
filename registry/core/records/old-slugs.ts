import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { and, eq, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../../lib/store/store.ts';
import type { PostRecord } from './post-record.ts';

/** Slugs under which published posts had an address before. */
export const oldSlugCollection = {
  name: 'old_slugs',
  fields: { post: { type: 'integer' }, language: { type: 'text' }, slug: { type: 'text' } },
  indexes: [['slug', 'language'], ['post']],
} as const satisfies CollectionDescriptor;

/** Slugs that are kept of one post, and posts that are looked at for one slug. */
const MOST = 20;
const NEWEST_FIRST = [{ field: 'id', direction: 'desc' }] as const;

/** The place of a post in its language, as it was or as it is written. */
interface SlugPlace {
  readonly slug: string;
  readonly language: string;
  readonly status: string;
}

/**
 * The operations that remember the slug of a published post whose commit changes its slug or language, or withdraws it: as a draft, it may get
 * another slug. A post that is published again under a slug forgets it. The oldest slugs are forgotten.
 */
export async function toOldSlugs(
  store: Store,
  { id, slug, language, status }: Pick<PostRecord, 'id' | keyof SlugPlace>,
  next: SlugPlace,
): Promise<readonly Operation[]> {
  const ofPost = eq('post', id);
  const remove = (where: Predicate): Operation => ({
    op: 'removeAll',
    collection: 'old_slugs',
    where: and(ofPost, where),
  });
  const isMoved = slug !== next.slug || language !== next.language || status !== next.status;
  if (!isMoved || slug === '') return [];
  if (status !== 'publish') return next.status === 'publish' ? [remove(eq('slug', next.slug))] : [];
  const {
    records: [oldest],
  } = await store.find({
    collection: 'old_slugs',
    where: ofPost,
    order: NEWEST_FIRST,
    offset: MOST - 1,
    limit: 1,
    fields: [],
  });
  return [
    ...(oldest === undefined ? [] : [remove({ op: 'lte', field: 'id', value: oldest.id })]),
    remove(oneOf('slug', [slug, next.slug])),
    { op: 'create', collection: 'old_slugs', values: { post: id, language, slug } },
  ];
}

/** The post that had a slug in a language and matches `where`. Of several posts, the one that left the slug last. null: none. */
export async function findByOldSlug(
  store: Store,
  { slug, language }: Pick<SlugPlace, 'slug' | 'language'>,
  where: Predicate,
): Promise<StoredRecord | null> {
  const { records: places } = await store.find({
    collection: 'old_slugs',
    where: and(eq('slug', slug), eq('language', language)),
    order: NEWEST_FIRST,
    limit: MOST,
    fields: ['post'],
  });
  if (places.length === 0) return null;
  const ids = places.map(({ post }) => Number(post));
  const {
    records: [found],
  } = await store.find({
    collection: 'posts',
    where: and(oneOf('id', ids), where),
    order: [{ list: { field: 'id', values: ids }, direction: 'asc' }],
    limit: 1,
  });
  return found ?? null;
}
