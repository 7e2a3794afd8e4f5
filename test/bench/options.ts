import { readOptions, toCount, type CliOptions } from '../../adapters/cli.ts';

export const BENCH_OPTIONS = {
  only: { value: 'NAMES', help: 'Workloads and measures to run, separated by commas. Default: all.' },
  list: { help: 'Show the names.' },
  seconds: { value: 'N', default: '3', help: 'Length of one run.' },
  rounds: {
    value: 'N',
    default: '5',
    help: 'Runs of each peer in each workload, alternating; the median counts.',
  },
  'warm-up': {
    value: 'N',
    default: '5',
    help: 'Seconds of load on each peer before its first run; three times as long where each run or workload has new processes.',
  },
  posts: { value: 'N', default: '10000', help: 'Posts in the HTTP workloads.' },
  connections: {
    value: 'N',
    default: '32',
    help: 'Connections of the load, each with one request in flight.',
  },
  largest: { value: 'N', default: '1000000', help: 'Largest store.' },
  write: {
    value: 'FILE',
    help: 'Also write the tables to FILE. docs/benchmarks.md keeps those that decide.',
  },
  help: { help: 'Show this.' },
} as const satisfies CliOptions;

export interface BenchOptions {
  /** Empty for all. */
  readonly only: readonly string[];
  readonly list: boolean;
  readonly seconds: number;
  readonly rounds: number;
  /** Seconds of load before the first run. */
  readonly warmUp: number;
  readonly posts: number;
  readonly connections: number;
  readonly largest: number;
  readonly write: string | null;
  readonly help: boolean;
}

/** @throws TypeError that names the unknown or invalid option */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { only, write, list, help, ...counts } = readOptions(BENCH_OPTIONS, args);
  return {
    list,
    help,
    only: only === undefined ? [] : only.split(','),
    write: write ?? null,
    seconds: toCount('seconds', counts.seconds, { least: 1, most: 600 }),
    rounds: toCount('rounds', counts.rounds, { least: 1, most: 100 }),
    warmUp: toCount('warm-up', counts['warm-up'], { least: 1, most: 600 }),
    posts: toCount('posts', counts.posts, { least: 100, most: 1_000_000 }),
    connections: toCount('connections', counts.connections, { least: 1, most: 200 }),
    largest: toCount('largest', counts.largest, { least: 1000, most: 10_000_000 }),
  };
}
