import { spawnSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLong } from '../support/long-mode.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type TestPostgres,
} from '../support/postgres.ts';
import { startProgram, type Program } from '../support/start-program.ts';

const POSTS = '/en/cms-json/cms/v2/posts';
const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;
const SEEN_BY = 8;
const START_FAILS = ['--port', '0', '--workers', '2', '--store'];

interface Answer {
  readonly status: number | undefined;
  readonly total: string;
  readonly body: unknown;
}

/** Asks over a connection of its own, so that any of the workers may answer. */
function ask(
  origin: string,
  { path = POSTS, body }: { readonly path?: string; readonly body?: unknown } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${origin}${path}`,
      {
        agent: new Agent({ keepAlive: false }),
        ...(body === undefined
          ? {}
          : { method: 'POST', headers: { Authorization, 'Content-Type': 'application/json' } }),
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            total: String(response.headers['x-cms-total']),
            body: JSON.parse(text),
          }),
        );
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The workers of the program, which are its children. */
function workersOf({ pid }: Program): readonly number[] {
  return spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split(/\s+/)
    .map(Number);
}

interface Role {
  /** The address of a store that the role opens. */
  readonly store: string;
  /** Sets how many connections the role may have. */
  limit(connections: number): Promise<void>;
}

/** Runs a test with a role and a schema of its own, and removes both. */
async function withRole(url: string, run: (role: Role) => Promise<void>): Promise<void> {
  const name = nameSchema();
  const admin = await openAdmin(url);
  const execute = (text: string): Promise<unknown> => admin.use((connection) => connection.script(text));
  await execute(
    `CREATE ROLE ${name} LOGIN PASSWORD '${name}'; CREATE SCHEMA ${name} AUTHORIZATION ${name}; CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public`,
  );
  const store = new URL(url);
  [store.username, store.password] = [name, name];
  store.searchParams.set('schema', name);
  try {
    await run({
      store: String(store),
      limit: async (connections) => {
        await execute(`ALTER ROLE ${name} CONNECTION LIMIT ${connections}`);
      },
    });
  } finally {
    await execute(`DROP SCHEMA ${name} CASCADE; DROP ROLE ${name}`);
    await admin.close();
  }
}

async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    assert.ok(tries < 200, 'waited in vain');
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

function run({ url }: TestPostgres): void {
  const inSchema = (test: (args: readonly string[]) => Promise<void>) => async (): Promise<void> => {
    const schema = nameSchema();
    try {
      await test([
        '--port',
        '0',
        '--workers',
        '2',
        '--store',
        `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`,
      ]);
    } finally {
      await dropSchema(url, schema);
    }
  };

  const test = suite('routebook serve with --workers');
  test(
    'what one worker has acknowledged, every other one answers from then on',
    inSchema(async (args) => {
      const running = await startProgram('examples/server.js', args);
      assert.is(workersOf(running).length, 2);
      for (let round = 1; round <= 10; round += 1) {
        const { status, body } = await ask(running.origin, {
          body: { title: `Post ${round}`, status: 'publish' },
        });
        assert.is(status, 201);
        const seen = await Promise.all(
          Array.from({ length: SEEN_BY }, () => ask(running.origin, { path: `${POSTS}?per_page=1` })),
        );
        const { id } = body as { readonly id: number };
        assert.equal(
          seen.map(({ total, body: posts }) => [total, (posts as readonly { readonly id: number }[])[0]?.id]),
          Array.from({ length: SEEN_BY }, () => [String(15 + round), id]),
        );
      }
      assert.is(await running.stop(), 0);
    }),
  );
  test(
    'a worker that is killed is replaced, and what was written is there',
    inSchema(async (args) => {
      const running = await startProgram('examples/server.js', args);
      assert.is((await ask(running.origin, { body: { title: 'Kept', status: 'publish' } })).status, 201);
      const before = workersOf(running);
      process.kill(before[0] ?? 0, 'SIGKILL');
      await waitUntil(() => {
        const now = workersOf(running);
        return now.length === 2 && now.some((pid) => !before.includes(pid));
      });
      await waitUntil(async () =>
        (await Promise.all(Array.from({ length: 4 }, () => ask(running.origin)))).every(
          ({ total }) => total === '16',
        ),
      );
      assert.is(await running.stop(), 0);
      // Killed as a whole, it starts again with everything that it had.
      const again = await startProgram('examples/server.js', args);
      const workers = workersOf(again);
      process.kill(again.pid, 'SIGKILL');
      await waitUntil(() =>
        workers.every(
          (pid) =>
            spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
              .stdout.replace(/Z.*/, '')
              .trim() === '',
        ),
      );
      const last = await startProgram('examples/server.js', args);
      assert.is((await ask(last.origin)).total, '16');
      assert.is(await last.stop(), 0);
    }),
  );
  test(
    'two servers that start on one empty database fill it once',
    inSchema(async (args) => {
      const starts = await Promise.allSettled([
        startProgram('examples/server.js', args),
        startProgram('examples/server.js', args),
      ]);
      const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
      try {
        assert.equal(
          starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : [])),
          [],
        );
        for (const { origin } of running) assert.is((await ask(origin)).total, '15');
      } finally {
        for (const each of running) assert.is(await each.stop(), 0);
      }
    }),
  );
  test('a database that cannot be reached ends the start', async () => {
    const failed = await startProgram('examples/server.js', [
      ...START_FAILS,
      'postgres://nobody@localhost/none?host=/nowhere',
    ]).then(() => '', String);
    assert.match(failed, /ended with 1.*cannot be used/s);
  });
  test('too few connections end the start, and the message says what to do', () =>
    withRole(url, async ({ store, limit }) => {
      await limit(12);
      const failed = await startProgram('examples/server.js', [
        '--port',
        '0',
        '--workers',
        '8',
        '--store',
        store,
      ]).then(() => '', String);
      assert.match(failed, /ended with 1\n/);
      assert.match(
        failed,
        /too many connections for role .*\. Each process uses up to 10 connections: allow more of them/,
      );
      assert.match(failed, 'A worker could not start (it ended with 1).');
    }));
  if (isLong) {
    test('the server ends if no worker is left and none can start for a minute', () =>
      withRole(url, async ({ store, limit }) => {
        const running = await startProgram('examples/server.js', [
          '--port',
          '0',
          '--workers',
          '2',
          '--store',
          store,
        ]);
        await limit(0);
        const [first = 0, second = 0] = workersOf(running);
        process.kill(first, 'SIGKILL');
        await waitUntil(() => running.written().includes('could not start'));
        assert.ok(workersOf(running).includes(second));
        process.kill(second, 'SIGKILL');
        for (let waited = 0; !running.written().includes('error: no worker is left'); waited += 1) {
          assert.ok(waited < 200, running.written());
          await new Promise((resolve) => {
            setTimeout(resolve, 1000);
          });
        }
        assert.is(await running.stop(), 1);
      }));
  }
  test.run();
}

const server = await findPostgres({ fsync: true });
if (server === null) skipPostgres('routebook serve with --workers');
else run(server);

const refused = suite('--workers without a store that can be shared');
refused('says so and does not start', async () => {
  const failed = await startProgram('examples/server.js', [...START_FAILS, 'memory']).then(() => '', String);
  assert.match(failed, /ended with 2.*cannot share the store "memory"/s);
});
refused.run();
