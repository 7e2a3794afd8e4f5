import {
  type Call,
  can,
  type Identity,
  type Json,
  RestError,
  RestResponse,
  StoreError,
} from '../../../../lib/index.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { toGmt, withOffset } from '../values/scalars.ts';
import { sweepIndex } from './catch-up.ts';
import type { Indexable } from './indexable.ts';
import { createSources, indexBatch, type SourceCandidate } from './sources.ts';
import {
  advance,
  changeState,
  type Counts,
  type IndexingState,
  type Phase,
  PHASES,
  readState,
  toProgress,
  UNTOUCHED,
} from './state.ts';

/** Whether the caller may read the index data of this object. Public objects are open to every caller of the route, others to their author and to editors. */
function mayRead({ is_public, author_id }: Indexable, identity: Identity): boolean {
  return is_public || (author_id !== 0 && author_id === identity.id) || can(identity, 'edit_others_posts');
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** An indexable as responses show it. A caller who may not read the object gets only its identifiers. */
function describeIndexable(indexable: Indexable, siteUrl: string, identity: Identity): Json {
  const { id, object_type, object_sub_type, object_id, language } = indexable;
  const named = { id, object_type, object_sub_type, object_id, language };
  if (!mayRead(indexable, identity)) return named;
  return {
    ...named,
    author_id: indexable.author_id === 0 ? null : indexable.author_id,
    permalink: indexable.path === '' ? null : `${siteUrl}${indexable.path}`,
    ...indexable.facts,
    post_status: orNull(indexable.post_status),
    is_public: indexable.is_public,
    is_protected: indexable.is_protected,
    is_cornerstone: indexable.is_cornerstone,
    is_robots_noindex: indexable.is_robots_noindex,
    primary_focus_keyword: orNull(indexable.focus_phrase),
    primary_focus_keyword_score: indexable.focus_phrase === '' ? null : indexable.focus_score,
    readability_score: indexable.readability_score,
    link_count: indexable.link_count,
    incoming_link_count: indexable.incoming_link_count,
    object_published_at: orNull(withOffset(indexable.published_gmt)),
    object_last_modified: orNull(withOffset(indexable.modified_gmt)),
    version: indexable.builder_version,
    created_at: withOffset(indexable.created_gmt),
    updated_at: withOffset(indexable.updated_gmt),
  };
}

/** Path of each phase. */
const PHASE_PATHS: Readonly<Record<Phase, string>> = {
  terms: '/seo/v1/indexing/terms',
  posts: '/seo/v1/indexing/posts',
  archives: '/seo/v1/indexing/post-type-archives',
  general: '/seo/v1/indexing/general',
  'post-links': '/seo/v1/link-indexing/posts',
  'term-links': '/seo/v1/link-indexing/terms',
};

const toStep = (state: IndexingState): RestResponse =>
  new RestResponse({ objects: [], next_url: false, progress: toProgress(state) });

/** Builds the index in steps that a client requests in order: prepare, phases, indexables-complete, link phases, complete. */
export function createIndexingHandlers(deps: SeoDeps): HandlerGroup<'seo.indexing' | 'seo.linkIndexing'> {
  const { ports } = deps;
  const { store, now, log } = ports;
  const toSources = ({ site }: Call) => createSources(deps, site.pagesUrl);

  /** Starts a new run and counts its objects. */
  async function begin(call: Call): Promise<IndexingState> {
    const sources = toSources(call);
    const totals = await Promise.all(
      PHASES.map(async (phase) => [phase, await sources[phase].total()] as const),
    );
    return changeState(store, () => ({
      ...UNTOUCHED,
      started_gmt: toGmt(now()),
      running: true,
      totals: Object.fromEntries(totals) as Counts,
    }));
  }

  /** Processes the next batch of a phase. Starts a run when none is in progress. `next_url` is false when the phase is done. */
  const step =
    (phase: Phase) =>
    async (_args: unknown, call: Call): Promise<RestResponse> => {
      const before = await readState(store);
      const { cursors } = before.running ? before : await begin(call);
      const failures: Pick<SourceCandidate, 'object_id' | 'object_type'>[] = [];
      const batch = await indexBatch(toSources(call)[phase], cursors[phase], {
        fail: async ({ object_id, object_type }, error) => {
          if (error instanceof StoreError || error instanceof RestError) {
            await changeState(store, (state) => ({ ...state, failed: true }));
            throw error;
          }
          const message = `${object_type} ${object_id} could not be indexed; indexing goes on with the next one`;
          log({ level: 'error', message, error });
          failures.push({ object_id, object_type });
        },
      });
      const state = await changeState(store, (current) =>
        advance({ ...current, failed: false, skipped: current.skipped + failures.length }, phase, batch),
      );
      return new RestResponse({
        objects: batch.indexed.map((each) => describeIndexable(each, call.site.pagesUrl, call.identity)),
        ...(failures.length === 0 ? {} : { failures }),
        next_url: batch.left ? call.site.url(PHASE_PATHS[phase]) : false,
        progress: toProgress(state),
      });
    };
  return {
    'seo.indexing.prepare': async (_args, call) => toStep(await begin(call)),
    'seo.indexing.terms': step('terms'),
    'seo.indexing.posts': step('posts'),
    'seo.indexing.archives': step('archives'),
    'seo.indexing.general': step('general'),
    'seo.indexing.indexablesComplete': async () => {
      await sweepIndex(store);
      return toStep(await readState(store));
    },
    'seo.linkIndexing.posts': step('post-links'),
    'seo.linkIndexing.terms': step('term-links'),
    'seo.indexing.complete': async () =>
      toStep(await changeState(store, (state) => ({ ...state, running: false, finished_gmt: toGmt(now()) }))),
  };
}
