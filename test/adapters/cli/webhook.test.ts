import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWebhook } from '../../../adapters/cli/serve/serve-options.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { Notify } from '../../../registry/core/host/ports.ts';
import { collectionsOf, createContentModel, type TranslationNotice } from '../../../registry/index.ts';
import { changes, seedPlugins } from '../../../registry/plugins.ts';
import { createNotify } from '../../../registry/plugins/changes/receivers.ts';
import { listen } from '../../support/loopback.ts';
import { until } from '../../support/until.ts';
import { createWholeSite, SITE_URL, type WholeSite } from '../../support/whole-site.ts';

const SECRET = 'a secret of many letters';
const NOTICE: TranslationNotice = {
  kind: 'assigned',
  to: [{ id: 4, name: 'Ann é', email: 'ann@example.org' }],
  job: {
    id: 7,
    post: 9,
    title: 'Été',
    source: 'en',
    target: 'fr',
    status: 1,
    deadline: '',
    automatic: false,
    translator: 4,
  },
};
const FIXTURE = {
  site: { name: 'Hooks', timezone_string: 'UTC', default_category: 1 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  categories: [{ id: 1, name: 'None', slug: 'none' }],
};
const plugins = [...seedPlugins, changes];

interface Hit {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Hooked {
  readonly site: WholeSite;
  readonly hits: readonly Hit[];
  readonly notify: Notify;
  readonly pass: (ms: number) => void;
  readonly states: () => Promise<readonly unknown[]>;
}

/** A site with a receiver of the operator on this machine, which gives these statuses in turn, and then the last one. */
async function withReceiver(
  { statuses, secret = SECRET }: { readonly statuses: readonly number[]; readonly secret?: string },
  run: (hooked: Hooked) => Promise<void>,
): Promise<void> {
  const hits: Hit[] = [];
  const server = await listen((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        body += part;
      })
      .on('end', () => {
        hits.push({ url: request.url ?? '', headers: request.headers, body });
        const status = statuses[Math.min(hits.length, statuses.length) - 1] ?? 500;
        response
          .writeHead(status, { location: '/elsewhere', 'content-encoding': 'gzip' })
          .end(gzipSync('ok'));
      });
  });
  let now = Date.now();
  const site = await createWholeSite({
    fixture: FIXTURE,
    plugins,
    store: createMemoryStore(collectionsOf(createContentModel(), plugins)),
    webhook: { ...createWebhook(`http://127.0.0.1:${server.port}/hook?site=1`, secret), siteUrl: SITE_URL },
    now: () => now,
  });
  await until(
    async () => (await site.store.find({ collection: 'change_readers' })).records.length > 0,
    'the place of the webhooks',
  );
  try {
    await run({
      site,
      hits,
      notify: createNotify({ store: site.store, now: () => now, random: randomBytes }),
      pass: (ms) => {
        now += ms;
      },
      states: async () =>
        (await site.store.find({ collection: 'deliveries' })).records.map(({ state }) => state),
    });
  } finally {
    await site.close();
    await server.close();
  }
}

const { signal } = new AbortController();
const signatureOf = ({ headers, body }: Hit, key: string | Buffer): string =>
  `v1,${createHmac('sha256', key)
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest('base64')}`;

const webhook = suite('the receiver of the operator');

webhook('gets notices as they are, and events, on this machine, with signatures of their bytes', () =>
  withReceiver({ statuses: [200] }, async ({ site, hits, notify, states }) => {
    await notify(NOTICE, signal);
    await until(() => hits.length === 1, 'the notice');
    await site.ask({
      method: 'POST',
      target: '/cms/v2/posts',
      as: 'admin',
      body: { title: 'A', status: 'publish' },
    });
    await until(
      async () => (await states()).length > 1 && (await states()).every((each) => each === 'done'),
      'the events',
    );
    const [first] = hits as [Hit];
    assert.equal(
      [first.url, JSON.parse(first.body), first.headers['content-type']],
      ['/hook?site=1', NOTICE, 'application/json'],
    );
    const types = hits.slice(1).map(({ body }) => (JSON.parse(body) as { readonly type: string }).type);
    assert.ok(types.includes('post.published'), String(types));
    for (const hit of hits) assert.is(hit.headers['webhook-signature'], signatureOf(hit, SECRET));
    assert.is(new Set(hits.map(({ headers }) => headers['webhook-id'])).size, hits.length);
    const target = '/changes/v1/receivers/0';
    const list = await site.ask({ target: `${target}/deliveries`, as: 'admin' });
    assert.is((list.body as readonly unknown[]).length, hits.length);
    assert.is((await site.ask({ method: 'DELETE', target, as: 'admin' })).status, 404);
  }),
);

webhook('gets a notice again with its id and a signature of its own until it takes it', () => {
  const key = Buffer.alloc(24, 7);
  const secret = `whsec_${key.toString('base64')}`;
  return withReceiver({ statuses: [503, 302, 204], secret }, async ({ site, hits, notify, pass, states }) => {
    const attempts = async () =>
      (await site.store.find({ collection: 'deliveries' })).records[0]?.['attempts'] as readonly unknown[];
    await notify(NOTICE, signal);
    for (let count = 1; count <= 3; count += 1) {
      await until(async () => (await attempts()).length === count, `attempt ${count}`);
      pass(3_600_000);
    }
    await until(async () => (await states())[0] === 'done', 'the end');
    assert.is(new Set(hits.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size, 1);
    assert.is(new Set(hits.map(({ headers }) => headers['webhook-timestamp'])).size, 3);
    for (const hit of hits) assert.is(hit.headers['webhook-signature'], signatureOf(hit, key));
  });
});

webhook('gets what it does not want to have no more, and all else', () =>
  withReceiver({ statuses: [410, 200] }, async ({ hits, notify, states }) => {
    await notify(NOTICE, signal);
    await until(async () => (await states())[0] === 'failed', 'the refusal');
    await notify(NOTICE, signal);
    await until(async () => (await states())[1] === 'done', 'the next one');
    assert.is(hits.length, 2);
  }),
);

webhook('has an address and a secret without mistakes, and a site with the plugin', async () => {
  for (const [url, secret] of [
    ['ftp://x.example/', SECRET],
    ['https://user:pw@x.example/', SECRET],
    ['nowhere', SECRET],
    ['https://x.example/#a', SECRET],
    ['https://x.example/', 'short'],
    ['https://x.example/', 'whsec_AAAA'],
    ['https://x.example/', `whsec_!!!!${'A'.repeat(40)}`],
  ] as const) {
    assert.throws(
      () => createWebhook(url, secret),
      (error: unknown) =>
        error instanceof TypeError && !String(error).includes(secret) && !String(error).includes('pw'),
    );
  }
  const hook = { ...createWebhook('http://127.0.0.1:1/', SECRET), siteUrl: SITE_URL };
  const refused: unknown = await createWholeSite({ fixture: FIXTURE, webhook: hook }).catch(
    (error: unknown) => error,
  );
  assert.match(String(refused), /no plugin of the site sends to it/);
});

webhook.run();
