import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasClients, loadClient } from '../../../support/clients/installed.ts';
import { countRuns, isLong } from '../../../support/long-mode.ts';
import { createRandom } from '../../../support/random.ts';
import { ROUTEBOOK, withServer } from '../../../support/routebook.ts';
import { PROJECT } from '../../../support/sources.ts';
import { startNode } from '../../../support/start-program.ts';
import { until } from '../../../support/until.ts';

const LISTENERS = isLong ? 2000 : 100;
const WRITES = countRuns(100, 3000);

interface Item {
  readonly id: number;
  readonly version?: number;
}

/** Opens a stream after a cursor. `take`: gets each change, with the cursor after it. */
type Listen = (
  after: string,
  take: (items: readonly Item[], cursor: string) => void,
  signal: AbortSignal,
) => void;

const ignore = (): undefined => undefined;

/** A program that reads lines, such as curl in a loop. A server that is busy refuses it for a while. */
const byLines =
  (url: string): Listen =>
  (after, take, signal) => {
    let last = after;
    const read = async (): Promise<void> => {
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': last };
      const { ok, body } = await fetch(url, { headers, signal });
      let text = '';
      const decoder = new TextDecoder();
      for await (const part of (ok ? body : null) ?? []) {
        const events = (text + decoder.decode(part, { stream: true })).split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const [, id, data] = /^id: (.*)\nevent: change\ndata: (.*)$/m.exec(event) ?? [];
          if (id === undefined || data === undefined) continue;
          last = id;
          take([JSON.parse(data) as Item], id);
        }
      }
    };
    const repeat = async (): Promise<void> => {
      while (!signal.aborted) {
        await read().catch(ignore);
        await pause(100, undefined, { signal }).catch(ignore);
      }
    };
    void repeat();
  };

interface Source {
  readonly readyState: number;
  addEventListener(
    name: string,
    take: (event: { readonly data: string; readonly lastEventId: string }) => void,
  ): void;
  close(): void;
}
interface EventSourceModule {
  readonly EventSource: new (url: string) => Source;
}

/** `readyState` of a source that will not come back by itself, as after a 503. */
const CLOSED = 2;

/** The client `eventsource`, which comes back by itself when a stream ends. */
const byEventSource =
  (url: string): Listen =>
  (after, take, signal) => {
    const { EventSource } = loadClient<EventSourceModule>('eventsource');
    let last = after;
    const open = (): void => {
      if (signal.aborted) return;
      const source = new EventSource(`${url}&after=${last}`);
      source.addEventListener('change', ({ data, lastEventId }) => {
        last = lastEventId;
        take([JSON.parse(data) as Item], lastEventId);
      });
      source.addEventListener('error', () => {
        if (source.readyState === CLOSED) setTimeout(open, 100);
      });
      signal.addEventListener('abort', () => source.close());
    };
    open();
  };

/** One listener, which can be cut off and goes on where it was. */
class Listener {
  readonly #listen: Listen;
  readonly got: string[] = [];
  #at: string;
  #cut = new AbortController();

  constructor(listen: Listen, at: string) {
    this.#listen = listen;
    this.#at = at;
  }

  start(): void {
    const cut = new AbortController();
    this.#cut = cut;
    this.#listen(
      this.#at,
      (items, cursor) => {
        if (cut.signal.aborted) return;
        this.#at = cursor;
        for (const { id, version } of items) this.got.push(`${id} ${version}`);
      },
      cut.signal,
    );
  }

  stop(): void {
    this.#cut.abort();
  }
}

