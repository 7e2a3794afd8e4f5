import type { Call } from '../../../lib/call.ts';
import { RestError } from '../../../lib/errors.ts';
import type { Json } from '../../../lib/schema-dialect.ts';
import { StoreError } from '../../../lib/store.ts';
import { pause } from '../../pause.ts';
import { seoError } from '../errors.ts';
import { orderLanguages } from '../head/page-context.ts';
import type { SeoParts } from '../parts.ts';
import { toGmt } from '../times.ts';
import { describeIndexable } from './describe.ts';
import type { Indexable } from './indexable.ts';
import { createSources, type Source, type SourceCandidate } from './sources.ts';
import { advance, changeState, PHASES, readState, startState, type IndexingState, type Phase } from './state.ts';
import { takeBatch } from './walk.ts';

/** What one batch did. `left`: there is more to do in this phase. */
export interface Step {
  readonly state: IndexingState;
  readonly objects: readonly Json[];
  readonly left: boolean;
}

/** A run through the index, in batches. */
export interface IndexingRun {
  /** Starts anew and counts what there is to do. */
  begin(call: Call): Promise<IndexingState>;
  /** The next batch of a phase; begins a run when none is under way. */
  step(phase: Phase, call: Call): Promise<Step>;
}

/** Makes the run of a site. */
export function createIndexingRun({ ports, config }: SeoParts): IndexingRun {
  const { store, now, log } = ports;
  const languages = orderLanguages(ports.config);
  const toSources = ({ request }: Call) => createSources({ store, config, languages, siteUrl: request.siteUrl, gmt: toGmt(now()) });

  async function begin(call: Call): Promise<IndexingState> {
    const sources = toSources(call);
    const totals = new Map(await Promise.all(PHASES.map(async (phase) => [phase, await sources[phase].total()] as const)));
    return changeState(store, () => startState(toGmt(now()), (phase) => totals.get(phase) ?? 0));
  }

  /** Only the log gets the cause: an answer tells which object it was, and no more. */
  async function indexOne(source: Source, candidate: SourceCandidate): Promise<Indexable | null> {
    try {
      return await source.index(candidate);
    } catch (error) {
      await changeState(store, (state) => ({ ...state, failed: true }));
      if (error instanceof StoreError || error instanceof RestError) throw error;
      const { object_id, object_type } = candidate;
      log({ level: 'error', message: 'an object can not be indexed', error, object_id, object_type });
      throw seoError('seo_error_indexing', { data: { object_id, object_type }, cause: error });
    }
  }

  return {
    begin,
    async step(phase, call) {
      const before = await readState(store);
      const { cursors } = before.running ? before : await begin(call);
      const source = toSources(call)[phase];
      const batch = await takeBatch(source, cursors[phase]);
      const objects: Json[] = [];
      for (const candidate of batch.stale) {
        const indexable = await indexOne(source, candidate);
        if (indexable !== null) objects.push(describeIndexable(indexable, call.request.siteUrl, call.identity));
        await pause();
      }
      const state = await changeState(store, (current) => advance({ ...current, failed: false }, phase, batch));
      return { state, objects, left: batch.left };
    },
  };
}
