import type { Identity } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import { and, eq, not, oneOf, or, type Order, type Predicate } from '../../../lib/store/query.ts';
import type { Terms } from '../addresses/load-terms.ts';
import { parseSearch, toRelevance, toSearchPredicate, type SearchColumn } from '../content/search-query.ts';
import type { Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import type { PostKind } from '../records/kind.ts';
import { dateConditions, idConditions, slugConditions } from '../records/list-conditions.ts';
import { listMetaOrders, toMetaConditions } from '../records/meta-index.ts';
import { postError } from '../records/post-errors.ts';
import type { postListArgs } from '../schemas/post-args.ts';
import { firstOf, type Chain, type Expand } from '../translations/fallback.ts';

/** The arguments of a list. Those that only some types have may be missing; the filters of taxonomies are read by name. */
export type ListArgs = Partial<ArgsOf<typeof postListArgs>> & Pick<ArgsOf<typeof postListArgs>, Always>;

type Always =
  | 'context'
  | 'page'
  | 'per_page'
  | 'exclude'
  | 'include'
  | 'order'
  | 'orderby'
  | 'search_columns'
  | 'status';

/** What a list query depends on in addition to its arguments. `expandTerms`: these term ids, their translations if other languages stand in, and if asked the ids of all their descendants. `expandPosts`: likewise of posts. */
export interface FilterScope {
  readonly kind: PostKind;
  readonly identity: Identity;
  readonly chain: Chain;
  readonly zone: Zone;
  readonly expandTerms: (ids: readonly number[], withChildren: boolean) => readonly number[];
  readonly expandPosts: Expand;
  /** The terms of the filters on registered taxonomies, which share one field of posts. */
  readonly terms: Terms;
}

/** `any`: every status except trash and auto-draft. */
const ANY = ['publish', 'future', 'draft', 'pending', 'private', 'inherit'] as const;

interface TermQuery {
  readonly terms?: readonly number[];
  readonly include_children?: boolean;
  readonly operator?: string;
}

const isIdList = (value: unknown): value is readonly number[] => Array.isArray(value);

function toTermQuery(value: readonly number[] | TermQuery | undefined): TermQuery {
  if (value === undefined) return {};
  return isIdList(value) ? { terms: value } : value;
}

/** The filters of a taxonomy that a request has. */
export function readTermFilters(
  args: ListArgs,
  { base }: Taxonomy,
): Readonly<Record<'wanted' | 'refused', TermQuery>> {
  const sent = args as unknown as Readonly<Record<string, readonly number[] | TermQuery | undefined>>;
  return { wanted: toTermQuery(own(sent, base)), refused: toTermQuery(own(sent, `${base}_exclude`)) };
}

/** Ids that no record has in place of those of other taxonomies, so that they match nothing. */
function toOwnTerms(
  { name, field }: Taxonomy,
  ids: readonly number[],
  { terms }: FilterScope,
): readonly number[] {
  return field === 'terms' ? ids.map((id) => (terms.get(id)?.['taxonomy'] === name ? id : 0)) : ids;
}

function hasTerms(taxonomy: Taxonomy, query: TermQuery, scope: FilterScope): Predicate | null {
  const { field } = taxonomy;
  const ids = toOwnTerms(taxonomy, query.terms ?? [], scope);
  if (ids.length === 0) return null;
  const withChildren = query.include_children === true;
  if (query.operator !== 'AND') return { op: 'hasAny', field, values: scope.expandTerms(ids, withChildren) };
  // All of the terms, each by itself or by a term that stands for it.
  return withChildren || scope.chain.length > 1
    ? and(
        ...ids.map((id): Predicate => ({
          op: 'hasAny',
          field,
          values: scope.expandTerms([id], withChildren),
        })),
      )
    : { op: 'hasAll', field, values: ids };
}

/** Taxonomy filters, joined by `tax_relation`. */
function taxonomyConditions(args: ListArgs, scope: FilterScope): readonly Predicate[] {
  const parts: (Predicate | null)[] = scope.kind.taxonomies.flatMap((taxonomy) => {
    const filters = readTermFilters(args, taxonomy);
    const refused = hasTerms(taxonomy, filters.refused, scope);
    return [hasTerms(taxonomy, filters.wanted, scope), refused === null ? null : not(refused)];
  });
  const conditions = parts.filter((part) => part !== null);
  if (conditions.length < 2) return conditions;
  return [args.tax_relation === 'OR' ? or(...conditions) : and(...conditions)];
}

/** Only callers who can edit a protected post can search its texts. Otherwise a search could guess them word by word. */
function searchConditions(args: ListArgs, { identity, kind: { rights } }: FilterScope): readonly Predicate[] {
  const columns = args.search_columns.filter((column): column is SearchColumn => typeof column === 'string');
  const found =
    args.search === undefined
      ? undefined
      : toSearchPredicate(parseSearch(args.search), { columns, exact: args.search_semantics === 'exact' });
  if (found === undefined) return [];
  const isOpen = or(eq('password', ''), rights.editable(identity));
  return rights.has(identity, 'edit_others_posts') ? [found] : [found, isOpen];
}

function toStatuses(args: ListArgs): readonly string[] {
  const wanted = args.status as unknown as readonly string[];
  if (wanted.length === 0) return ['publish'];
  return [...new Set(wanted.flatMap((status): readonly string[] => (status === 'any' ? ANY : [status])))];
}

/** The posts that match a list request and that its caller may see. */
export function toFilter(args: ListArgs, scope: FilterScope): Predicate {
  const { kind, identity, chain, zone } = scope;
  const { type, rights } = kind;
  const action = args.context === 'edit' ? 'edit' : 'read';
  const visible = action === 'edit' ? rights.editable : rights.readable;
  const statuses = toStatuses(args);
  const formats = args.format ?? [];
  return and(
    ...firstOf(chain, (languages) => rights.translated(identity, { action, statuses, languages })),
    visible(identity, statuses),
    eq('type', type.name),
    // A list that excludes authors does not look at those that it asks for.
    ...idConditions({ ...args, ...(args.author_exclude?.length ? { author: [] } : {}) }, scope.expandPosts),
    ...slugConditions(args.slug),
    ...(args.menu_order === undefined ? [] : [eq('menu_order', args.menu_order)]),
    ...dateConditions(args, zone),
    ...taxonomyConditions(args, scope),
    ...searchConditions(args, scope),
    ...toMetaConditions(kind, own(args as Readonly<Record<string, unknown>>, 'meta')),
    ...(formats.length === 0 ? [] : [oneOf('format', formats)]),
    ...(args.sticky === undefined ? [] : [eq('sticky', args.sticky)]),
  );
}

const ORDER_FIELDS: Readonly<Record<string, string>> = {
  author: 'author',
  date: 'date',
  id: 'id',
  modified: 'modified',
  parent: 'parent',
  slug: 'slug',
  title: 'title',
  menu_order: 'menu_order',
};

/** @throws RestError `rest_orderby_include_missing_include`, `rest_no_search_term_defined` */
export function toOrder(args: ListArgs, { kind, expandPosts }: FilterScope): readonly Order[] {
  const direction = args.order;
  if (args.orderby === 'relevance') {
    const terms = parseSearch(args.search ?? '');
    if (terms.terms.length + terms.excluded.length === 0) throw postError('rest_no_search_term_defined');
    return toRelevance(terms, direction);
  }
  if (args.orderby === 'include') {
    if (args.include.length === 0) throw postError('rest_orderby_include_missing_include');
    return [{ list: { field: 'id', values: expandPosts(args.include) }, direction: 'asc' }];
  }
  if (args.orderby === 'include_slugs')
    return [{ list: { field: 'slug', values: (args.slug ?? []).map(toSlug) }, direction: 'asc' }];
  const field =
    own(ORDER_FIELDS, args.orderby) ?? listMetaOrders(kind).find(([word]) => word === args.orderby)?.[1];
  return [{ field: field ?? 'date', direction }];
}
