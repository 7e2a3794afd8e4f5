import { createRandom } from '../../support/random.ts';
import type { Asked } from '../asked.ts';
import { FIRST_POST, WORKLOADS, type Workload } from '../workloads.ts';
import { Connection } from './connection.ts';

/** What a load generator is told to do. */
export interface LoadPlan {
  readonly workload: string;
  readonly port: number;
  /** Posts that the server has. */
  readonly posts: number;
  readonly connections: number;
  readonly seconds: number;
  readonly seed: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Answers with a status that the work load does not expect, or with a body that its check refuses. */
  readonly wrong: number;
  readonly firstWrong: string;
  /** Of the requests: those that wrote. */
  readonly writes: number;
}

/** The bytes of a request. */
export function toMessage({ method = 'GET', target, headers = {}, body }: Asked): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: bench.test', 'Accept: application/json', 'User-Agent: bench'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

interface Tally { requests: number; writes: number; wrong: number; firstWrong: string }

async function runConnection(connection: Connection, next: () => Asked, { end, tally }: { end: number; tally: Tally }): Promise<void> {
  while (performance.now() < end) {
    const asked = next();
    const { check, method = 'GET', expect = 200 } = asked;
    const received = await connection.send(toMessage(asked), { wantsBody: check !== undefined, isHead: method === 'HEAD' });
    tally.requests += 1;
    if (method === 'POST') tally.writes += 1;
    const fault = received.status === expect ? check?.(received.body) ?? null : `status ${received.status}`;
    if (fault === null) continue;
    tally.wrong += 1;
    if (tally.firstWrong === '') tally.firstWrong = `${method} ${asked.target}: ${fault} ${received.body.slice(0, 200)}`;
  }
}

async function askEtag(port: number): Promise<string> {
  const connection = new Connection(port);
  const { headers } = await connection.send(toMessage({ target: FIRST_POST }));
  connection.close();
  return /^etag: (.*)$/im.exec(headers)?.[1] ?? '';
}

/** Asks once for each answer that is to be known. */
export async function runOnce({ workload, port, posts }: Pick<LoadPlan, 'workload' | 'port' | 'posts'>): Promise<null> {
  const connection = new Connection(port);
  for (const target of findWorkload(workload).known?.(posts) ?? []) await connection.send(toMessage({ target }));
  connection.close();
  return null;
}

function findWorkload(name: string): Workload {
  const workload = WORKLOADS.find((each) => each.name === name);
  if (workload === undefined) throw new TypeError(`there is no work load ${name}`);
  return workload;
}

/**
 * Keeps this process from sleeping until it is told to stop. Whoever writes to a process that sleeps pays for waking it, on a
 * virtual machine more than for the write itself: a server slower than the generator would be charged for that, a fast one not.
 */
export function stayAwake(): () => void {
  let isOver = false;
  const turn = (): void => { if (!isOver) setImmediate(turn); };
  turn();
  return () => { isOver = true; };
}

/** Asks as fast as the server answers, over several connections with one request in flight each. */
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
