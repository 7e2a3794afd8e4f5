import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { collections } from '../../registry/index.ts';
import { countRuns } from '../support/long-mode.ts';
import { startProgram, type Program } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';

/** How often the server is killed. */
const RUNS = countRuns(20, 200);
const CLIENTS = 4;
const LONGEST_LIFE_MS = 250;
const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;

/** What clients were told, by id of the post. `sent`: its state after a request that was not answered is one of two. */
interface Told {
  readonly titles: Map<number, { told: string; sent: string }>;
  readonly removed: Set<number>;
  acknowledged: number;
}

async function send(
  url: string,
  method: string,
  body: unknown,
): Promise<{ readonly status: number; readonly id: number } | null> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { Authorization, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { id } = (await answer.json()) as { readonly id?: number };
    return { status: answer.status, id: Number(id ?? 0) };
  } catch {
    // The server is gone: nothing was promised.
    return null;
  }
}

/** Creates a post, changes it and removes every fourth one, until the server is gone. */
async function work(posts: string, told: Told, name: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    const first = `${name} ${count}`;
    const created = await send(posts, 'POST', {
      title: first,
      content: 'x'.repeat((count * 97) % 3000),
      status: 'publish',
    });
    if (created === null) return;
    assert.is(created.status, 201);
    told.acknowledged += 1;
    const entry = { told: first, sent: `${first} changed` };
    told.titles.set(created.id, entry);
    const changed = await send(`${posts}/${created.id}`, 'POST', { title: entry.sent });
    if (changed === null) return;
    assert.is(changed.status, 200);
    told.acknowledged += 1;
    entry.told = entry.sent;
    if (count % 4 > 0) continue;
    told.titles.delete(created.id);
    if ((await send(`${posts}/${created.id}?force=true`, 'DELETE', undefined)) === null) return;
    told.removed.add(created.id);
    told.acknowledged += 1;
  }
}

async function liveAndDie(server: Program, told: Told, run: number): Promise<void> {
  const posts = `${server.origin}/en/cms-json/cms/v2/posts`;
  const before = told.acknowledged;
  const clients = Array.from({ length: CLIENTS }, (_, client) => work(posts, told, `${run}/${client}`));
  // The first answer takes longest: the password is looked at. Killed before it, a server proves nothing.
  while (told.acknowledged === before)
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  await new Promise((resolve) => {
    setTimeout(resolve, Math.random() * LONGEST_LIFE_MS);
  });
  process.kill(server.pid, 'SIGKILL');
  await server.stop();
  await Promise.all(clients);
}

interface Faults {
  readonly lost: number;
  readonly back: number;
  readonly half: number;
}

/** Compares the store with what was told: posts that are lost, that came back, and changed ones without their revision. */
async function inspect(directory: string, { titles, removed }: Told): Promise<Faults> {
  const store = await createSqliteStore({ directory, collections });
  const { records: posts } = await store.find({ collection: 'posts', fields: ['title'] });
  const { records: revisions } = await store.find({ collection: 'revisions', fields: ['parent', 'title'] });
  await store.close();
  const stored = new Map(posts.map((post) => [post.id, String(post['title'])]));
  const revised = new Set(
    revisions.map((revision) => `${String(revision['parent'])} ${String(revision['title'])}`),
  );
  return {
    lost: [...titles].filter(([id, { told, sent }]) => ![told, sent].includes(stored.get(id) ?? '')).length,
    back: [...removed].filter((id) => stored.has(id)).length,
    half:
      [...stored].filter(([id, title]) => title.endsWith(' changed') && !revised.has(`${id} ${title}`))
        .length + revisions.filter((revision) => !stored.has(Number(revision['parent']))).length,
  };
}

const crash = suite('routebook serve: kill -9 under writes');
crash(
  `${RUNS} times: every acknowledged write is there, no change is without its revision, every start works`,
  () =>
    inFolder(async (directory) => {
      const told: Told = { titles: new Map(), removed: new Set(), acknowledged: 0 };
      for (let run = 0; run < RUNS; run += 1) {
        const server = await startProgram('examples/server.js', [
          '--port',
          '0',
          '--store',
          `file:${directory}`,
        ]);
        await liveAndDie(server, told, run);
        assert.equal(await inspect(directory, told), { lost: 0, back: 0, half: 0 }, `after kill ${run + 1}`);
      }
      console.log(`${told.acknowledged} acknowledged writes`);
      assert.ok(told.acknowledged >= RUNS * 2);
    }),
);
crash.run();
