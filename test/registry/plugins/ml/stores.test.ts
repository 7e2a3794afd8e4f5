import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { closeServer, createServer } from '../../../../adapters/node-http.ts';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { keepSiblings } from '../../../../registry/core/translations/keep-siblings.ts';
import { collections, createContentModel, createSite } from '../../../../registry/index.ts';
import { generateMoFiles } from '../../../../registry/plugins/ml/mo/mo-generate.ts';
import { importMoStrings } from '../../../../registry/plugins/ml/mo/mo-import.ts';
import { readMo, writeMo } from '../../../../registry/plugins/ml/mo/mo.ts';
import { mapTerms } from '../../../../registry/plugins/ml/posts/translated-post.ts';
import { readXmlConfig } from '../../../../registry/plugins/ml/records/xml-config.ts';
import { loadFixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createMemoryFiles } from '../../../support/memory-files.ts';
import { PATIENT } from '../../../support/patient.ts';
import { createTestPorts } from '../../../support/ports.ts';
import { inFolder } from '../../../support/temporary.ts';
import { checkFilters, createFullSite } from './job-filters.ts';
import {
  applyJob,
  createJob,
  createMlSite,
  deliverJob,
  ML_FIXTURE,
  toReports,
  translateXliff,
} from './ml-site.ts';

// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
/** Runs the test on an SQLite store in a temporary directory. */
const onSqlite = (test: (store: Store) => Promise<void>): Promise<void> =>
  inFolder(async (directory) => {
    const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
    try {
      await test(store);
    } finally {
      await store.close();
    }
  });

const terms = suite('terms of a translated post');
terms('are created once by two translators at the same moment', async () => {
  const store = keepSiblings(createMemoryStore(collections));
  const created = await store.commit(
    [
      { taxonomy: 'category', language: 'en', slug: 'news' },
      { taxonomy: 'category', language: 'en', slug: 'sport', group: 9 },
      { taxonomy: 'post_tag', language: 'fr', slug: 'le-sport', group: 9 },
      // More slugs than a write tries again.
      ...Array.from({ length: 30 }, (_each, at) => ({
        taxonomy: 'category',
        language: 'fr',
        slug: at === 0 ? 'le-1' : `le-1-${at + 1}`,
      })),
    ].map((values) => ({ op: 'create', collection: 'terms', values })),
  );
  const ids = created.slice(0, 2).map((each) => each?.id ?? 0);
  const mapping = {
    store,
    source: 'en',
    target: 'fr',
    config: readXmlConfig(''),
    taxonomies: createContentModel().taxonomies,
    names: new Map(ids.map((id) => [id, `Le ${id}`])),
  };
  const post = { id: 1, version: 1, categories: ids, tags: [], terms: [] };
  const [first, second] = await Promise.all([1, 2].map(() => mapTerms(mapping, post)));
  assert.is(first?.categories.length, 2);
  assert.equal(first, second);
  assert.is((await store.find({ collection: 'terms', limit: 1, total: true })).total, 35);
  assert.is((await store.get('terms', first?.categories[0] ?? 0))?.['slug'], 'le-1-31');
});
terms.run();

