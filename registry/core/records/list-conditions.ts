import { own } from '../../../lib/core/objects.ts';
import {
  contains,
  type Direction,
  not,
  oneOf,
  or,
  type Order,
  type Predicate,
} from '../../../lib/store/query.ts';
import { parseDate, type Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import { postError } from './post-errors.ts';

/** What lists of records have in common: filters by ids, slugs, texts and dates, and orders by name. */

type Ids = readonly number[];

interface IdArgs {
  readonly include: Ids;
  readonly exclude: Ids;
  readonly author?: Ids;
  readonly author_exclude?: Ids;
  readonly parent?: Ids;
  readonly parent_exclude?: Ids;
}

/** The condition on these values; none if there are no values. */
export const listed = <T>(
  values: readonly T[] | undefined,
  to: (values: readonly T[]) => Predicate,
): readonly Predicate[] => (values === undefined || values.length === 0 ? [] : [to(values)]);

/** `include` comes before `exclude`. `expand`: adds to ids of the collection those that they stand for. */
export function idConditions(args: IdArgs, expand: (ids: Ids) => Ids = (ids) => ids): readonly Predicate[] {
  const { include, exclude } = args;
  return [
    ...listed(include, (ids) => oneOf('id', expand(ids))),
    ...listed(include.length > 0 ? [] : exclude, (ids) => not(oneOf('id', expand(ids)))),
    ...listed(args.parent, (ids) => oneOf('parent', expand(ids))),
    ...listed(args.parent_exclude, (ids) => not(oneOf('parent', expand(ids)))),
    ...listed(args.author, (ids) => oneOf('author', ids)),
    ...listed(args.author_exclude, (ids) => not(oneOf('author', ids))),
  ];
}

export const slugConditions = (slugs: readonly string[] | undefined): readonly Predicate[] =>
  listed(slugs, (asked) => oneOf('slug', asked.map(toSlug)));

/** The order of terms and users. `fields`: by the words of `orderby`; all others mean the name. `expand`: as for `idConditions`. */
export function toNamedOrder(
  {
    orderby,
    order: direction,
    include,
    slug = [],
  }: {
    readonly orderby: string;
    readonly order: Direction;
    readonly include: Ids;
    readonly slug?: readonly string[];
  },
  fields: Readonly<Record<string, string>>,
  expand: (ids: Ids) => Ids = (ids) => ids,
): readonly Order[] {
  if (orderby === 'include' && include.length > 0)
    return [{ list: { field: 'id', values: expand(include) }, direction }];
  if (orderby === 'include_slugs' && slug.length > 0)
    return [{ list: { field: 'slug', values: slug.map(toSlug) }, direction }];
  return [{ field: own(fields, orderby) ?? 'name', direction }];
}

const DATE_BOUNDS = [
  ['after', 'gt', 'date'],
  ['before', 'lt', 'date'],
  ['modified_after', 'gt', 'modified'],
  ['modified_before', 'lt', 'modified'],
] as const;

/** @throws RestError `invalid_date` */
export function dateConditions(
  args: Readonly<Partial<Record<(typeof DATE_BOUNDS)[number][0], string>>>,
  zone: Zone,
): readonly Predicate[] {
  return DATE_BOUNDS.flatMap(([arg, op, field]): readonly Predicate[] => {
    const text = args[arg];
    if (text === undefined) return [];
    const stamp = parseDate(text, zone, 'site');
    if (stamp === undefined) throw postError('invalid_date');
    return [{ op, field, value: stamp.date }];
  });
}

/** Records with the text in one of the fields; all for an empty text. */
export function searchConditions(
  search: string | undefined,
  fields: readonly string[],
): readonly Predicate[] {
  const text = search?.trim() ?? '';
  return text === '' ? [] : [or(...fields.map((field) => contains(field, text)))];
}
