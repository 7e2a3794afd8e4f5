import { own, perObject } from '../../lib/core/objects.ts';
import { oneOf } from '../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../lib/store/store.ts';
import type { SiteView } from '../../lib/route/call.ts';
import { toPathPart } from '../content/slug.ts';
import type { ContentType } from '../model/content-type.ts';
import type { SiteSettings } from '../site/settings.ts';
import { toPost, type PostRecord } from './post-record.ts';

/** What the address of a post is made of. */
export type Addressed = Pick<PostRecord, 'id' | 'slug' | 'status' | 'language' | 'parent'>;

/** The fields that `Addressed` needs of a stored post. */
export const ADDRESSED = ['slug', 'status', 'language', 'parent', 'type'] as const;

/** Posts by id, among them the ancestors of the posts whose addresses are needed. */
export type Ancestors = ReadonlyMap<number, Addressed>;

export const NO_ANCESTORS: Ancestors = new Map();

/** The addresses of the home pages. */
export type Homes = Pick<SiteView, 'home'>;

/** What the address of a post depends on besides the post. */
export interface LinkPlace {
  readonly type: ContentType;
  readonly ancestors: Ancestors;
  readonly settings: Pick<SiteSettings, 'showOnFront' | 'pageOnFront'>;
}

const OUT: ReadonlySet<string> = new Set(['publish', 'private']);
const SLUG = /%(?:postname|pagename)%/;

interface PathParts {
  readonly before: string;
  readonly after: string;
}

/** The permalink of a type before and after the slug, read once. */
const partsOf = perObject(({ permalink }: ContentType): PathParts => {
  const [before = '', after = ''] = permalink.split(SLUG);
  return { before, after };
});

/** The slugs of the ancestors of a post, the highest first, as a path with a trailing slash. */
function toAncestorPath({ id, parent }: Pick<Addressed, 'id' | 'parent'>, ancestors: Ancestors): string {
  let path = '';
  const seen = new Set([id]);
  for (let next = parent; next !== 0 && !seen.has(next);) {
    seen.add(next);
    const found = ancestors.get(next);
    if (found === undefined) break;
    path = `${toPathPart(found.slug)}/${path}`;
    next = found.parent;
  }
  return path;
}

function isFrontPage({ id, language }: Addressed, { type, settings }: LinkPlace): boolean {
  return type.hierarchical && settings.showOnFront === 'page' && own(settings.pageOnFront, language) === id;
}

/** Address of a post on the site: by slug if it is published or private, otherwise by id. */
export function permalink(post: Addressed, site: Homes, place: LinkPlace): string {
  // Encoded, because it is also sent in a header and the store may contain anything.
  const home = site.home(toPathPart(post.language));
  if (!OUT.has(post.status) || post.slug === '') return `${home}${place.type.draftLink.replace('%id%', String(post.id))}`;
  if (isFrontPage(post, place)) return `${home}/`;
  const { before, after } = partsOf(place.type);
  return `${home}${before}${place.type.hierarchical ? toAncestorPath(post, place.ancestors) : ''}${toPathPart(post.slug)}${after}`;
}

/** The permalink with a placeholder for the slug. */
export function toPermalinkTemplate(post: Addressed, site: SiteView, { type, ancestors }: Omit<LinkPlace, 'settings'>): string {
  const path = type.hierarchical ? type.permalink.replace(SLUG, (slug) => `${toAncestorPath(post, ancestors)}${slug}`) : type.permalink;
  return `${site.home(post.language)}${path}`;
}

/** The ancestors of these posts, read level by level. */
export async function loadAncestors(store: Store, posts: readonly Addressed[]): Promise<Ancestors> {
  const found = new Map<number, Addressed>();
  for (let parents = posts.map(({ parent }) => parent); ;) {
    const missing = [...new Set(parents)].filter((id) => id !== 0 && !found.has(id));
    if (missing.length === 0) return found;
    const { records } = await store.find({ collection: 'posts', where: oneOf('id', missing), fields: ADDRESSED });
    for (const record of records) found.set(record.id, toAddressed(record));
    if (records.length === 0) return found;
    parents = records.map((record) => Number(record['parent']));
  }
}

/** A stored post as its address needs it. */
export const toAddressed = (record: StoredRecord): Addressed => toPost(record);