const sqlite = suite('translation on SQLite');
sqlite('lists by every filter', () =>
  onSqlite(async (store) => checkFilters(await createFullSite({ store }))),
);
sqlite('creates, delivers and applies jobs, with terms and revisions', () =>
  onSqlite(async (store) => {
    const site = await createMlSite({ store });
    for (const title of ['Post 101', 'Post 101, changed']) {
      await site.ask('admin', 'POST /cms/v2/posts/101', { title });
      const job = await createJob(site);
      await deliverJob(site, job, { version: '2.1' });
      const post = await applyJob(site, job);
      assert.equal(
        [post.title.raw, post.slug, post.tags.length],
        [title.replace('Post', 'Article'), 'post-101-fr', 1],
      );
    }
    const { total } = await store.find({
      collection: 'posts',
      where: { op: 'eq', field: 'language', value: 'fr' },
      total: true,
    });
    assert.is(total, 1);
  }),
);
sqlite('one of many concurrent orders is accepted', () =>
  onSqlite(async (store) => {
    const site = await createMlSite({ store });
    const replies = await Promise.all(
      [1, 2, 3].map(() =>
        site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
          jobs: [{ post_id: 101, target_language: 'fr', batch_name: 'B' }],
        }),
      ),
    );
    assert.equal(replies.map((reply) => reply.status).sort(), [200, 409, 409]);
  }),
);
sqlite('imports and generates strings', () =>
  onSqlite(async (store) => {
    const messages = [{ context: 'c', id: 'Cart', plural: 'Carts', translations: ['Panier', 'Paniers'] }];
    const files = createMemoryFiles({ 'plugins/shop/shop-fr_FR.mo': writeMo({ headers: {}, messages }) });
    const ports = createTestPorts({ store, files });
    await importMoStrings(ports, { plugins: ['shop'], themes: [], other: [] });
    await generateMoFiles(ports);
    assert.equal(readMo(files.output.get('shop-fr_FR.mo') ?? new Uint8Array()).messages, messages);
  }),
);
sqlite.run();

/** A server over HTTP that runs until its test is done. All of its state is in the store. */
async function withServer(
  open: () => Promise<Store>,
  work: (ask: (user: string, target: string, body?: unknown) => Promise<any>) => Promise<void>,
): Promise<void> {
  const store = await open();
  const site = await createSite({ store, log: () => undefined });
  // The load of the machine by other tests must not fail this one.
  const server = createServer(site.engine, { limits: PATIENT });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/en/cms-json`;
  const ask = async (user: string, target: string, body?: unknown): Promise<any> => {
    const [method = 'GET', path = ''] = target.split(' ');
    const response = await fetch(base + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        authorization: `Basic ${Buffer.from(`${user}:${user}-pass`).toString('base64')}`,
      },
    });
    assert.is(response.status, 200, `${target}: ${await response.clone().text()}`);
    return response.json();
  };
  try {
    await work(ask);
  } finally {
    await closeServer(server);
    await site.close();
    await store.close();
  }
}

const restarts = suite('a restarted server');
for (const version of ['1.2', '2.1']) {
  restarts(`between any two steps has its complete state (XLIFF ${version})`, () =>
    inFolder(async (directory) => {
      const open = (): Promise<Store> => createSqliteStore({ directory, collections, durability: 'relaxed' });
      const content = `<p>${'مرحبا & Hello ]]> '.repeat(5500).slice(0, 99_000)}</p>`;
      const first = await open();
      await loadFixture(first, ML_FIXTURE);
      await first.commit([{ op: 'update', collection: 'posts', id: 101, values: { content } }]);
      await first.close();
      let file = '';
      await withServer(open, async (ask) => {
        await ask('manager', 'POST /ml/tm/v1/ate/jobs', {
          jobs: [{ post_id: 101, target_language: 'fr', translator_id: 4 }],
        });
      });
      await withServer(open, async (ask) => {
        const { content: fetched } = await ask('anna', `GET /ml/tm/v1/xliff/fetch/1?version=${version}`);
        file = translateXliff(Buffer.from(fetched, 'base64').toString('utf8'), (id, source) =>
          id === 'title' ? 'Bonjour' : source,
        );
      });
      await withServer(open, async (ask) => {
        await ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(1, file));
      });
      await withServer(open, async (ask) => {
        assert.is((await ask('admin', 'POST /ml/tm/v1/tp/apply-translations'))[0].status, 10);
      });
      await withServer(open, async (ask) => {
        const [post] = await ask('editor', 'GET /cms/v2/posts?ml_language=fr&status=draft&context=edit');
        assert.equal([post.title.raw, post.content.raw, post.slug], ['Bonjour', content, 'post-101']);
      });
    }),
  );
}
restarts('the translation memory over HTTP', async () => {
  const store = createMemoryStore(collections);
  await loadFixture(store, ML_FIXTURE);
  await withServer(
    async () => store,
    async (ask) => {
      assert.equal(
        await ask('manager', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ post_id: 101, target_language: 'fr' }] }),
        { jobs: { 1: 1 } },
      );
    },
  );
});
restarts.run();