/** Processor time of a process in hundredths of a second; 0 where the system does not tell. */
function readTicks(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Publishes a post. @returns its id */
async function writePost(api: string, title: string): Promise<string> {
  const answer = await fetch(`${api}/cms/v2/posts`, {
    method: 'POST',
    body: JSON.stringify({ title, status: 'publish' }),
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from('admin:adminpass').toString('base64')}`,
    },
  });
  assert.is(answer.status, 201);
  return String(((await answer.json()) as Item).id);
}

const listeners = suite('listeners in number');

listeners(`${LISTENERS} listeners that come back again and again: nothing is missed or doubled`, async () => {
  const args = ['serve', '--store', 'memory', '--fixtures', 'demo', '--plugins', 'changes', '--port', '0'];
  const site = await startNode('serve', [ROUTEBOOK, ...args]);
  const all: Listener[] = [];
  try {
    const api = `${site.origin}/en/cms-json`;
    const feed = `${api}/changes/v1/changes?collections=posts`;
    const write = (title: string): Promise<string> => writePost(api, title);
    const begin = await fetch(`${feed}&after=now`);
    const cursor = String(begin.headers.get('x-cms-cursor'));
    const first: string[] = [];
    const before = readTicks(site.pid);
    for (let run = 0; run < WRITES; run += 1) first.push(await write(`Alone ${run}`));
    const alone = readTicks(site.pid) - before;
    const kinds = [byLines(feed), ...(hasClients() ? [byEventSource(feed)] : [])];
    const random = createRandom(31);
    for (let count = 0; count < LISTENERS; count += 1)
      all.push(new Listener(kinds[count % kinds.length] as Listen, cursor));
    for (const each of all) each.start();
    await until(() => all.every(({ got }) => got.length >= WRITES), 'what was written before');
    const second: string[] = [];
    const middle = readTicks(site.pid);
    for (let run = 0; run < WRITES; run += 1) {
      second.push(await write(`Heard ${run}`));
      // Each listener comes back once in ten writes or so.
      for (let count = 0; count < LISTENERS / 10; count += 1) {
        const each = random.pick(all);
        each.stop();
        each.start();
      }
    }
    const wanted = [...first, ...second].map((id) => `${id} 1`);
    await until(() => all.every(({ got }) => got.length >= wanted.length), 'all changes');
    const heard = readTicks(site.pid) - middle;
    const missed = all.reduce((sum, { got }) => sum + wanted.filter((each) => !got.includes(each)).length, 0);
    const doubled = all.reduce((sum, { got }) => sum + got.length - new Set(got).size, 0);
    console.log(
      `${LISTENERS} listeners, ${kinds.length} clients, ${WRITES} writes: ${missed} missed, ${doubled} doubled; processor time of the writes ${alone} alone, ${heard} with listeners and ${Math.round(LISTENERS / 10) * WRITES} of them coming back`,
    );
    assert.equal({ missed, doubled }, { missed: 0, doubled: 0 });
    for (const { got } of all) assert.equal(got, wanted);
  } finally {
    for (const each of all) each.stop();
    await site.stop();
  }
});

/** It runs in a process of its own, because the client keeps timers after it was cancelled. */
const FOLLOW = `
import { stream } from '@durable-streams/client';
const [, url, offset, live] = process.argv;
const answer = await stream({ url, offset, live, json: true });
answer.subscribeJson(({ items }) => { for (const { id } of items) console.log(id); });
`;

for (const live of ['sse', 'long-poll'])
  listeners(`the client of Durable Streams follows the feed by ${live}`, async () => {
    const args = ['serve', '--store', 'memory', '--fixtures', 'demo', '--plugins', 'changes', '--port', '0'];
    await withServer(args, async (origin) => {
      const api = `${origin}/en/cms-json`;
      const feed = `${api}/changes/v1/changes?collections=posts`;
      const cursor = (await fetch(`${feed}&after=now`)).headers.get('x-cms-cursor') ?? '';
      const client = spawn(process.execPath, ['--input-type=module', '--eval', FOLLOW, feed, cursor, live], {
        cwd: PROJECT,
      });
      let printed = '';
      client.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      try {
        const ids: string[] = [];
        for (const title of ['One', 'Two', 'Three']) ids.push(await writePost(api, title));
        await until(() => printed.trim().split('\n').length >= ids.length, 'all changes');
        assert.is(printed.trim(), ids.join('\n'));
      } finally {
        client.kill('SIGKILL');
        await once(client, 'close');
      }
    });
  });

listeners.run();
