import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore, type PostgresStoreOptions } from '../../../../adapters/postgres-store.ts';
import type { FragileStore } from '../../../../adapters/stores/contract/commits.ts';
import { eq } from '../../../../lib/store/query.ts';
import { collections as usual, type Fixture } from '../../../../registry/index.ts';
import { openHttpSite } from '../../../support/http-site.ts';
import {
  type Mishap,
  type PostgresProxy,
  type Stage,
  startPostgresProxy,
} from '../../../support/postgres-proxy.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  skipPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { outcomeContract } from '../../../support/store-contract.ts';

const MISHAPS = ['break', 'cut', 'hang'] as const;

/** The client of the database waits two seconds longer. */
const limits = { statementMs: 300 };

/** Lets one mishap happen at a stage, after so many transactions that reach it. */
function failOnce(
  proxy: PostgresProxy,
  [at, mishap, after = 0]: readonly [at: Stage, mishap: Mishap, after?: number],
): void {
  let left = after;
  proxy.next = (stage) => {
    if (stage !== at || left < 0) return null;
    left -= 1;
    return left < 0 ? mishap : null;
  };
}

interface Opened extends FragileStore {
  readonly proxy: PostgresProxy;
}

async function openFragile(
  url: string,
  options: Omit<PostgresStoreOptions, 'url'>,
  mishap: Mishap,
): Promise<Opened> {
  const schema = nameSchema();
  const proxy = await startPostgresProxy(url);
  const opened = await createPostgresStore({
    durability: 'relaxed',
    limits,
    ...options,
    url: proxy.url,
    schema,
  });
  const store = {
    ...opened,
    close: async () => {
      await opened.close();
      await proxy.end();
      await dropSchema(url, schema);
    },
  };
  return {
    store,
    proxy,
    fail: (at) => failOnce(proxy, at === 'confirming' ? ['commit', mishap] : ['begin', 'break']),
    // A server that was left alone ends the transaction by itself.
    recover: async () => {
      await wait(50);
      return store;
    },
  };
}

function contract({ url }: TestPostgres): void {
  for (const mishap of MISHAPS)
    outcomeContract(`postgres, ${mishap}`, (collections) => openFragile(url, { collections }, mishap));

  const pooled = suite('postgres: outcomes with a pooler');
  pooled(
    'a commit that was confirmed is made, and not repeated, when the connection breaks afterwards',
    async () => {
      const { store, proxy } = await openFragile(
        url,
        { collections: usual, pooling: 'transaction' },
        'break',
      );
      // Where each transaction has its own settings, a second COMMIT follows that of the store.
      failOnce(proxy, ['commit', 'break', 1]);
      assert.is(
        (await store.commit([{ op: 'create', collection: 'locks', values: { name: 'a' } }])).length,
        1,
      );
      assert.is((await store.find({ collection: 'locks', total: true })).total, 1);
      await store.close();
    },
  );
  pooled.run();
}

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | null;
  readonly etag: string | null;
  readonly body: {
    readonly id: number;
    readonly responses: readonly { readonly status: number; readonly body: { readonly code?: string } }[];
  };
}

type Send = (path: string, body: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** A site with a user's password, on a database behind a proxy. */
async function onSite(
  url: string,
  run: (parts: Opened & { readonly send: Send; readonly base: string }) => Promise<void>,
): Promise<void> {
  const fixture = JSON.parse(
    await readFile(new URL('../../../../../examples/demo-site.json', import.meta.url), 'utf8'),
  ) as Fixture;
  const opened = await openFragile(url, { collections: usual }, 'cut');
  const { base, passwords, close } = await openHttpSite(fixture, { store: opened.store });
  const authorization = `Basic ${Buffer.from(`admin:${passwords['admin'] ?? ''}`).toString('base64')}`;
  try {
    const send: Send = async (path, body, headers = {}) => {
      const response = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const content = (await response.json()) as Answer['body'] & { readonly code?: string };
      return {
        status: response.status,
        code: content.code ?? '',
        retryAfter: response.headers.get('Retry-After'),
        etag: response.headers.get('ETag'),
        body: content,
      };
    };
    await run({ ...opened, send, base });
  } finally {
    await close();
    await opened.store.close();
  }
}

function requests({ url }: TestPostgres): void {
  const test = suite('postgres: a client that repeats 503, and looks after rest_outcome_unknown');

  test('has no doubled and no missing post', () =>
    onSite(url, async ({ store, proxy, send }) => {
      const codes = new Set<string>();
      const titles = Array.from({ length: 16 }, (_each, at) => `tide-${at}`);
      const count = async (title: string): Promise<number> =>
        (await store.find({ collection: 'posts', where: eq('title', title), total: true, limit: 0 })).total;
      for (const [at, title] of titles.entries()) {
        if (at % 8 === 0) failOnce(proxy, ['begin', 'break']);
        else failOnce(proxy, ['commit', at === 5 ? 'hang' : at % 2 === 0 ? 'break' : 'cut']);
        for (let turn = 0; ; turn += 1) {
          assert.ok(turn < 10, 'repeats without end');
          const { status, code, retryAfter } = await send('/cms/v2/posts', { title, slug: title });
          codes.add(`${status} ${code}`);
          if (status === 201) break;
          assert.is(retryAfter !== null, status === 503, `${status} ${code}`);
          await wait(50);
          if (code === 'rest_outcome_unknown' && (await count(title)) > 0) break;
        }
      }
      assert.ok(codes.has('500 rest_outcome_unknown'), [...codes].join());
      assert.equal(
        await Promise.all(titles.map(count)),
        titles.map(() => 1),
      );
    }));

  test('learns by If-Match whether an update was made', () =>
    onSite(url, async ({ proxy, send }) => {
      const made = await send('/cms/v2/posts', { title: 'Tide', slug: 'tide' });
      const path = `/cms/v2/posts/${made.body.id}`;
      let { etag } = await send(path, { title: 'One' });
      for (const [mishap, status] of [
        ['cut', 412],
        ['break', 200],
      ] as const) {
        const match = { 'If-Match': String(etag) };
        failOnce(proxy, ['commit', mishap]);
        assert.equal(
          await send(path, { title: mishap }, match).then(({ code, retryAfter }) => [code, retryAfter]),
          ['rest_outcome_unknown', null],
        );
        assert.is((await send(path, { title: mishap }, match)).status, status);
        ({ etag } = await send(path, { title: 'Next' }));
      }
    }));

  test('learns it of each item of a batch', () =>
    onSite(url, async ({ proxy, send }) => {
      failOnce(proxy, ['commit', 'cut', 1]);
      const items = ['a', 'b', 'c'].map((slug) => ({
        path: '/cms/v2/posts',
        body: { title: slug, slug: `batch-${slug}` },
      }));
      const { status, body } = await send('/batch/v1', { requests: items });
      assert.equal(
        [status, ...body.responses.map((each) => `${each.status} ${each.body.code ?? ''}`)],
        [207, '201 ', '500 rest_outcome_unknown', '201 '],
      );
    }));

  test.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres: outcomes of commits');
else {
  contract(server);
  requests(server);
}
