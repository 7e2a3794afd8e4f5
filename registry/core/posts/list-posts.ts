import { RecordList } from '../../../lib/http/record-list.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { pageHeaders, pagesOf, toOffset } from '../../../lib/route/paging.ts';
import { and, eq, not, oneOf, type Order, type Predicate } from '../../../lib/store/query.ts';
import { loadViews } from '../post-views/load-views.ts';
import type { KindDeps, PostDeps } from '../post-views/post-deps.ts';
import type { PasswordGuard } from '../post-views/post-password.ts';
import { MAY_BE_MARKDOWN, type PostView } from '../post-views/post-view.ts';
import { readsOfPost } from '../post-views/show-posts.ts';
import type { PostKind } from '../records/kind.ts';
import { postError } from '../records/post-errors.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import type { PublishDue } from '../records/schedule.ts';
import { loadDescendants } from '../records/term-record.ts';
import { loadExpansion, readChain, toContentLanguage, type Chain } from '../translations/fallback.ts';
import { isEmbedding } from './core-embeds.ts';
import { readTermFilters, toFilter, toOrder, type FilterScope, type ListArgs } from './post-filter.ts';

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
  const filters = kind.taxonomies.flatMap((taxonomy) =>
    Object.values(readTermFilters(args, taxonomy)).map(({ terms = [], include_children: withChildren }) => ({
      taxonomy,
      terms,
      withChildren,
    })),
  );
  const listOf = (fits: (filter: (typeof filters)[number]) => boolean): readonly number[] => [
    ...new Set(filters.filter(fits).flatMap(({ terms }) => terms)),
  ];
  return {
    registered: listOf(({ taxonomy }) => taxonomy.field === 'terms'),
    all: listOf(() => true),
    roots: listOf(({ withChildren }) => withChildren === true),
  };
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
  const { records, incomplete = [] } = await store.find({
    collection: 'posts',
    where: and(
      where,
      eq('sticky', true),
      not(
        oneOf(
          'id',
          here.map((post) => post.id),
        ),
      ),
    ),
    order: [{ field: 'date', direction: 'desc' }],
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
