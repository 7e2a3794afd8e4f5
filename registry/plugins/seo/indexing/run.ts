import { pause } from '../../../../lib/core/cooperative.ts';
import { RestError } from '../../../../lib/core/errors.ts';
import type { Call } from '../../../../lib/route/call.ts';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import type { Ports } from '../../../core/host/ports.ts';
import { servicesOf } from '../../../core/services.ts';
import { orderLanguages } from '../../../core/settings/languages.ts';
import type { SeoDeps } from '../routes/deps.ts';
import { toGmt } from '../values/times.ts';
import { describeIndexable } from './describe.ts';
import type { Indexable } from './indexable.ts';
import { createSources, type IndexSource, type SourceCandidate } from './sources.ts';
import {
  advance,
  changeState,
  PHASES,
  readState,
  startState,
  type IndexingState,
  type Phase,
} from './state.ts';
import { takeBatch } from './walk.ts';

/** An object that cannot be indexed. */
export type Failure = Pick<SourceCandidate, 'object_id' | 'object_type'>;

/** Result of one batch. `left`: whether the phase has more to do. */
export interface Step {
  readonly state: IndexingState;
  readonly objects: readonly Json[];
  readonly failures: readonly Failure[];
  readonly left: boolean;
}

/** A batched run through the index. */
export interface IndexingRun {
  /** Starts a new run and counts its objects. */
  begin(call: Call): Promise<IndexingState>;
  /** Processes the next batch of a phase. Starts a run when none is in progress. */
  step(phase: Phase, call: Call): Promise<Step>;
}

interface Indexing {
  readonly candidate: SourceCandidate;
  /** Collects objects that cannot be indexed. The cause is only logged. */
  readonly failures: Failure[];
}

/** Indexes one object; null when it was removed or cannot be indexed. */
async function indexOne(
  { store, log }: Pick<Ports, 'store' | 'log'>,
  source: IndexSource,
  { candidate, failures }: Indexing,
): Promise<Indexable | null> {
  try {
    return await source.index(candidate);
  } catch (error) {
    if (error instanceof StoreError || error instanceof RestError) {
      await changeState(store, (state) => ({ ...state, failed: true }));
      throw error;
    }
    const { object_id, object_type } = candidate;
    log({
      level: 'error',
      message: `${object_type} ${object_id} could not be indexed; indexing goes on with the next one`,
      error,
    });
    failures.push({ object_id, object_type });
    return null;
  }
}

/** Creates the indexing run of a site. */
export function createIndexingRun({ ports, config }: SeoDeps): IndexingRun {
  const {
    store,
    now,
    content: { types, taxonomies },
  } = ports;
  const { settings } = servicesOf(ports);
  const languages = orderLanguages(ports.config);
  const toSources = ({ site }: Call) =>
    createSources({
      store,
      types,
      taxonomies,
      settings,
      config,
      languages,
      siteUrl: site.pagesUrl,
      gmt: toGmt(now()),
    });

  async function begin(call: Call): Promise<IndexingState> {
    const sources = toSources(call);
    const totals = new Map(
      await Promise.all(PHASES.map(async (phase) => [phase, await sources[phase].total()] as const)),
    );
    return changeState(store, () => startState(toGmt(now()), (phase) => totals.get(phase) ?? 0));
  }

  return {
    begin,
    async step(phase, call) {
      const before = await readState(store);
      const { cursors } = before.running ? before : await begin(call);
      const source = toSources(call)[phase];
      const batch = await takeBatch(source, cursors[phase]);
      const objects: Json[] = [];
      const failures: Failure[] = [];
      for (const candidate of batch.stale) {
        const indexable = await indexOne(ports, source, { candidate, failures });
        if (indexable !== null) objects.push(describeIndexable(indexable, call.site.pagesUrl, call.identity));
        await pause();
      }
      const state = await changeState(store, (current) =>
        advance({ ...current, failed: false, skipped: current.skipped + failures.length }, phase, batch),
      );
      return { state, objects, failures, left: batch.left };
    },
  };
}
