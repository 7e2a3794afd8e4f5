import type { Store } from '../../../../lib/index.ts';
import { own, pause } from '../../../plugin.ts';
import { changeSeoOption, readSeoOption } from '../values/options.ts';
import { toMembers, toNumber, toText, withOffset } from '../values/scalars.ts';

/** Phases of a run, in the order in which a client requests them. */
export const PHASES = ['terms', 'posts', 'archives', 'general', 'post-links', 'term-links'] as const;

export type Phase = (typeof PHASES)[number];

type Counts = Readonly<Record<Phase, number>>;

/** The state of indexing. Times are GMT; '' when not set. */
export interface IndexingState {
  readonly [name: string]: string | number | boolean | Counts;
  readonly started_gmt: string;
  readonly finished_gmt: string;
  readonly running: boolean;
  /** Whether the last step failed. */
  readonly failed: boolean;
  /** Number of objects in this run that cannot be indexed. */
  readonly skipped: number;
  readonly indexables_complete: boolean;
  /** Per phase: objects in total when the run began, objects processed, and where the next batch continues. */
  readonly totals: Counts;
  readonly done: Counts;
  readonly cursors: Counts;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

const toCounts = (read: (phase: Phase) => number): Counts => ({
  terms: read('terms'),
  posts: read('posts'),
  archives: read('archives'),
  general: read('general'),
  'post-links': read('post-links'),
  'term-links': read('term-links'),
});

function toState(value: unknown): IndexingState {
  const kept = toMembers(value);
  const counts = (name: string): Counts => {
    const members = toMembers(own(kept, name));
    return toCounts((phase) => toNumber(members[phase]));
  };
  return {
    started_gmt: toText(kept['started_gmt']),
    finished_gmt: toText(kept['finished_gmt']),
    running: kept['running'] === true,
    failed: kept['failed'] === true,
    skipped: toNumber(kept['skipped']),
    indexables_complete: kept['indexables_complete'] === true,
    totals: counts('totals'),
    done: counts('done'),
    cursors: counts('cursors'),
  };
}

export async function readState(store: Store): Promise<IndexingState> {
  return toState(await readSeoOption(store, 'indexing'));
}

export async function changeState(
  store: Store,
  change: (state: IndexingState) => IndexingState,
): Promise<IndexingState> {
  return toState(await changeSeoOption(store, 'indexing', (value) => change(toState(value))));
}

/** The state of a new run. */
export function startState(started_gmt: string, totalOf: (phase: Phase) => number): IndexingState {
  const none = toCounts(() => 0);
  return {
    started_gmt,
    finished_gmt: '',
    running: true,
    failed: false,
    skipped: 0,
    indexables_complete: false,
    totals: toCounts(totalOf),
    done: none,
    cursors: none,
  };
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
export function toProgress({ done, totals }: IndexingState): Progress {
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

/** An object as seen by a walk. `at`: its ascending position in the walk. */
export interface WalkedRecord {
  readonly at: number;
  readonly stale: boolean;
}

/** `list` returns the next objects after a position, in order; an empty list at the end. */
interface Walk<C extends WalkedRecord> {
  readonly list: (behind: number) => Promise<readonly C[]>;
  /** Maximum number of stale objects in one batch. */
  readonly limit: number;
}

/** `cursor`: where the next batch continues; 0 at the end. `passed`: number of objects that this batch went through, including fresh ones. */
interface Batch<C> {
  readonly stale: readonly C[];
  readonly cursor: number;
  readonly passed: number;
  readonly left: boolean;
}

/**
 * Collects the next stale objects after the cursor. It reads one more than the batch holds, so `left` is exact.
 * The cursor only grows, so a client that follows it reaches the end even while objects change.
 */
export async function takeBatch<C extends WalkedRecord>(
  { list, limit }: Walk<C>,
  cursor: number,
): Promise<Batch<C>> {
  const stale: C[] = [];
  let passed = 0;
  for (let at = cursor; ; await pause()) {
    const page = await list(at);
    if (page.length === 0) return { stale, cursor: 0, passed, left: false };
    for (const candidate of page) {
      if (candidate.stale && stale.length === limit) return { stale, cursor: at, passed, left: true };
      if (candidate.stale) stale.push(candidate);
      at = candidate.at;
      passed += 1;
    }
  }
}
