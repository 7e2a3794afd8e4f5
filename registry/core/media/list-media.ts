import type { ArgsOf } from '../../../lib/route/args.ts';
import { and, gte, inOrderOf, lt, oneOf, or, type Order, type Predicate } from '../../../lib/store/query.ts';
import type { Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import {
  dateConditions,
  idConditions,
  searchConditions,
  slugConditions,
} from '../records/list-conditions.ts';
import { INHERITED } from '../records/rights.ts';
import type { Expand } from '../translations/fallback.ts';
import type { mediaListArgs } from './routes.ts';

export type MediaListArgs = ArgsOf<typeof mediaListArgs>;

/** Every word of a search must occur in one of the texts, or in the name of the file. */
const SEARCHED = ['title', 'caption', 'description', 'file'] as const;

/** Files of a kind: their media types begin with it. `0` is the character after the slash. */
const ofKind = (kind: string): Predicate => and(gte('mime_type', `${kind}/`), lt('mime_type', `${kind}0`));

/** Kinds and media types together select the files of either. As in WordPress, a word that is not a media type selects nothing and excludes nothing. */
function typeConditions({
  media_type: kinds = [],
  mime_type: types = [],
}: MediaListArgs): readonly Predicate[] {
  const known = types.filter((type) => type.includes('/'));
  return kinds.length + known.length === 0 ? [] : [or(...kinds.map(ofKind), oneOf('mime_type', known))];
}

/** `expand`, `expandPosts`: add to ids of files and posts those that they stand for. */
export interface MediaScope {
  readonly zone: Zone;
  readonly expand: Expand;
  readonly expandPosts: Expand;
}

/** The files that a list selects, whether or not its caller may see them. */
export function toMediaFilter(args: MediaListArgs, { zone, expand, expandPosts }: MediaScope): Predicate {
  const statuses = (args.status as unknown as readonly string[]).flatMap((status) =>
    status === 'inherit' ? INHERITED : [status],
  );
  return and(
    oneOf('status', statuses),
    ...idConditions({ ...args, parent: [], parent_exclude: [] }, expand),
    ...idConditions({ ...args, include: [], exclude: [], author: [], author_exclude: [] }, expandPosts),
    ...dateConditions(args, zone),
    ...typeConditions(args),
    ...(args.search ?? '').split(/\s+/).flatMap((word) => searchConditions(word, SEARCHED)),
    ...slugConditions(args.slug),
  );
}

/** Relevance of files is their date. */
export function toMediaOrder(
  { orderby, order: direction, include, slug = [] }: MediaListArgs,
  { expand }: Pick<MediaScope, 'expand'>,
): readonly Order[] {
  if (orderby === 'include' && include.length > 0) return [inOrderOf('id', expand(include))];
  if (orderby === 'include_slugs') return [inOrderOf('slug', slug.map(toSlug))];
  return [{ field: orderby === 'relevance' || orderby === 'include' ? 'date' : orderby, direction }];
}
