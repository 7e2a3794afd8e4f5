import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ADMIN_TOKEN } from '../admin.ts';
import { Connection, type Received } from '../load/connection.ts';
import { toMessage } from '../load/run-load.ts';
import { BASE } from '../peers/peer.ts';
import type { ScaleOrder } from './server.ts';

const SCRIPT = fileURLToPath(new URL('server.js', import.meta.url));

/** A request of the program. */
export interface Ask {
  readonly method?: 'GET' | 'POST';
  /** Below the base of the site. */
  readonly path: string;
  readonly body?: unknown;
}

/** The bytes of a request. Writes are those of the administrator. */
export function toBytes({ method = 'GET', path, body }: Ask): string {
  return toMessage({
    method,
    target: `${BASE}${path}`,
    ...(body === undefined ? {} : { body, headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } }),
  });
}

/** A site in a process of its own. */
export interface ScaleServer {
  readonly port: number;
  readonly posts: number;
  close(): Promise<void>;
}

async function order(child: ChildProcess, what: ScaleOrder): Promise<number> {
  const answered = new Promise<number>((resolve, reject) => {
    child.once('message', ({ port, error }: { port?: number; error?: string }) => {
      if (port === undefined) reject(new Error(error));
      else resolve(port);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${String(code)}`)));
  });
  child.send(what);
  return answered;
}

/** Serves a store that has `posts` posts. */
export async function openServer(what: Omit<ScaleOrder, 'fill'>, posts: number): Promise<ScaleServer> {
  const child = fork(SCRIPT, {
    env: { ...process.env, NODE_ENV: 'production' },
    execArgv: ['--max-old-space-size=8000'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const port = await order(child, { ...what, fill: 0 });
  return {
    port,
    posts,
    close: async () => {
      child.disconnect();
      await gone;
    },
  };
}

/** Writes the posts in a process of its own, which ends then. */
export async function fill(what: Omit<ScaleOrder, 'fill'>, posts: number): Promise<void> {
  const child = fork(SCRIPT, { env: { ...process.env, NODE_ENV: 'production' } });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  await order(child, { ...what, fill: posts });
  child.disconnect();
  await gone;
}

/** A response, and the milliseconds until it was complete. */
export interface Answer extends Received {
  readonly ms: number;
}

/** Sends one request on a connection of its own, as a visitor does. */
export async function ask(port: number, what: Ask): Promise<Answer> {
  const connection = new Connection(port);
  const started = performance.now();
  try {
    const received = await connection.send(toBytes(what), { wantsBody: true });
    return { ...received, ms: performance.now() - started };
  } finally {
    connection.close();
  }
}

/** The same for a request that must succeed. @throws Error for a status from 400 */
export async function askWell(port: number, what: Ask): Promise<Answer> {
  const answer = await ask(port, what);
  if (answer.status >= 400)
    throw new Error(`${what.method ?? 'GET'} ${what.path}: ${answer.status} ${answer.body.slice(0, 200)}`);
  return answer;
}

/** The value below which this share of the values lies. */
export function toQuantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((left, right) => left - right)[
      Math.min(values.length - 1, Math.floor(values.length * share))
    ] ?? Number.NaN
  );
}

/** The median time of requests, sent one after the other. */
export async function timeEach(port: number, asks: readonly Ask[]): Promise<number> {
  const times: number[] = [];
  for (const each of asks) times.push((await askWell(port, each)).ms);
  return toQuantile(times, 0.5);
}

/** Requests a second over kept connections with one request in flight each, for a while. 503 counts as refused. */
export async function countRate(
  port: number,
  {
    connections,
    seconds,
    next,
  }: { readonly connections: number; readonly seconds: number; readonly next: () => Ask },
): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = new Connection(port);
      while (performance.now() < end) {
        const what = next();
        const { status, body } = await connection.send(toBytes(what), { wantsBody: true });
        if (status < 400) count += 1;
        else if (status !== 503) throw new Error(`${what.path}: ${status} ${body.slice(0, 200)}`);
      }
      connection.close();
    }),
  );
  return (count / (performance.now() - started)) * 1000;
}
