import { Webhook } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createOutbound } from '../../../../adapters/outbound.ts';
import { isObject } from '../../../../lib/core/objects.ts';
import type { Outbound, OutboundRequest } from '../../../../registry/core/host/ports.ts';
import { collectionsOf, createContentModel } from '../../../../registry/index.ts';
import { changes, seedPlugins } from '../../../../registry/plugins.ts';
import { until } from '../../../support/until.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const plugins = [...seedPlugins, changes];
const PATH = '/changes/v1/receivers';

interface Message {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A site whose requests to receivers arrive here. `answer`: the status of each. */
async function open(answer: (request: OutboundRequest) => number) {
  const got: { readonly request: OutboundRequest; readonly status: number }[] = [];
  const outbound: Outbound = async (request) => {
    if (request.checkOnly === true)
      return { status: 0, url: request.url, headers: {}, body: new Uint8Array() };
    const status = answer(request);
    got.push({ request, status });
    return { status, url: request.url, headers: {}, body: new Uint8Array() };
  };
  // All attempts are made within five minutes of now, as those who verify them want it.
  let now = Date.now() - 240_000;
  const site = await createWholeSite({
    fixture: {
      site: { name: 'Hooks', timezone_string: 'UTC', default_category: 1 },
      users: [
        {
          id: 1,
          login: 'admin',
          name: 'Admin',
          slug: 'admin',
          role: 'administrator',
          email: 'a@example.com',
        },
      ],
      categories: [{ id: 1, name: 'None', slug: 'none' }],
    },
    plugins,
    content: 'core',
    store: createMemoryStore(collectionsOf(createContentModel('core'), plugins)),
    outbound,
    now: () => now,
  });
  const ask = async (method: string, target: string, body?: unknown) => {
    const answered = await site.ask({ method, target, as: 'admin', ...(body === undefined ? {} : { body }) });
    return { status: answered.status, body: answered.body as Readonly<Record<string, unknown>> };
  };
  // The place of the reaction is made before the first change.
  await until(
    async () => (await site.store.find({ collection: 'change_readers' })).records.length > 0,
    'the place of the webhooks',
  );
  return {
    site,
    ask,
    got,
    pass: (ms: number) => {
      now += ms;
    },
    messages: () =>
      got
        .filter(({ status }) => status === 200)
        .map(({ request }) => JSON.parse(request.body ?? '') as Message),
  };
}

const close = (site: WholeSite): Promise<void> => site.close();
const hooks = suite('webhooks');

hooks('are signed, sent once for a publish, in order, and again after a failure', async () => {
  // Only the first event fails, and the later ones of its record wait for it.
  let failures = 2;
  const { site, ask, got, pass, messages } = await open(({ body = '' }) => {
    if (!body.includes('post.published') || failures === 0) return 200;
    failures -= 1;
    return 503;
  });
  for (const events of [[], ['post.foo'], ['posts.*'], ['__proto__']])
    assert.is((await ask('POST', PATH, { url: 'https://hooks.example/a', events })).status, 400);
  const made = await ask('POST', PATH, { url: 'https://hooks.example/a', events: ['post.*'] });
  assert.is(made.status, 201);
  const secret = String(made.body['secret']);
  await ask('POST', PATH, { url: 'https://hooks.example/b', events: ['comment.*'] });
  const { body: post } = await ask('POST', '/cms/v2/posts', { title: 'One', status: 'draft' });
  const id = Number(post['id']);
  const note = { type: 'note', post: id, content: 'Nobody outside reads this' };
  assert.is((await ask('POST', '/cms/v2/comments', note)).status, 201);
  await ask('POST', `/cms/v2/posts/${id}`, { status: 'publish', content: 'Text' });
  await until(() => got.length === 1, 'the first attempt');
  await ask('POST', `/cms/v2/posts/${id}`, { title: 'Two' });
  await ask('DELETE', `/cms/v2/posts/${id}`);
  const deliveries = () => site.store.find({ collection: 'deliveries' });
  await until(
    async () => (await deliveries()).records.some(({ event }) => event === 'post.removed'),
    'the last delivery',
  );
  assert.ok(messages().length === 0);
  const rotated = await ask('POST', `${PATH}/${String(made.body['id'])}/rotate`);
  for (const [attempts, ms] of [
    [2, 10_000],
    [3, 310_000],
  ] as const) {
    pass(ms);
    await until(() => got.length >= attempts, 'the next attempt');
  }
  await until(
    async () => (await deliveries()).records.every(({ state }) => state === 'done'),
    'all deliveries',
  );
  const types = messages().map(({ type }) => type);
  assert.equal([types[0], types.at(-1)], ['post.published', 'post.removed']);
  assert.equal(
    messages().map(({ data }) => [data['id'], data['type'], data['language']]),
    types.map(() => [id, 'post', 'en']),
  );
  assert.is(messages()[0]?.data['previous_status'], 'draft');
  for (const { request } of got) {
    const headers = { ...request.headers };
    const body = request.body ?? '';
    assert.ok(new Webhook(secret).verify(body, headers));
    assert.ok(new Svix(secret).verify(body, headers));
    if ((headers['webhook-signature'] ?? '').includes(' '))
      assert.ok(new Webhook(String(rotated.body['secret'])).verify(body, headers));
  }
  const first = got.filter(({ request }) => (request.body ?? '').includes('post.published'));
  assert.is(new Set(first.map(({ request }) => request.headers?.['webhook-id'])).size, 1);
  const list = await ask('GET', `${PATH}/${String(made.body['id'])}/deliveries`);
  assert.is((list.body as unknown as readonly unknown[]).length, types.length);
  await close(site);
});

hooks('of one receiver do not wait for another one that is down', async () => {
  const { site, ask, got, pass } = await open(() => 200);
  const down = (await ask('POST', PATH, { url: 'https://down.example/', events: ['user.*'] })).body['id'];
  await ask('POST', PATH, { url: 'https://up.example/', events: ['post.*'] });
  const waiting = { receiver: Number(down), state: 'pending', next: Date.now() + 3_600_000, body: '{}' };
  await site.store.commit(
    Array.from({ length: 2000 }, (_each, at) => ({
      op: 'create',
      collection: 'deliveries',
      values: { ...waiting, key: `x${at}`, message: `m${at}`, subject: `users ${at}`, created: Date.now() },
    })),
  );
  await ask('POST', '/cms/v2/posts', { title: 'One', status: 'publish' });
  await until(() => got.some(({ request }) => request.url.startsWith('https://up.')), 'the delivery');
  await ask('POST', `${PATH}/${String(down)}`, { active: false });
  pass(31 * 24 * 3_600_000);
  await until(
    async () => (await site.store.find({ collection: 'deliveries' })).records.length === 0,
    'the end of old deliveries',
  );
  await close(site);
});

hooks('end when the receiver is gone, and can be sent again', async () => {
  let status = 200;
  const { site, ask, got } = await open(() => status);
  const { body: receiver } = await ask('POST', PATH, { url: 'https://hooks.example/a' });
  const target = `${PATH}/${String(receiver['id'])}`;
  assert.ok(!('secret' in (await ask('GET', target)).body));
  await ask('POST', '/cms/v2/posts', { title: 'One', status: 'publish' });
  await until(
    () => got.some(({ request }) => (request.body ?? '').includes('post.published')),
    'the delivery',
  );
  const [delivery] = (await ask('GET', `${target}/deliveries`)).body as unknown as readonly {
    readonly id: number;
  }[];
  const before = got.length;
  assert.is((await ask('POST', `${target}/deliveries/${delivery?.id ?? 0}/redeliver`)).status, 200);
  await until(() => got.length > before, 'the repeated delivery');
  status = 410;
  await ask('POST', '/cms/v2/posts', { title: 'Two', status: 'publish' });
  await until(async () => (await ask('GET', target)).body['active'] === false, 'the end of the receiver');
  const { records: sent } = await site.store.find({ collection: 'deliveries' });
  assert.ok(sent.some(({ state }) => state === 'failed'));
  assert.is((await ask('DELETE', target)).status, 200);
  assert.is((await ask('GET', target)).status, 404);
  assert.is((await site.ask({ target: PATH })).status, 401);
  await close(site);
});

hooks('refuse addresses inside of the network', async () => {
  const guarded = await createWholeSite({
    fixture: {
      site: { name: 'Hooks' },
      users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
    },
    plugins,
    store: createMemoryStore(collectionsOf(createContentModel(), plugins)),
    outbound: createOutbound(),
  });
  for (const [url, fault] of [
    ['http://127.0.0.1/', /127\.0\.0\.1 has no public address/],
    ['http://[::1]/', /::1 has no public address/],
    ['https://example.org:9000/', /port 9000 is not allowed, only 80, 443, 8080/],
    ['ftp://example.org/', /must be an http or https address/],
    ['https://u:p@example.org/', /without user name/],
  ] as const) {
    const { status, body } = await guarded.ask({ method: 'POST', target: PATH, as: 'admin', body: { url } });
    assert.equal([status, isObject(body) && body['code']], [400, 'rest_invalid_receiver_url'], url);
    assert.match(JSON.stringify(body), fault);
  }
  assert.equal(guarded.logged, [], 'what an administrator mistypes is nothing for the log');
  await close(guarded);
});

hooks.run();
