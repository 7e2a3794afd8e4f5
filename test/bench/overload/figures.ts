import { toMedian } from '../median.ts';
import type { MixSample } from './generator.ts';
import { KINDS, SHARES, type Kind } from './mix.ts';
import type { Outcome } from './open-loop.ts';

const OUTCOMES: readonly Outcome[] = ['ok', 'refused', 'other', 'broken'];

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Results of a load. Times are in milliseconds from the intended start of a request. */
export interface Figures {
  readonly offered: number;
  /** Number of requests per outcome. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Accepted requests, as a share of the server's capacity during the load. */
  readonly goodput: number;
  /** The same for the requests of each kind. */
  readonly goodputs: Readonly<Record<Kind, number>>;
  readonly accepted: { readonly p50: number; readonly p99: number };
  readonly refused: { readonly p50: number; readonly p99: number };
  /** 99th percentile of the delay between the intended and the actual start of a request. */
  readonly lagP99: number;
}

export interface Measured {
  /** Capacity in responses per second. */
  readonly capacity: number;
  readonly seconds: number;
}

function toQuantiles(samples: readonly MixSample[]): Figures['accepted'] {
  const times = samples.map(({ took }) => took);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export function toFigures(samples: readonly MixSample[], { capacity, seconds }: Measured): Figures {
  const by = new Map(
    OUTCOMES.map((outcome) => [outcome, samples.filter((sample) => sample.outcome === outcome)]),
  );
  const [ok = [], refused = []] = [by.get('ok'), by.get('refused')];
  const possible = capacity * seconds;
  const toGoodput = (kind: Kind): number =>
    ok.filter(({ about }) => about.kind === kind).length / possible / SHARES[kind];
  return {
    offered: samples.length,
    outcomes: Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, by.get(outcome)?.length ?? 0]),
    ) as Record<Outcome, number>,
    goodput: ok.length / possible,
    goodputs: Object.fromEntries(KINDS.map((kind) => [kind, toGoodput(kind)])) as Record<Kind, number>,
    accepted: toQuantiles(ok),
    refused: toQuantiles(refused),
    lagP99: quantile(
      samples.map(({ lag }) => lag),
      0.99,
    ),
  };
}

const WINDOW_MS = 500;
const USUAL_TIMES = 2;
const USUAL_REFUSED = 0.01;

function isUsual(window: readonly MixSample[], usual: number): boolean {
  const failed = window.filter(({ outcome }) => outcome !== 'ok').length;
  return (
    failed <= window.length * USUAL_REFUSED && toMedian(window.map(({ took }) => took)) <= USUAL_TIMES * usual
  );
}

/**
 * The time until requests were served as before for a second: the median at most twice the usual one, and almost none refused.
 * `samples`: requests after the load, which ended at `from` (ms). In seconds; NaN when the server did not recover.
 */
export function findRecovery(
  samples: readonly MixSample[],
  { from, usual }: { readonly from: number; readonly usual: number },
): number {
  const windows: MixSample[][] = [];
  for (const sample of samples) (windows[Math.floor((sample.at - from) / WINDOW_MS)] ??= []).push(sample);
  const are = Array.from(windows, (window) => isUsual(window ?? [], usual));
  const first = are.findIndex((each, at) => each && are[at + 1] === true);
  return first === -1 ? Number.NaN : (first * WINDOW_MS) / 1000;
}
