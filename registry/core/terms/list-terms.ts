import type { PlainCollection } from '../../../lib/crud/plain-collection.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { toOffset } from '../../../lib/route/paging.ts';
import { and, eq, not, oneOf, or, type Order, type Predicate } from '../../../lib/store/query.ts';
import { toSlug } from '../content/slug.ts';
import { toTerm, type TermRecord } from '../records/term-record.ts';
import type { TermListArgs } from './args.ts';
import type { TermDeps } from './deps.ts';

/** The subject of a list that names a post: the ids of its terms. */
export interface TermsOfPost {
  readonly terms: readonly number[];
}

/** Terms whose name or slug contains the text; none for an empty one. */
export function searchCondition(search: string): readonly Predicate[] {
  const text = search.trim();
  return text === ''
    ? []
    : [or({ op: 'contains', field: 'name', text }, { op: 'contains', field: 'slug', text })];
}

function toWhere({ taxonomy }: TermDeps, args: TermListArgs, call: Call): Predicate {
  const { include, exclude, parent, slug = [], search = '' } = args;
  const ofPost = call.subject as TermsOfPost | null;
  return and(
    eq('taxonomy', taxonomy.name),
    oneOf('language', [call.language, '']),
    ...(include.length > 0 ? [oneOf('id', include)] : exclude.length > 0 ? [not(oneOf('id', exclude))] : []),
    ...(parent === undefined ? [] : [eq('parent', parent)]),
    ...(slug.length > 0 ? [oneOf('slug', slug.map(toSlug))] : []),
    ...(ofPost === null ? [] : [oneOf('id', ofPost.terms)]),
    ...searchCondition(search),
  );
}

/** Every other attribute is sorted by name, also `count` at first. */
const ORDER_FIELDS: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['slug', 'slug'],
  ['description', 'description'],
]);

function toOrder({ orderby, order: direction, include, slug = [] }: TermListArgs): readonly Order[] {
  if (orderby === 'include' && include.length > 0)
    return [{ list: { field: 'id', values: include }, direction }];
  if (orderby === 'include_slugs' && slug.length > 0)
    return [{ list: { field: 'slug', values: slug.map(toSlug) }, direction }];
  return [{ field: ORDER_FIELDS.get(orderby) ?? 'name', direction }];
}

interface PageOfTerms {
  readonly terms: readonly TermRecord[];
  readonly total: number;
}

/** The page of a list that depends on the counts of all its terms. */
async function findCounted(
  { store, taxonomy, count }: TermDeps,
  args: TermListArgs,
  where: Predicate,
): Promise<PageOfTerms> {
  const all = (
    await store.find({ collection: 'terms', where, order: toOrder(args), fields: [] })
  ).records.map(({ id }) => id);
  const counts = await count(taxonomy, all);
  const countOf = (id: number): number => counts.get(id) ?? 0;
  const kept = args.hide_empty ? all.filter((id) => countOf(id) > 0) : all;
  const sign = args.order === 'desc' ? -1 : 1;
  const sorted =
    args.orderby === 'count' ? kept.toSorted((left, right) => sign * (countOf(left) - countOf(right))) : kept;
  const offset = toOffset({ page: args.page, perPage: args.per_page, offset: args.offset });
  const ids = sorted.slice(offset, offset + args.per_page);
  const { records } = await store.find({
    collection: 'terms',
    where: oneOf('id', ids),
    order: [{ list: { field: 'id', values: ids }, direction: 'asc' }],
  });
  return { terms: records.map(toTerm), total: kept.length };
}

/** The list of a taxonomy. */
export async function listTerms(
  context: TermDeps,
  collection: PlainCollection<TermRecord>,
  { args, call }: { args: TermListArgs; call: Call },
): Promise<RestResponse> {
  // The counts include posts that are due.
  await context.publishDue();
  const where = toWhere(context, args, call);
  const shown = { context: args.context, page: args.page, perPage: args.per_page };
  if (!args.hide_empty && args.orderby !== 'count')
    return collection.list(call, { ...shown, where, order: toOrder(args), offset: args.offset });
  const { terms, total } = await findCounted(context, args, where);
  return collection.page(call, terms, {
    ...shown,
    total,
    from: toOffset({ page: args.page, perPage: args.per_page, offset: args.offset }),
  });
}
