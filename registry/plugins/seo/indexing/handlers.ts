import { type Call, type Json, RestResponse } from '../../../../lib/index.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { toGmt } from '../values/times.ts';
import { createIndexingRun, type Failure } from './run.ts';
import { changeState, toProgress, type IndexingState, type Phase, type Progress } from './state.ts';
import { sweepIndex } from './sweep.ts';

/** The response of every step. `next_url` is false when the phase is done. `failures` is omitted when there are none. */
interface BatchAnswer {
  readonly objects: readonly Json[];
  readonly failures?: readonly Failure[];
  readonly next_url: string | false;
  readonly progress: Progress;
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

const toAnswer = (answer: BatchAnswer): RestResponse => new RestResponse(answer);

const toStep = (state: IndexingState): RestResponse =>
  toAnswer({ objects: [], next_url: false, progress: toProgress(state) });

type Ids =
  | 'seo.indexing.prepare'
  | 'seo.indexing.posts'
  | 'seo.indexing.terms'
  | 'seo.indexing.archives'
  | 'seo.indexing.general'
  | 'seo.indexing.indexablesComplete'
  | 'seo.indexing.complete'
  | 'seo.linkIndexing.posts'
  | 'seo.linkIndexing.terms';

/** Builds the index in steps that a client requests in order: prepare, phases, indexables-complete, link phases, complete. */
export function createIndexingHandlers(parts: SeoDeps): HandlerGroup<Ids> {
  const { store, now } = parts.ports;
  const run = createIndexingRun(parts);
  const phase =
    (name: Phase) =>
    async (_args: unknown, call: Call): Promise<RestResponse> => {
      const { state, objects, failures, left } = await run.step(name, call);
      return toAnswer({
        objects,
        ...(failures.length === 0 ? {} : { failures }),
        next_url: left ? call.site.url(PHASE_PATHS[name]) : false,
        progress: toProgress(state),
      });
    };
  return {
    'seo.indexing.prepare': async (_args, call) => toStep(await run.begin(call)),
    'seo.indexing.terms': phase('terms'),
    'seo.indexing.posts': phase('posts'),
    'seo.indexing.archives': phase('archives'),
    'seo.indexing.general': phase('general'),
    'seo.indexing.indexablesComplete': async () => {
      await sweepIndex(store);
      return toStep(await changeState(store, (state) => ({ ...state, indexables_complete: true })));
    },
    'seo.linkIndexing.posts': phase('post-links'),
    'seo.linkIndexing.terms': phase('term-links'),
    'seo.indexing.complete': async () =>
      toStep(await changeState(store, (state) => ({ ...state, running: false, finished_gmt: toGmt(now()) }))),
  };
}
