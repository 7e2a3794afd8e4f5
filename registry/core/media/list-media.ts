import type { ArgsOf } from '../../../lib/route/args.ts';
import { and, not, oneOf, or, type Order, type Predicate } from '../../../lib/store/query.ts';
import { parseDate, type Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import { postError } from '../records/post-errors.ts';
import { INHERITED } from './access.ts';
import type { mediaListArgs } from './args.ts';

export type MediaListArgs = ArgsOf<typeof mediaListArgs>;

const BOUNDS = [
  ['after', 'gt', 'date'],
  ['before', 'lt', 'date'],
  ['modified_after', 'gt', 'modified'],
  ['modified_before', 'lt', 'modified'],
] as const;

function dateConditions(args: MediaListArgs, zone: Zone): readonly Predicate[] {
  return BOUNDS.flatMap(([arg, op, field]): readonly Predicate[] => {
    const text = args[arg];
    if (text === undefined) return [];
    const stamp = parseDate(text, zone, 'site');
    if (stamp === undefined) throw postError('invalid_date');
    return [{ op, field, value: stamp.date }];
  });
}

/** Every word must occur in one of the texts, or in the name of the file. */
function searchConditions(search: string): readonly Predicate[] {
  const words = search
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.map((text) =>
    or(
      ...['title', 'caption', 'description', 'file'].map((field): Predicate => ({
        op: 'contains',
        field,
        text,
      })),
    ),
  );
}

/** Files of a kind: their media types begin with it. `0` is the character after the slash. */
const ofKind = (kind: string): Predicate =>
  and(
    { op: 'gte', field: 'mime_type', value: `${kind}/` },
    { op: 'lt', field: 'mime_type', value: `${kind}0` },
  );

/** Kinds and media types together select the files of either. As in WordPress, a word that is not a media type selects nothing and excludes nothing. */
function typeConditions({
  media_type: kinds = [],
  mime_type: types = [],
}: MediaListArgs): readonly Predicate[] {
  const known = types.filter((type) => type.includes('/'));
  return kinds.length + known.length === 0 ? [] : [or(...kinds.map(ofKind), oneOf('mime_type', known))];
}

function numberConditions({
  include,
  exclude,
  parent,
  parent_exclude: notParent,
  author,
  author_exclude: notAuthor,
}: MediaListArgs): readonly Predicate[] {
  const wanted = [
    ['id', include],
    ['parent', parent],
    ['author', author],
  ] as const;
  const refused = [
    ['id', include.length > 0 ? [] : exclude],
    ['parent', notParent],
    ['author', notAuthor],
  ] as const;
  return [
    ...wanted.flatMap(([field, values]) => (values.length === 0 ? [] : [oneOf(field, values)])),
    ...refused.flatMap(([field, values]) => (values.length === 0 ? [] : [not(oneOf(field, values))])),
  ];
}

/** The files that a list selects, whether or not its caller may see them. */
export function toMediaFilter(args: MediaListArgs, zone: Zone): Predicate {
  const statuses = (args.status as unknown as readonly string[]).flatMap((status) =>
    status === 'inherit' ? INHERITED : [status],
  );
  const slugs = args.slug ?? [];
  return and(
    oneOf('status', statuses),
    ...numberConditions(args),
    ...dateConditions(args, zone),
    ...typeConditions(args),
    ...searchConditions(args.search ?? ''),
    ...(slugs.length === 0 ? [] : [oneOf('slug', slugs.map(toSlug))]),
  );
}

/** Relevance of files is their date. */
export function toMediaOrder({
  orderby,
  order: direction,
  include,
  slug = [],
}: MediaListArgs): readonly Order[] {
  if (orderby === 'include' && include.length > 0)
    return [{ list: { field: 'id', values: include }, direction: 'asc' }];
  if (orderby === 'include_slugs')
    return [{ list: { field: 'slug', values: slug.map(toSlug) }, direction: 'asc' }];
  return [{ field: orderby === 'relevance' || orderby === 'include' ? 'date' : orderby, direction }];
}
