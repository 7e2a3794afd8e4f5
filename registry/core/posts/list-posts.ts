import type { Identity } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import { RecordList } from '../../../lib/http/record-list.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import { pageHeaders, pagesOf, toOffset } from '../../../lib/route/paging.ts';
import {
  and,
  desc,
  eq,
  hasAll,
  hasAny,
  inOrderOf,
  not,
  oneOf,
  or,
  type Order,
  type Predicate,
} from '../../../lib/store/query.ts';
import type { Terms } from '../addresses/permalink.ts';
import { parseSearch, type SearchColumn, toRelevance, toSearchPredicate } from '../content/search-query.ts';
import type { Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import type { Taxonomy } from '../model/content-type.ts';
import { loadViews } from '../post-views/load-views.ts';
import type { KindDeps, PasswordGuard, PostDeps } from '../post-views/post-deps.ts';
import { MAY_BE_MARKDOWN, type PostView } from '../post-views/post-representation.ts';
import { readsOfPost } from '../post-views/show-posts.ts';
import type { PostKind } from '../records/kind.ts';
import { dateConditions, idConditions, listed, slugConditions } from '../records/list-conditions.ts';
import { listMetaOrders, toMetaConditions } from '../records/meta-values.ts';
import { postError } from '../records/post-errors.ts';
import { type PostRecord, toPost } from '../records/post-record.ts';
import type { PublishDue } from '../records/schedule.ts';
import { loadDescendants } from '../records/term-record.ts';
import type { postListArgs } from '../schemas/post-args.ts';
import {
  type Chain,
  type Expand,
  firstOf,
  loadExpansion,
  readChain,
  toContentLanguage,
} from '../translations/fallback.ts';
import { isEmbedding } from './embeds.ts';

/** The arguments of a list. Those that only some types have may be missing; the filters of taxonomies are read by name. */
type ListArgs = Partial<ArgsOf<typeof postListArgs>> & Pick<ArgsOf<typeof postListArgs>, Always>;

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
interface FilterScope {
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

const toTermQuery = (value: readonly number[] | TermQuery = {}): TermQuery =>
  Array.isArray(value) ? { terms: value } : (value as TermQuery);

/** The filters of a taxonomy that a request has. */
function readTermFilters(
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
  if (query.operator !== 'AND') return hasAny(field, scope.expandTerms(ids, withChildren));
  // All of the terms, each by itself or by a term that stands for it.
  return withChildren || scope.chain.length > 1
    ? and(...ids.map((id) => hasAny(field, scope.expandTerms([id], withChildren))))
    : hasAll(field, ids);
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
function toFilter(args: ListArgs, scope: FilterScope): Predicate {
  const { kind, identity, chain, zone } = scope;
  const { type, rights } = kind;
  const action = args.context === 'edit' ? 'edit' : 'read';
  const visible = action === 'edit' ? rights.editable : rights.readable;
  const statuses = toStatuses(args);
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
    ...listed(args.format, (formats) => oneOf('format', formats)),
    ...(args.sticky === undefined ? [] : [eq('sticky', args.sticky)]),
  );
}

/** @throws RestError `rest_orderby_include_missing_include`, `rest_no_search_term_defined` */
function toOrder(args: ListArgs, { kind, expandPosts }: FilterScope): readonly Order[] {
  const direction = args.order;
  if (args.orderby === 'relevance') {
    const terms = parseSearch(args.search ?? '');
    if (terms.terms.length + terms.excluded.length === 0) throw postError('rest_no_search_term_defined');
    return toRelevance(terms, direction);
  }
  if (args.orderby === 'include') {
    if (args.include.length === 0) throw postError('rest_orderby_include_missing_include');
    return [inOrderOf('id', expandPosts(args.include))];
  }
  if (args.orderby === 'include_slugs') return [inOrderOf('slug', (args.slug ?? []).map(toSlug))];
  const [, field = args.orderby] = listMetaOrders(kind).find(([word]) => word === args.orderby) ?? [];
  return [{ field, direction }];
}

/** `incomplete`: ids of the posts whose long texts were left out. */
interface PageOfPosts {
  readonly posts: readonly PostRecord[];
  readonly incomplete: readonly number[];
  readonly total: number;
}

/** The arguments of a list that are not those of the filter. */
interface ReadArgs {
  readonly password?: string;
  readonly ml_fallback?: readonly string[];
}

/** The terms of all filters of a request, and those of them whose descendants count, too. */
function listTerms(
  kind: PostKind,
  args: ListArgs,
): Readonly<Record<'registered' | 'all' | 'roots', readonly number[]>> {
  const terms = { registered: new Set<number>(), all: new Set<number>(), roots: new Set<number>() };
  for (const taxonomy of kind.taxonomies)
    for (const query of Object.values(readTermFilters(args, taxonomy)))
      for (const id of query.terms ?? []) {
        terms.all.add(id);
        if (taxonomy.field === 'terms') terms.registered.add(id);
        if (query.include_children === true) terms.roots.add(id);
      }
  return { registered: [...terms.registered], all: [...terms.all], roots: [...terms.roots] };
}

const NOTHING_BELOW: ReadonlyMap<number, readonly number[]> = new Map();

async function toScope(
  context: KindDeps,
  args: ListArgs,
  { call, chain }: { readonly call: Call; readonly chain: Chain },
): Promise<FilterScope> {
  const { store, kind } = context;
  const { registered, all, roots } = listTerms(kind, args);
  const translate = await loadExpansion(store, ['terms', 'taxonomy'], { ids: all, chain });
  const below = roots.length === 0 ? NOTHING_BELOW : await loadDescendants(context, translate(roots));
  const { include, exclude, parent = [], parent_exclude: notParent = [] } = args;
  return {
    kind,
    identity: call.identity,
    chain,
    zone: (await context.settings()).zone,
    terms: await context.terms(registered),
    expandTerms: (ids, withChildren) =>
      withChildren ? [...new Set(translate(ids).flatMap((id) => below.get(id) ?? [id]))] : translate(ids),
    expandPosts: await loadExpansion(store, ['posts', 'type'], {
      ids: [...include, ...exclude, ...parent, ...notParent],
      chain,
      visible: kind.rights.readable(call.identity),
    }),
  };
}

async function findPage(
  { store }: KindDeps,
  call: Call,
  { args, where, order }: { args: ListArgs; where: Predicate; order: readonly Order[] },
): Promise<PageOfPosts> {
  const offset = toOffset({ page: args.page, perPage: args.per_page, offset: args.offset });
  const {
    records,
    total,
    incomplete = [],
  } = await store.find(
    {
      collection: 'posts',
      where,
      order,
      limit: args.per_page,
      offset,
      total: true,
      longTexts: 'omit',
    },
    call,
  );
  const isBeyond = args.page > pagesOf({ page: args.page, perPage: args.per_page, total });
  if (records.length === 0 && total > 0 && isBeyond) throw postError('rest_post_invalid_page_number');
  // As in WordPress, an offset behind the end results in the first page of an empty result.
  const isPastEnd = records.length === 0 && args.offset !== undefined && args.page === 1;
  return { posts: records.map(toPost), incomplete, total: isPastEnd ? 0 : total };
}

/** Filters with which sticky posts do not come first, because the list is then no longer the front page of the site. */
function isNarrowed({ taxonomies }: PostKind, args: ListArgs): boolean {
  return (
    args.include.length > 0 ||
    args.sticky !== undefined ||
    taxonomies.some((taxonomy) => (readTermFilters(args, taxonomy).wanted.terms ?? []).length > 0) ||
    (args.format ?? []).length > 0 ||
    (args.search ?? '').trim() !== ''
  );
}

/** Puts all sticky posts of the result in front of its first page: first the ones on the page in their order, then the others, newest first. */
async function withStickyFirst(
  { store }: PostDeps,
  where: Predicate,
  page: PageOfPosts,
): Promise<PageOfPosts> {
  const here = page.posts.filter((post) => post.sticky);
  const shown = here.map((post) => post.id);
  const { records, incomplete = [] } = await store.find({
    collection: 'posts',
    where: and(where, eq('sticky', true), not(oneOf('id', shown))),
    order: [desc('date')],
    longTexts: 'omit',
  });
  return {
    ...page,
    posts: [...here, ...records.map(toPost), ...page.posts.filter((post) => !post.sticky)],
    incomplete: [...page.incomplete, ...incomplete],
  };
}

/** The collections on which the shortcodes of the page depend; null if that is not known, as for a text that cannot be read. Texts that were left out may have any shortcode. */
function readsOf(
  { shortcodes }: KindDeps,
  posts: readonly PostRecord[],
  isIncomplete: boolean,
): readonly string[] | null {
  const all = [
    ...posts.map((post) => readsOfPost(shortcodes, post)),
    ...(isIncomplete ? [shortcodes.readsOf()] : []),
  ];
  return all.every((each) => each !== null) ? all.flat() : null;
}

/** Handler of the post list. */
export function createListPosts(
  context: KindDeps,
  { publishDue, passwords }: { publishDue: PublishDue; passwords: PasswordGuard },
) {
  return async (args: ListArgs & ReadArgs, call: Call): Promise<RestResponse> => {
    await publishDue();
    const chain = readChain(call, args.ml_fallback, await context.settings());
    const scope = await toScope(context, args, { call, chain });
    const where = toFilter(args, scope);
    const found = await findPage(context, call, { args, where, order: toOrder(args, scope) });
    const showsSticky = args.ignore_sticky === false && args.page === 1 && !isNarrowed(context.kind, args);
    const { posts, total, incomplete } = showsSticky ? await withStickyFirst(context, where, found) : found;
    const opened = await passwords.open(call, posts, args.password);
    const toViews = (shown: readonly PostRecord[]): Promise<readonly PostView[]> =>
      loadViews(context, call, {
        posts: shown,
        context: args.context,
        isUnlocked: (post) => opened.has(post.id),
      });
    // The second query has the filter too, because the post may have changed and may no longer be visible to the caller.
    const complete = async ({ post: { id } }: PostView): Promise<PostView | undefined> => {
      const { records } = await context.store.find({
        collection: 'posts',
        where: and(where, eq('id', id)),
        limit: 1,
      });
      return (await toViews(records.map(toPost)))[0];
    };
    const show = context.show.list((view) => (incomplete.includes(view.post.id) ? complete(view) : view));
    const reads = readsOf(context, posts, incomplete.length > 0);
    const cannotBeCached = reads === null || opened.size > 0 || (context.content.core && isEmbedding(call));
    // Sticky posts that were put first are on a later page as well, so that no page could go on after them.
    const from =
      showsSticky && posts.some(({ sticky }) => sticky)
        ? null
        : toOffset({ page: args.page, perPage: args.per_page, offset: args.offset });
    return new RestResponse(new RecordList(await toViews(posts), show, from), {
      headers: {
        ...toContentLanguage(call, chain, posts),
        ...MAY_BE_MARKDOWN,
        ...pageHeaders(call, { page: args.page, perPage: args.per_page, total }),
      },
      // A response that a password opened must not be cached, see `toDependencies` of single posts.
      dependsOn: {
        records: posts.map(({ id, version }) => ['posts', id, version] as const),
        collections: [...new Set([...(call.endpoint.cache ?? []), ...(reads ?? [])])],
        // A translation shows its siblings in other languages, and so does a list with stand-ins.
        ...(chain.length === 1 && reads?.length === 0 && posts.every(({ group }) => group === 0)
          ? { language: call.language }
          : {}),
        until: cannotBeCached ? 0 : context.nextDue(),
      },
    });
  };
}
