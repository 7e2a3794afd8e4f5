import { createRandom } from '../../support/random.ts';
import type { Asked } from '../asked.ts';
import { FIRST_POST, WORKLOADS, type Workload } from '../workloads.ts';
import { Connection } from './connection.ts';

/** Instructions for a load generator. */
export interface LoadPlan {
  readonly workload: string;
  readonly port: number;
  /** Number of posts on the server. */
  readonly posts: number;
  readonly connections: number;
  readonly seconds: number;
  readonly seed: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Number of responses with an unexpected status, or with a body that the check of the workload rejects. */
  readonly wrong: number;
  readonly firstWrong: string;
  /** Number of requests that wrote. */
  readonly writes: number;
}

/** The bytes of a request. */
export function toMessage({ method = 'GET', target, headers = {}, body }: Asked): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: bench.test',
    'Accept: application/json',
    'User-Agent: bench',
  ];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

interface Tally {
  requests: number;
  writes: number;
  wrong: number;
  firstWrong: string;
}

async function runConnection(
  connection: Connection,
  next: () => Asked,
  { end, tally }: { end: number; tally: Tally },
): Promise<void> {
  while (performance.now() < end) {
    const asked = next();
    const { check, method = 'GET', expect = 200 } = asked;
    const received = await connection.send(toMessage(asked), {
      wantsBody: check !== undefined,
      isHead: method === 'HEAD',
    });
    tally.requests += 1;
    if (method === 'POST') tally.writes += 1;
    const fault = received.status === expect ? (check?.(received.body) ?? null) : `status ${received.status}`;
    if (fault === null) continue;
    tally.wrong += 1;
    if (tally.firstWrong === '')
      tally.firstWrong = `${method} ${asked.target}: ${fault} ${received.body.slice(0, 200)}`;
  }
}

async function askEtag(port: number): Promise<string> {
  const connection = new Connection(port);
  const { headers } = await connection.send(toMessage({ target: FIRST_POST }));
  connection.close();
  return /^etag: (.*)$/im.exec(headers)?.[1] ?? '';
}

interface OncePlan extends Pick<LoadPlan, 'workload' | 'port' | 'posts'> {
  /** Default 1. */
  readonly connections?: number;
  /** How many of the first requests are left out. Default 0. */
  readonly skip?: number;
}

/** Sends each request whose response is to be cached once, in order, over one connection or over several with one request in flight each. */
export async function runOnce({
  workload,
  port,
  posts,
  connections: count = 1,
  skip = 0,
}: OncePlan): Promise<null> {
  const targets = (findWorkload(workload).known?.(posts) ?? []).slice(skip).values();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const connection = new Connection(port);
      for (const target of targets) await connection.send(toMessage({ target }));
      connection.close();
    }),
  );
  return null;
}

function findWorkload(name: string): Workload {
  const workload = WORKLOADS.find((each) => each.name === name);
  if (workload === undefined) throw new TypeError(`unknown workload: ${name}`);
  return workload;
}

/**
 * Keeps this process awake until it is told to stop. Writing to a sleeping process includes the cost of waking it, which on a
 * virtual machine exceeds that of the write. Only servers slower than the generator would pay this cost.
 */
export function stayAwake(): () => void {
  let isOver = false;
  const turn = (): void => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  return () => {
    isOver = true;
  };
}

/** Sends requests as fast as the server responds, over several connections with one request in flight each. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const workload = findWorkload(plan.workload);
  const etag = workload.etag === true ? await askEtag(plan.port) : '';
  const next = workload.createRequests({ posts: plan.posts, random: createRandom(plan.seed), etag });
  const count = workload.connections ?? plan.connections;
  const connections = Array.from({ length: count }, () => new Connection(plan.port));
  const tally: Tally = { requests: 0, writes: 0, wrong: 0, firstWrong: '' };
  const started = performance.now();
  const end = started + plan.seconds * 1000;
  const rest = stayAwake();
  try {
    await Promise.all(connections.map((connection) => runConnection(connection, next, { end, tally })));
    return { ...tally, seconds: (performance.now() - started) / 1000 };
  } finally {
    rest();
    for (const connection of connections) connection.close();
  }
}
