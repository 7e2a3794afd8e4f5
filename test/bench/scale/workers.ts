// How many reads and creates a second do several processes on one PostgreSQL answer, and does any of them show an old state or lose an update?
// `node dist/test/bench/scale/workers.js [--workers 1,2,4,8] [--seconds 4]`. Clients, processes and database share the machine.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startCluster } from '../../support/postgres.ts';
import { startProgram, type Program } from '../../support/start-program.ts';

const POSTS = '/en/cms-json/cms/v2/posts';
const HEADERS = {
  authorization: `Basic ${Buffer.from('admin:adminpass').toString('base64')}`,
  'content-type': 'application/json',
};
/** Connections of each load. */
const CLIENTS = 32;
/** Every worker is likely to be among those that accept so many new connections. */
const FRESH = 6;

interface Post {
  readonly id: number;
  readonly title: { readonly raw: string };
}

function countWorkers({ pid }: Program): number {
  return spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split(/\s+/).length;
}

/** Runs `ask` on several clients until the time is over. @returns how many a second were answered with `status`, and how many with 503 */
async function rate(
  ms: number,
  status: number,
  ask: () => Promise<Response>,
): Promise<{ readonly perSecond: number; readonly refused: number }> {
  let [done, refused] = [0, 0];
  const end = performance.now() + ms;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < end) {
        const response = await ask();
        await response.arrayBuffer();
        if (response.status === status) done += 1;
        else if (response.status === 503) refused += 1;
        else throw new Error(`status ${response.status}`);
      }
    }),
  );
  return { perSecond: (done / ms) * 1000, refused };
}

/** Writes a title and reads it over new connections, again and again. @returns how many reads showed an older title, of how many */
async function countStale(
  url: string,
  ms: number,
): Promise<{ readonly stale: number; readonly read: number }> {
  let [stale, read] = [0, 0];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const title = `Title ${read}`;
    const written = await fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify({ title }) });
    await written.arrayBuffer();
    if (written.status !== 200) continue;
    const seen = await Promise.all(
      Array.from({ length: FRESH }, async () => {
        const response = await fetch(url, { headers: { connection: 'close' } });
        return response.status === 200
          ? ((await response.json()) as { readonly title: { readonly rendered: string } }).title.rendered
          : null;
      }),
    );
    read += seen.filter((each) => each !== null).length;
    stale += seen.filter((each) => each !== null && each !== title).length;
  }
  return { stale, read };
}

/** Adds 1 to the number in a title, from several clients that each send the tag they read. @returns acknowledged additions and the number at the end */
async function countLost(
  url: string,
  ms: number,
): Promise<{ readonly acknowledged: number; readonly lost: number }> {
  let acknowledged = 0;
  const end = performance.now() + ms;
  const read = async (): Promise<{ readonly count: number; readonly tag: string }> => {
    const response = await fetch(`${url}?context=edit`, { headers: HEADERS });
    if (response.status === 503) {
      await response.arrayBuffer();
      return read();
    }
    return {
      count: Number(((await response.json()) as Post).title.raw),
      tag: response.headers.get('etag') ?? '',
    };
  };
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < end) {
        const { count, tag } = await read();
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...HEADERS, 'if-match': tag },
          body: JSON.stringify({ title: String(count + 1) }),
        });
        await response.arrayBuffer();
        if (response.status === 200) acknowledged += 1;
      }
    }),
  );
  return { acknowledged, lost: acknowledged - (await read()).count };
}

async function create(origin: string, title: string): Promise<string> {
  const response = await fetch(`${origin}${POSTS}`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ title, status: 'publish' }),
  });
  return `${origin}${POSTS}/${((await response.json()) as Post).id}`;
}

async function measure(url: string, workers: number, ms: number): Promise<void> {
  const program = await startProgram('examples/server.js', [
    '--port',
    '0',
    '--store',
    `${url}${url.includes('?') ? '&' : '?'}schema=workers_${workers}`,
    ...(workers === 1 ? [] : ['--workers', String(workers)]),
  ]);
  try {
    if (workers > 1 && countWorkers(program) !== workers)
      throw new Error(`${countWorkers(program)} workers run`);
    const { origin } = program;
    const post = (): Promise<Response> =>
      fetch(`${origin}${POSTS}`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify({
          title: 'Measured',
          content: 'The harbour wakes. '.repeat(50),
          status: 'publish',
        }),
      });
    const list = (): Promise<Response> => fetch(`${origin}${POSTS}?per_page=10`);
    const counter = await create(origin, '0');
    const shown = await create(origin, 'Title');
    await rate(ms / 2, 200, list);
    const reads = await rate(ms, 200, list);
    const [creates, staleness] = await Promise.all([rate(ms, 201, post), countStale(shown, ms)]);
    const { acknowledged, lost } = await countLost(counter, ms);
    console.log(
      `${workers} workers: ${reads.perSecond.toFixed(0)} reads/s (${reads.refused} refused), ${creates.perSecond.toFixed(0)} creates/s (${creates.refused} refused), ` +
        `${staleness.stale} of ${staleness.read} reads after a write were stale, ${lost} of ${acknowledged} updates lost`,
    );
  } finally {
    await program.stop();
  }
}

const { values } = parseArgs({
  options: { workers: { type: 'string', default: '1,2,4,8' }, seconds: { type: 'string', default: '4' } },
});
const { url, control } = await startCluster({ fsync: true });
try {
  for (const workers of values.workers.split(',').map(Number))
    await measure(url, workers, Number(values.seconds) * 1000);
} finally {
  await control.remove();
}
