import { makeFolder, removeFolder } from '../support/temporary.ts';
import { startChild } from './children.ts';
import { measureImports, type ImportFigures } from './measures/imports.ts';
import type { TypeFigures } from './measures/own-type.ts';
import type { RouteFigures } from './measures/routes.ts';
import type { StoreFigures } from './measures/stores.ts';
import type { Timing } from './measures/timing.ts';
import { measureUnread, type UnreadFigures } from './measures/unread.ts';
import { toMedian } from './median.ts';
import type { BenchOptions } from './options.ts';
import type { PeerName } from './peers/peers.ts';
import { measureStartUp } from './start-up.ts';
import { measureTurnKinds, type TurnFigures } from './turns/run-turns.ts';

const ROUTES = [100, 1000, 10_000];
const MEMORY_SIZES = [1000, 10_000, 100_000, 1_000_000];
/** Recommended in docs/stores.md for a large memory store, because V8 scans every page of the old heap whenever the new space is full. */
const LARGE_HEAP = ['--max-semi-space-size=64'];
const FILE_SIZES = [1000, 100_000, 1_000_000];

/** Results of the measures other than the HTTP workloads. */
export interface Measured {
  readonly dispatch?: Readonly<Record<string, Timing>>;
  readonly unread?: ReadonlyMap<PeerName, UnreadFigures>;
  readonly imports?: ReadonlyMap<string, ImportFigures>;
  readonly startUp?: ReadonlyMap<string, number>;
  readonly routes?: ReadonlyMap<number, RouteFigures>;
  readonly types?: TypeFigures;
  readonly memory?: ReadonlyMap<number, StoreFigures>;
  readonly sqlite?: ReadonlyMap<number, StoreFigures>;
  /** Store -> kind of request. */
  readonly turns?: ReadonlyMap<string, ReadonlyMap<string, TurnFigures>>;
}

interface Place {
  readonly corpusFile: string;
  readonly options: BenchOptions;
}

/** One process per size, so that sizes do not affect each other. */
async function forSizes<T>(
  sizes: readonly number[],
  measure: (size: number) => Promise<T>,
): Promise<ReadonlyMap<number, T>> {
  const figures = new Map<number, T>();
  for (const size of sizes) figures.set(size, await measure(size));
  return figures;
}

async function inChild<T>(
  work: (child: ReturnType<typeof startChild>) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const child = startChild(0, flags);
  try {
    return await work(child);
  } finally {
    await child.stop();
  }
}

async function measureFiles({ options: { seconds, largest } }: Place): Promise<Measured> {
  const sqlite = await forSizes(
    FILE_SIZES.filter((posts) => posts <= largest),
    async (posts) => {
      const directory = makeFolder();
      try {
        await inChild((child) => child.run('fillFile', { directory, posts }));
        return await inChild((child) => child.run('file', { directory, posts, seconds }));
      } finally {
        removeFolder(directory);
      }
    },
  );
  return { sqlite };
}

/** Alternates between the sizes, because other programs on the machine use the same cache. */
async function measureManyRoutes({ options: { seconds, rounds } }: Place): Promise<Measured> {
  const runs = ROUTES.map((count) => ({ count, all: [] as RouteFigures[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { count, all } of runs)
      all.push(await inChild((child) => child.run('routes', { count, seconds })));
  }
  const medianOf = (all: readonly RouteFigures[], name: keyof RouteFigures): number =>
    toMedian(all.map((figures) => figures[name]));
  return {
    routes: new Map(
      runs.map(({ count, all }) => [
        count,
        {
          lookup: medianOf(all, 'lookup'),
          registration: medianOf(all, 'registration'),
          heap: medianOf(all, 'heap'),
          resident: medianOf(all, 'resident'),
        },
      ]),
    ),
  };
}

/** Measures by name, in the order of the document. */
export const MEASURES: Readonly<Record<string, (place: Place) => Promise<Measured>>> = {
  dispatch: async ({ corpusFile, options: { seconds } }) => ({
    dispatch: await inChild((child) => child.run('dispatch', { corpusFile, seconds })),
  }),
  unread: async ({ corpusFile, options: { posts, rounds, connections } }) => ({
    unread: await measureUnread({ corpusFile, posts, rounds, connections }),
  }),
  // A process lives for a fifth of a second, so that many are needed.
  imports: async ({ options: { rounds } }) => ({ imports: await measureImports(rounds * 3) }),
  'start-up': async ({ options: { rounds } }) => ({ startUp: await measureStartUp(rounds) }),
  routes: measureManyRoutes,
  types: async ({ options: { posts } }) => ({
    types: await inChild((child) => child.run('ownType', { posts })),
  }),
  memory: async ({ options: { seconds, largest } }) => ({
    memory: await forSizes(
      MEMORY_SIZES.filter((posts) => posts <= largest),
      (posts) => inChild((child) => child.run('memory', { posts, seconds }), LARGE_HEAP),
    ),
  }),
  sqlite: measureFiles,
  turns: async ({ options: { posts, rounds } }) => ({
    turns: new Map([
      ['SQLite', await measureTurnKinds({ store: 'sqlite', posts, rounds })],
      ['memory', await measureTurnKinds({ store: 'memory', posts, rounds })],
    ]),
  }),
};
