import { checkIfMatch } from '../../../lib/http/etag.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import { type Page, pageHeaders, pagesOf, toOffset } from '../../../lib/route/paging.ts';
import { and, desc, eq, inOrderOf, not, type Order, type Predicate } from '../../../lib/store/query.ts';
import { findFirst, retryRaces } from '../../../lib/store/store.ts';
import { parseSearch, toRelevance, toSearchPredicate } from '../content/search-query.ts';
import { subjectPost } from '../post-views/permissions.ts';
import type { KindDeps, PostBase } from '../post-views/post-deps.ts';
import type { PostHandlers } from '../post-views/routes.ts';
import { loadHistory, toHistoryChange } from '../records/history.ts';
import { idConditions } from '../records/list-conditions.ts';
import { postError } from '../records/post-errors.ts';
import { type RevisionRecord, toRevision } from '../records/post-record.ts';
import type { revisionListArgs } from '../schemas/post-args.ts';
import { listRevisionViews, showRevision } from './revision-view.ts';

type RevisionListArgs = ArgsOf<typeof revisionListArgs>;

function toFilter({ include, exclude, search }: RevisionListArgs, parent: number): Predicate {
  const found = search === undefined ? undefined : toSearchPredicate(parseSearch(search));
  return and(
    eq('parent', parent),
    ...idConditions({ include, exclude }),
    ...(found === undefined ? [] : [found]),
  );
}

/** @throws RestError `rest_no_search_term_defined`, `rest_orderby_include_missing_include` */
function toOrder(args: RevisionListArgs): readonly Order[] {
  const { orderby, order: direction } = args;
  if (orderby === 'relevance') {
    if ((args.search ?? '').trim() === '') throw postError('rest_no_search_term_defined');
    return toRelevance(parseSearch(args.search ?? ''), direction);
  }
  if (orderby === 'include') {
    if (args.include.length === 0) throw postError('rest_orderby_include_missing_include');
    return [inOrderOf('id', args.include)];
  }
  return [{ field: orderby === 'include_slugs' ? 'slug' : orderby, direction }];
}

/** @throws RestError `rest_revision_invalid_offset_number` for an offset behind the end, even if it has no effect; `rest_revision_invalid_page_number` */
function checkPage({ offset = 0 }: RevisionListArgs, page: Page): void {
  if (page.total === 0) return;
  if (offset >= page.total) throw postError('rest_revision_invalid_offset_number');
  if (offset === 0 && page.page > pagesOf(page)) throw postError('rest_revision_invalid_page_number');
}

async function listRevisions(context: KindDeps, args: RevisionListArgs, call: Call): Promise<RestResponse> {
  const { page, per_page: perPage } = args;
  // Without a page size, the whole list is one page and an offset has no effect.
  const from = perPage === undefined ? 0 : toOffset({ page, perPage, offset: args.offset });
  const found = await context.store.find(
    {
      collection: 'revisions',
      where: toFilter(args, subjectPost(call).id),
      order: toOrder(args),
      total: true,
      longTexts: 'omit',
      ...(perPage === undefined ? {} : { limit: perPage, offset: from }),
    },
    call,
  );
  const { total } = found;
  const shown = { page, perPage: perPage ?? total, total };
  checkPage(args, shown);
  return new RestResponse(await listRevisionViews(context, call, { found, as: args.context, from }), {
    headers: pageHeaders(call, shown),
  });
}

/** @throws RestError `rest_post_invalid_id`, `rest_revision_parent_id_mismatch` */
async function loadRevision({ store }: PostBase, id: number, parent: number): Promise<RevisionRecord> {
  const found = await store.get('revisions', id);
  if (found === null) throw postError('rest_post_invalid_id', { message: 'Invalid revision ID.' });
  if (found['parent'] !== parent) {
    throw postError('rest_revision_parent_id_mismatch', {
      message: `The revision does not belong to the specified parent with id of "${parent}"`,
    });
  }
  return toRevision(found);
}

async function removeRevision({ store }: PostBase, { id, parent, version }: RevisionRecord): Promise<void> {
  const found = await findFirst(store, {
    collection: 'revisions',
    where: and(eq('parent', parent), not(eq('id', id))),
    order: [desc('id')],
    fields: [],
  });
  const change = toHistoryChange(await loadHistory(store, parent), {
    added: -1,
    newest: found?.id ?? 0,
  });
  await store.commit([{ op: 'remove', collection: 'revisions', id, version }, change]);
}

/** Handlers of revisions. */
export function createRevisionHandlers(
  context: KindDeps,
): Pick<PostHandlers, `revisions.${'list' | 'read' | 'remove'}`> {
  return {
    'revisions.list': (args, call) => listRevisions(context, args, call),
    'revisions.read': async ({ id, context: as }, call) => {
      const revision = await loadRevision(context, id, subjectPost(call).id);
      return new RestResponse(await showRevision(context, call, { revision, context: as }), {
        version: revision.version,
      });
    },
    'revisions.remove': ({ id, force }, call) =>
      retryRaces(async () => {
        const revision = await loadRevision(context, id, subjectPost(call).id);
        if (!force) throw postError('rest_trash_not_supported');
        checkIfMatch(call, revision.version);
        const shown = await showRevision(context, call, { revision, context: 'view' });
        const { _links: _dropped, ...previous } = shown;
        await removeRevision(context, revision);
        return { deleted: true, previous };
      }),
  };
}
