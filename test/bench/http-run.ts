import { MOST_ATTEMPTS, runCalmly } from './calm.ts';
import { startChild, type Child } from './children.ts';
import { compareAnswers, type Reached } from './compare-answers.ts';
import { toMedian } from './median.ts';
import type { BenchOptions } from './options.ts';
import type { PeerName } from './peers/peers.ts';
import type { Workload } from './workloads.ts';

/** Results of one peer under one workload: the medians of its runs. */
export interface HttpFigures {
  /** Requests per second, multiplied by the items per request. */
  readonly rate: number;
  /** Processor time of the server per item, in microseconds. */
  readonly cpu: number;
}

export type HttpResult = ReadonlyMap<PeerName, HttpFigures>;

interface Server extends Reached {
  readonly name: PeerName;
  readonly child: Child;
}

/** Writing runs more code than reading, and a process that serves nothing else has run none before. The compiler needs this many times as long. */
const FRESH_WARM_UP = 3;

/** Whether its servers serve nothing else. */
const isFresh = ({ writes, starts }: Workload): boolean => writes === true || starts === true;

/** Servers that are reused for several workloads, each in a separate process. */
export class Servers {
  readonly #corpusFile: string;
  readonly #kept = new Map<string, Server>();

  constructor(corpusFile: string) {
    this.#corpusFile = corpusFile;
  }

  async open(workload: Workload): Promise<readonly Server[]> {
    const servers: Server[] = [];
    for (const name of workload.peers) servers.push(await this.#openOne(name, workload));
    return servers;
  }

  async close(servers: Iterable<Server> = this.#kept.values()): Promise<void> {
    for (const server of servers) await server.child.stop();
  }

  async #openOne(name: PeerName, workload: Workload): Promise<Server> {
    const { etag = false } = workload;
    const key = `${name} ${String(etag)}`;
    const known = this.#kept.get(key);
    const isKept = !isFresh(workload);
    if (known !== undefined && isKept) return known;
    const child = startChild(0);
    const server = {
      name,
      child,
      port: await child.run('serve', { peer: name, corpusFile: this.#corpusFile, etag }),
    };
    if (isKept) this.#kept.set(key, server);
    return server;
  }
}

interface Run {
  readonly load: Child;
  readonly workload: Workload;
  readonly options: BenchOptions;
}

async function runOnce(
  { child, port, name }: Server,
  { load, workload, options }: Run,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<HttpFigures> {
  const { posts, connections } = options;
  const before = await child.run('usage', null);
  const result = await load.run('load', { workload: workload.name, port, posts, connections, seconds, seed });
  const after = await child.run('usage', null);
  if (result.wrong > 0)
    throw new Error(
      `${workload.name}: ${name}: ${result.wrong} of ${result.requests} responses are wrong: ${result.firstWrong}`,
    );
  const items = result.requests * (workload.items ?? 1);
  return { rate: items / result.seconds, cpu: (after.cpu - before.cpu) / items };
}

/** Runs the load on every peer for some seconds, until the compiler has optimised it. Each server is warmed up once. */
async function warmUp(opened: readonly Server[], run: Run): Promise<void> {
  const { load, workload, options } = run;
  for (const { port } of opened.filter(({ name }) => name === 'routebook')) {
    // Two rounds, because data of an earlier workload leaves the cache only in the second.
    for (let round = 0; round < 2; round += 1)
      await load.run('once', { workload: workload.name, port, posts: options.posts });
  }
  const seconds = options.warmUp * (isFresh(workload) ? FRESH_WARM_UP : 1);
  for (const server of opened) await runOnce(server, run, { seed: 999, seconds });
}

/** Starts the peers, compares their responses, and runs the load on them in turns. */
async function runRounds(
  servers: Servers,
  run: Run,
  numbers: readonly number[],
): Promise<readonly (readonly [PeerName, HttpFigures])[]> {
  const { workload, options } = run;
  const opened = await servers.open(workload);
  try {
    await compareAnswers(workload, opened, options.posts);
    await warmUp(opened, run);
    const runs: (readonly [PeerName, HttpFigures])[] = [];
    for (const round of numbers) {
      for (const server of opened) {
        // A different seed per attempt, because repeating a change would change nothing.
        const seed = 1000 + round * MOST_ATTEMPTS;
        runs.push([
          server.name,
          await runCalmly(`${workload.name}: ${server.name}`, (attempt) =>
            runOnce(server, run, { seed: seed + attempt, seconds: options.seconds }),
          ),
        ]);
      }
    }
    return runs;
  } finally {
    if (isFresh(workload)) await servers.close(opened);
  }
}

/** The medians of one workload on its peers. @throws Error when responses differ or are wrong */
export async function runWorkload(servers: Servers, run: Run): Promise<HttpResult> {
  const numbers = Array.from({ length: run.options.rounds }, (_each, index) => index);
  const runs: (readonly [PeerName, HttpFigures])[] = [];
  for (const part of run.workload.starts === true ? numbers.map((round) => [round]) : [numbers])
    runs.push(...(await runRounds(servers, run, part)));
  const of = (name: PeerName): readonly HttpFigures[] =>
    runs.filter(([peer]) => peer === name).map(([, figures]) => figures);
  return new Map(
    run.workload.peers.map((name) => [
      name,
      { rate: toMedian(of(name).map(({ rate }) => rate)), cpu: toMedian(of(name).map(({ cpu }) => cpu)) },
    ]),
  );
}
