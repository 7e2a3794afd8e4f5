import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  skipPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { startProgram, type Program } from '../../../support/start-program.ts';

const API = '/en/cms-json/cms/v2';
const HEADERS = {
  authorization: `Basic ${Buffer.from('admin:adminpass').toString('base64')}`,
  'content-type': 'application/json',
};

interface Item {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function send({ origin }: Program, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(
    `${origin}${path}`,
    body === undefined ? {} : { method: 'POST', headers: HEADERS, body: JSON.stringify(body) },
  );
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Each item is answered with 2xx. */
async function sendBatch(program: Program, items: readonly Item[]): Promise<readonly Answer['body'][]> {
  const { body } = await send(program, '/en/cms-json/batch/v1', {
    requests: items.map(({ path, body: sent }) => ({ method: 'POST', path: `/cms/v2${path}`, body: sent })),
  });
  const answers = body['responses'] as readonly Answer[];
  assert.equal(
    answers.filter(({ status }) => status >= 300),
    [],
  );
  return answers.map((each) => each.body);
}

/** A post in a category. Its answer has the category's slug, which the process keeps until the revision of the terms changes. */
const toPost = (category: number): Item => ({
  path: '/posts',
  body: { title: 'In a category', status: 'publish', categories: [category] },
});
/** The number in the slug of the category, as a post or the category itself shows it. */
const toNumber = (shown: Answer['body']): number =>
  Number(/-numbered-(\d+)/.exec(JSON.stringify(shown['class_list'] ?? shown['slug']))?.[1]);

function run({ url }: TestPostgres): void {
  const test = suite('batches beside another process on PostgreSQL');
  const schema = nameSchema();
  const start = (): Promise<Program> =>
    startProgram('examples/server.js', [
      '--port',
      '0',
      '--content',
      'core',
      '--store',
      `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`,
    ]);
  let programs: readonly Program[] = [];
  let categories = 0;

  /** Both processes, and a category of its own. The first test starts them. */
  const withTwo =
    (use: (one: Program, other: Program, category: number) => Promise<void>) => async (): Promise<void> => {
      if (programs.length === 0) programs = [await start(), await start()];
      const [one, other] = programs as [Program, Program];
      categories += 1;
      const { status, body } = await send(one, `${API}/categories`, {
        name: `Category ${categories}`,
        slug: `of-${categories}-numbered-0`,
      });
      assert.is(status, 201);
      await use(one, other, Number(body['id']));
    };

  test(
    'all items see what was acknowledged before the batch arrived',
    withTwo(async (one, other, category) => {
      for (let number = 1; number <= 10; number += 1) {
        await send(other, `${API}/categories/${category}`, { slug: `of-${categories}-numbered-${number}` });
        const items = await sendBatch(
          one,
          Array.from({ length: 4 }, () => toPost(category)),
        );
        assert.equal(items.map(toNumber), [number, number, number, number]);
      }
    }),
  );

  test(
    'items see the items before them',
    withTwo(async (one, _other, category) => {
      const toRename = (number: number): Item => ({
        path: `/categories/${category}`,
        body: { slug: `of-${categories}-numbered-${number}` },
      });
      const items = await sendBatch(one, [
        toPost(category),
        toRename(1),
        toPost(category),
        toRename(2),
        toPost(category),
      ]);
      assert.equal(items.map(toNumber), [0, 1, 1, 2, 2]);
    }),
  );

  test(
    'what changes meanwhile is not seen and then unseen, and nothing older stays in a cache',
    withTwo(async (one, other, category) => {
      const over = new AbortController();
      let [sent, acknowledged] = [0, 0];
      const rename = async (): Promise<void> => {
        while (!over.signal.aborted) {
          sent += 1;
          await send(other, `${API}/categories/${category}`, { slug: `of-${categories}-numbered-${sent}` });
          acknowledged = sent;
        }
      };
      const compare = async (): Promise<number> => {
        let moved = 0;
        for (let round = 0; round < 15; round += 1) {
          const before = acknowledged;
          // The fourth and the eighth item read the category itself.
          const items = await sendBatch(
            one,
            Array.from({ length: 12 }, (_each, at) =>
              at % 4 === 3 ? { path: `/categories/${category}`, body: {} } : toPost(category),
            ),
          );
          const numbers = items.map(toNumber);
          assert.equal(
            numbers,
            numbers.toSorted((a, b) => a - b),
          );
          assert.ok(
            (numbers[0] as number) >= before && (numbers.at(-1) as number) <= sent,
            `${before} ${numbers.join(' ')} ${sent}`,
          );
          if (numbers[0] !== numbers.at(-1)) moved += 1;
          const known = acknowledged;
          const { body } = await send(one, `${API}/posts/${String(items[0]?.['id'])}`);
          assert.ok(toNumber(body) >= known, `${toNumber(body)} ${known}`);
        }
        return moved;
      };
      const renaming = rename();
      const moved = await compare().finally(() => over.abort());
      await renaming;
      assert.ok(moved > 0, 'no batch met a change');
    }),
  );

  test.after(async () => {
    for (const program of programs) await program.stop();
    await dropSchema(url, schema);
  });

  test.run();
}

const server = await findPostgres({ fsync: true });
if (server === null) skipPostgres('batches beside another process');
else run(server);
