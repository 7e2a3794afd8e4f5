import { toMedian } from './median.ts';
import { MOST_ATTEMPTS, runCalmly } from './calm.ts';
import { compareAnswers, type Reached } from './compare-answers.ts';
import { startChild, type Child } from './children.ts';
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

/** Writing runs more code than reading, and the compiler needs this many times as long to optimise it. */
const WRITES_WARM_UP = 3;

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

  async #openOne(name: PeerName, { etag = false, writes }: Workload): Promise<Server> {
    const key = `${name} ${String(etag)}`;
    const known = this.#kept.get(key);
    if (known !== undefined && writes !== true) return known;
    const child = startChild(0);
    const server = { name, child, port: await child.run('serve', { peer: name, corpusFile: this.#corpusFile, etag }) };
    if (writes !== true) this.#kept.set(key, server);
    return server;
  }
}

interface Run {
  readonly load: Child;
  readonly workload: Workload;
  readonly options: BenchOptions;
}

async function runOnce({ child, port, name }: Server, { load, workload, options }: Run, { seed, seconds }: { readonly seed: number; readonly seconds: number }): Promise<HttpFigures> {
  const { posts, connections } = options;
  const before = await child.run('usage', null);
  const result = await load.run('load', { workload: workload.name, port, posts, connections, seconds, seed });
  const after = await child.run('usage', null);
  if (result.wrong > 0) throw new Error(`${workload.name}: ${name}: ${result.wrong} of ${result.requests} responses are wrong: ${result.firstWrong}`);
  const items = result.requests * (workload.items ?? 1);
  return { rate: items / result.seconds, cpu: (after.cpu - before.cpu) / items };
}

/** Runs the load on every peer for some seconds, until the compiler has optimised it. Each server is warmed up once. */
async function warmUp(opened: readonly Server[], run: Run): Promise<void> {
  const { load, workload, options } = run;
  for (const { port } of opened.filter(({ name }) => name === 'routebook')) {
    // Two rounds, because data of an earlier workload leaves the cache only in the second.
    for (let round = 0; round < 2; round += 1) await load.run('once', { workload: workload.name, port, posts: options.posts });
  }
  const seconds = options.warmUp * (workload.writes === true ? WRITES_WARM_UP : 1);
  for (const server of opened) await runOnce(server, run, { seed: 999, seconds });
}

/** Runs one workload on its peers in turns, after comparing their responses. @throws Error when responses differ or are wrong */
export async function runWorkload(servers: Servers, run: Run): Promise<HttpResult> {
  const { workload, options } = run;
  const opened = await servers.open(workload);
  try {
    await compareAnswers(workload, opened, options.posts);
    await warmUp(opened, run);
    const runs = new Map<PeerName, HttpFigures[]>(opened.map(({ name }) => [name, []]));
    for (let round = 0; round < options.rounds; round += 1) {
      for (const server of opened) {
        // A different seed per attempt, because repeating a change would change nothing.
        const seed = 1000 + round * MOST_ATTEMPTS;
        const figures = await runCalmly(`${workload.name}: ${server.name}`, (attempt) => runOnce(server, run, { seed: seed + attempt, seconds: options.seconds }));
        runs.get(server.name)?.push(figures);
      }
    }
    return new Map([...runs].map(([name, all]) => [name, { rate: toMedian(all.map(({ rate }) => rate)), cpu: toMedian(all.map(({ cpu }) => cpu)) }]));
  } finally {
    if (workload.writes === true) await servers.close(opened);
  }
}
