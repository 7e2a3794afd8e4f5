import { readFile } from 'node:fs/promises';
// How many posts a second do batches of 25 create, against single requests?
// `node dist/test/bench/scale/batches.js [--store sqlite|postgres] [--seconds 2] [--rounds 3]`: medians of rounds in turns; wanted on one connection: x3 on both stores;
// batches on 4 connections against singles on 64: x1 on SQLite, x3 on PostgreSQL.
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { collections, type Fixture } from '../../../registry/index.ts';
import { openHttpSite, type HttpSite } from '../../support/http-site.ts';
import { withDatabase, type Kind } from './stores.ts';

const SIZE = 25;
let number = 0;

const toPost = (): object => {
  number += 1;
  return {
    title: `A post of the measurement ${number}`,
    content: `<p>${'The harbour wakes before the town does. '.repeat(25)}</p>`,
    status: 'publish',
  };
};

/** Sends one request. @returns how many posts it created */
function send({ base, passwords }: HttpSite, agent: Agent, isBatch: boolean): Promise<number> {
  const body = isBatch
    ? {
        requests: Array.from({ length: SIZE }, () => ({
          method: 'POST',
          path: '/cms/v2/posts',
          body: toPost(),
        })),
      }
    : toPost();
  const headers = {
    authorization: `Basic ${Buffer.from(`admin:${passwords['admin'] ?? ''}`).toString('base64')}`,
    'content-type': 'application/json',
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${base}${isBatch ? '/batch/v1' : '/cms/v2/posts'}`,
      { method: 'POST', agent, headers },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('end', () => {
            const statuses = isBatch
              ? (JSON.parse(text) as { responses: readonly { status: number }[] }).responses.map(
                  ({ status }) => status,
                )
              : [response.statusCode];
            resolve(statuses.filter((status) => status === 201).length);
          });
      },
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

/** Created posts per second. */
async function rate(
  site: HttpSite,
  {
    connections,
    isBatch,
    ms,
  }: { readonly connections: number; readonly isBatch: boolean; readonly ms: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  const created = await Promise.all(
    Array.from({ length: connections }, async () => {
      let count = 0;
      while (performance.now() - began < ms) count += await send(site, agent, isBatch);
      return count;
    }),
  );
  agent.destroy();
  return (created.reduce((sum, each) => sum + each, 0) / (performance.now() - began)) * 1000;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const {
  values: { store: kind, seconds, rounds },
} = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
  },
});
const fixture = JSON.parse(
  await readFile(new URL('../../../../examples/demo-site.json', import.meta.url), 'utf8'),
) as Fixture;
await withDatabase(kind as Kind, { fsync: true }, async (open) => {
  const store = await open(collections);
  const site = await openHttpSite(fixture, { store });
  const ms = Number(seconds) * 1000;
  for (const isBatch of [false, true]) await rate(site, { connections: 8, isBatch, ms: ms / 2 });
  for (const [singles, batches] of [
    [1, 1],
    [64, 4],
  ] as const) {
    const found: { readonly single: number; readonly batch: number }[] = [];
    for (let round = 0; round < Number(rounds); round += 1) {
      found.push({
        single: await rate(site, { connections: singles, isBatch: false, ms }),
        batch: await rate(site, { connections: batches, isBatch: true, ms }),
      });
    }
    const [single, batch, ratio] = [
      found.map((each) => each.single),
      found.map((each) => each.batch),
      found.map((each) => each.batch / each.single),
    ].map(medianOf) as [number, number, number];
    console.log(
      `${kind}: singles on ${singles}: ${single.toFixed(0)}/s; batches of ${SIZE} on ${batches}: ${batch.toFixed(0)}/s  x${ratio.toFixed(1)}`,
    );
  }
  await site.close();
  await store.close();
});
