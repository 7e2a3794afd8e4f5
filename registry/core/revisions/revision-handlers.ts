import { checkIfMatch } from '../../../lib/http/etag.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import { pageHeaders, pagesOf, toOffset } from '../../../lib/route/paging.ts';
import {
  and,
  desc,
  eq,
  inOrderOf,
  not,
  oneOf,
  type Order,
  type Predicate,
} from '../../../lib/store/query.ts';
import { findFirst, retryRaces } from '../../../lib/store/store.ts';
import { parseSearch, toRelevance, toSearchPredicate } from '../content/search-query.ts';
import { subjectPost } from '../post-views/permissions.ts';
import type { KindDeps, PostBase } from '../post-views/post-deps.ts';
import { loadHistory, toHistoryChange } from '../records/history.ts';
import { postError } from '../records/post-errors.ts';
import { type RevisionRecord, toRevision } from '../records/post-record.ts';
import type { revisionListArgs } from '../schemas/post-args.ts';
import { listRevisionViews, toRevisionRepresentation } from './revision-view.ts';

type RevisionListArgs = ArgsOf<typeof revisionListArgs>;

function toFilter(args: RevisionListArgs, parent: number): Predicate {
  const found = args.search === undefined ? undefined : toSearchPredicate(parseSearch(args.search));
  return and(
    eq('parent', parent),
    ...(args.include.length > 0 ? [oneOf('id', args.include)] : []),
    ...(args.exclude.length > 0 && args.include.length === 0 ? [not(oneOf('id', args.exclude))] : []),
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

interface Window {
  readonly perPage: number;
  readonly offset: number;
}

/** Without a page size, the whole list is one page and an offset has no effect. */
function toWindow(args: RevisionListArgs): Window | null {
  if (args.per_page === undefined) return null;
  return {
    perPage: args.per_page,
    offset: toOffset({ page: args.page, perPage: args.per_page, offset: args.offset }),
  };
}

/** @throws RestError `rest_revision_invalid_offset_number` for an offset behind the end, even if it has no effect; `rest_revision_invalid_page_number` */
function checkWindow({ page, offset = 0 }: RevisionListArgs, window: Window | null, total: number): void {
  if (total === 0) return;
  if (offset >= total) throw postError('rest_revision_invalid_offset_number');
  if (offset === 0 && page > pagesOf({ page, perPage: window?.perPage ?? total, total }))
    throw postError('rest_revision_invalid_page_number');
}

async function listRevisions(context: KindDeps, args: RevisionListArgs, call: Call): Promise<RestResponse> {
  const window = toWindow(args);
  const found = await context.store.find(
    {
      collection: 'revisions',
      where: toFilter(args, subjectPost(call).id),
      order: toOrder(args),
      total: true,
      longTexts: 'omit',
      ...(window === null ? {} : { limit: window.perPage, offset: window.offset }),
    },
    call,
  );
  const { total } = found;
  checkWindow(args, window, total);
  return new RestResponse(
    await listRevisionViews(context, call, { found, as: args.context, from: window?.offset ?? 0 }),
    { headers: pageHeaders(call, { page: args.page, perPage: window?.perPage ?? total, total }) },
  );
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
export function createRevisionHandlers(context: KindDeps) {
  const show = async (revision: RevisionRecord, call: Call, as: string): Promise<Record<string, unknown>> =>
    toRevisionRepresentation({
      revision,
      kind: context.kind,
      call,
      log: context.log,
      context: as,
      settings: await context.settings(),
    });
  return {
    list: (args: RevisionListArgs, call: Call) => listRevisions(context, args, call),
    read: async (args: { readonly id: number; readonly context: string }, call: Call) => {
      const revision = await loadRevision(context, args.id, subjectPost(call).id);
      return new RestResponse(await show(revision, call, args.context), { version: revision.version });
    },
    remove: (args: { readonly id: number; readonly force: boolean }, call: Call) =>
      retryRaces(async () => {
        const revision = await loadRevision(context, args.id, subjectPost(call).id);
        if (!args.force) throw postError('rest_trash_not_supported');
        checkIfMatch(call, revision.version);
        const { _links: _dropped, ...previous } = await show(revision, call, 'view');
        await removeRevision(context, revision);
        return { deleted: true, previous };
      }),
  };
}
