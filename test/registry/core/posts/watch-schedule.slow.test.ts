import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countRuns, isLong } from '../../../support/long-mode.ts';
import { dropSchema, findPostgres, nameSchema, skipPostgres } from '../../../support/postgres.ts';
import { ROUTEBOOK } from '../../../support/routebook.ts';
import { startNode } from '../../../support/start-program.ts';

const POSTS = countRuns(100, 1000);
/** From the first write to the first date, and from the first to the last date. Seconds. */
const [AHEAD, SPREAD] = isLong ? [60, 60] : [15, 10];
const headers = {
  'Content-Type': 'application/json',
  Authorization: `Basic ${Buffer.from('admin:adminpass').toString('base64')}`,
};

interface Item {
  readonly id: number;
  readonly op: string;
  readonly from?: string;
  readonly at: string;
}

async function publish(store: string): Promise<void> {
  const args = ['serve', '--store', store, '--workers', '3', '--plugins', 'changes', '--port', '0'];
  const site = await startNode('serve', [ROUTEBOOK, ...args]);
  try {
    const api = `${site.origin}/en/cms-json`;
    const begin = await fetch(`${api}/changes/v1/changes?after=now`, { headers });
    const cursor = String(begin.headers.get('x-cms-cursor'));
    const first = Math.ceil(Date.now() / 1000) + AHEAD;
    const due = new Map<number, number>();
    for (let post = 0; post < POSTS; post += 1) {
      const time = (first + (post % SPREAD)) * 1000;
      const date_gmt = new Date(time).toISOString().slice(0, 19);
      const body = JSON.stringify({ title: `P${post}`, status: 'future', date_gmt });
      const answer = await fetch(`${api}/cms/v2/posts`, { method: 'POST', headers, body });
      const { id, status } = (await answer.json()) as { readonly id: number; readonly status: string };
      assert.is(status, 'future', 'the machine is too slow: raise AHEAD');
      due.set(id, time);
    }
    // Nobody reads: what is not published by then would be published by the read, and be late.
    await pause((first + SPREAD + 3) * 1000 - Date.now());
    const items: Item[] = [];
    for (let after = cursor, isLast = false; !isLast;) {
      const target = `${api}/changes/v1/changes?collections=posts&per_page=1000&after=${after}`;
      const page = await fetch(target, { headers });
      items.push(...((await page.json()) as readonly Item[]));
      after = String(page.headers.get('x-cms-cursor'));
      isLast = page.headers.get('x-cms-caught-up') === 'true';
    }
    const times = new Map([...due.keys()].map((id) => [id, [] as number[]]));
    for (const { id, op, from, at } of items)
      if (op === 'put' && from === 'schedule') times.get(id)?.push(Date.parse(at) - (due.get(id) ?? 0));
    const late = [...times.values()].flat().toSorted((one, two) => one - two);
    const [p50, p99] = [0.5, 0.99].map((part) => late[Math.floor(late.length * part)]);
    console.log(`${POSTS} posts: ${p50} ms after their time, p99 ${p99} ms`);
    assert.equal(
      {
        missed: [...times.values()].filter(({ length }) => length === 0).length,
        doubled: [...times.values()].filter(({ length }) => length > 1).length,
        early: late.filter((each) => each < 0).length,
      },
      { missed: 0, doubled: 0, early: 0 },
    );
  } finally {
    await site.stop();
  }
}

const server = await findPostgres({ fsync: true });
if (server === null) skipPostgres('scheduled posts of three processes');
else {
  const schedule = suite('scheduled posts of three processes');
  schedule(`${POSTS} are published once each, and nobody reads`, async () => {
    const schema = nameSchema();
    await publish(`${server.url}&schema=${schema}`);
    await dropSchema(server.url, schema);
  });
  schedule.run();
}
