import { cpus, loadavg } from 'node:os';
import type { Figures } from './figures.ts';
import type { OverloadOptions } from './options.ts';
import type { Found } from './read-back.ts';

/** Figures that are known only after the load. */
export interface Aftermath {
  /** Median of the usual load in milliseconds. */
  readonly usual: number;
  readonly recovery: number;
  readonly found: Found;
}

/** Cells by column title. */
export type Row = Readonly<Record<string, string>>;

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function milliseconds({ p50, p99 }: Figures['accepted']): string {
  return Number.isNaN(p50) ? '' : `${p50.toFixed(p50 < 10 ? 1 : 0)}, ${p99.toFixed(0)}`;
}

function describeAftermath({ usual, recovery, found }: Aftermath): Row {
  return {
    'usual p50 ms': usual.toFixed(1),
    'usual again after': Number.isNaN(recovery) ? '**not in 10 s**' : `${recovery.toFixed(1)} s`,
    'acknowledged updates found': `${found.acknowledgedFound} of ${found.acknowledged}`,
    'refused updates found': `${found.refusedFound} of ${found.refused}`,
  };
}

/** One row of the table. `aftermath` is null for a part of a load that continues. */
export function toRow(name: string, figures: Figures, aftermath: Aftermath | null): Row {
  const { offered, outcomes, goodput, goodputs, accepted, refused, lagP99 } = figures;
  return {
    load: name,
    accepted: percent(goodput),
    'lists, reads, updates': [goodputs.list, goodputs.read, goodputs.update].map(percent).join(', '),
    'p50, p99 ms': milliseconds(accepted),
    '503 with `Retry-After`': `${outcomes.refused} of ${offered}`,
    'refused p50, p99 ms': milliseconds(refused),
    'other, broken': `${outcomes.other}, ${outcomes.broken}`,
    ...(aftermath === null
      ? {
          'usual p50 ms': '',
          'usual again after': '',
          'acknowledged updates found': '',
          'refused updates found': '',
        }
      : describeAftermath(aftermath)),
    'sent late p99 ms': lagP99.toFixed(0),
  };
}

export function describeMachine(
  { store, sockets, seconds, posts }: OverloadOptions,
  capacity: number,
): string {
  const [first] = cpus();
  return (
    `${store}: ${capacity.toFixed(0)} answers a second; ${posts.toLocaleString('en')} posts, ${sockets.toLocaleString('en')} sockets, ${seconds} s each; ` +
    `${cpus().length} × ${first?.model ?? 'processor'}, Node ${process.version}, load average ${loadavg()
      .slice(0, 2)
      .map((each) => each.toFixed(1))
      .join(' and ')}`
  );
}

export function describeTable(rows: readonly Row[]): string {
  const toLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const heads = Object.keys(rows[0] ?? {});
  return [
    toLine(heads),
    toLine(heads.map((_head, at) => (at === 0 ? '---' : '---:'))),
    ...rows.map((row) => toLine(Object.values(row))),
  ].join('\n');
}
