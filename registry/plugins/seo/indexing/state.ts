import type { Store } from '../../../../lib/index.ts';
import { changeSeoOption, readSeoOption } from '../values/options.ts';
import { toMembers, withOffset } from '../values/scalars.ts';

/** Phases of a run, in the order in which a client requests them. */
export const PHASES = ['terms', 'posts', 'archives', 'general', 'post-links', 'term-links'] as const;

export type Phase = (typeof PHASES)[number];

/** A number for each phase. */
export type Counts = Readonly<Record<Phase, number>>;

const NONE: Counts = { terms: 0, posts: 0, archives: 0, general: 0, 'post-links': 0, 'term-links': 0 };

/** The state of indexing before the first run. Times are GMT; '' when not set. */
export const UNTOUCHED = {
  started_gmt: '',
  finished_gmt: '',
  running: false,
  /** Whether the last step failed. */
  failed: false,
  /** Number of objects in this run that cannot be indexed. */
  skipped: 0,
  /** Per phase: objects in total when the run began, objects processed, and where the next batch continues. */
  totals: NONE,
  done: NONE,
  cursors: NONE,
};

export type IndexingState = Readonly<typeof UNTOUCHED>;

const toState = (value: unknown): IndexingState => ({ ...UNTOUCHED, ...toMembers(value) }) as IndexingState;

export async function readState(store: Store): Promise<IndexingState> {
  return toState(await readSeoOption(store, 'indexing'));
}

export async function changeState(
  store: Store,
  change: (state: IndexingState) => IndexingState,
): Promise<IndexingState> {
  return toState(await changeSeoOption(store, 'indexing', (value) => change(toState(value))));
}

/** The state after one batch. At the end of a phase all its objects count as done, even when some were added or removed meanwhile. */
export function advance(
  state: IndexingState,
  phase: Phase,
  { cursor, passed, left }: { cursor: number; passed: number; left: boolean },
): IndexingState {
  const total = state.totals[phase];
  const done = left ? Math.min(state.done[phase] + passed, Math.max(total - 1, 0)) : total;
  return { ...state, done: { ...state.done, [phase]: done }, cursors: { ...state.cursors, [phase]: cursor } };
}

/** Objects processed and objects in total, over all phases. */
export function toProgress({ done, totals }: IndexingState) {
  const sum = (counts: Counts): number => PHASES.reduce((all, phase) => all + counts[phase], 0);
  return { done: sum(done), total: sum(totals) };
}

/** The state of the index for readers. `isUpToDate`: whether everything that changed is in it. */
export function describeIndexing(state: IndexingState, isUpToDate: boolean) {
  const { running, failed, skipped, started_gmt: started, finished_gmt: finished } = state;
  return {
    running,
    failed: failed || skipped > 0,
    started_at: withOffset(started),
    finished_at: withOffset(finished),
    ...toProgress(state),
    up_to_date: isUpToDate,
  };
}
