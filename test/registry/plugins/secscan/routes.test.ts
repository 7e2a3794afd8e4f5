import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { type Operation, StoreError } from '../../../../lib/store/store.ts';
import { collections } from '../../../../registry/index.ts';
import { secscanDescriptor } from '../../../../registry/plugins/secscan/routes.ts';
import { checkAnswer } from '../../../support/answers.ts';
import { createSecscanSite, createSigner, SITE_ID } from './secscan-site.ts';

type Site = Awaited<ReturnType<typeof createSecscanSite>>;

const script: Operation = {
  op: 'create',
  collection: 'posts',
  values: {
    id: 9,
    type: 'post',
    language: 'en',
    status: 'publish',
    title: 'T',
    content: '<script>1</script>',
  },
};

const answers = suite('secscan routes: rights and responses');

const CALLS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', 'config'],
  ...['POST', 'PUT', 'PATCH'].map(
    (method) => [method, 'config', { fields: { 'scan.revisions': true } }] as const,
  ),
  ...['POST', 'PUT', 'PATCH'].map((method) => [method, 'disconnect'] as const),
  ['GET', 'scan/issues'],
  ['POST', 'scan'],
  ['DELETE', 'scan'],
  ...['POST', 'PUT', 'PATCH'].map(
    (method) => [method, 'scan/issue', { issue: { id: 1, status: 'ignoreC' } }] as const,
  ),
];

for (const [method, path, body] of CALLS) {
  answers(`${method} ${path}`, async () => {
    for (const who of ['administrator', 'token']) {
      const site = await createSecscanSite();
      await site.connect();
      await site.ports.store.commit([
        { op: 'create', collection: 'scan_issues', values: { id: 1, status: 'new', severity: 75, data: {} } },
      ]);
      const {
        status,
        body: answer,
        headers,
      } = await site.ask(method, path, {
        body,
        ...(who === 'token' ? { token: await site.token() } : { login: who }),
      });
      assert.is(status, 200, who);
      assert.is(headers['Cache-Control'], 'no-store, private');
      checkAnswer(secscanDescriptor, [method, `/secscan/v1/${path}`], answer);
      await site.ports.background.stop();
    }
    const { ask } = await createSecscanSite();
    assert.equal(
      [
        (await ask(method, path, { body })).status,
        (await ask(method, path, { body, login: 'editor' })).status,
      ],
      [401, 403],
    );
    assert.is((await ask(method, path, { body })).code, 'rest_forbidden_context');
  });
}

for (const method of ['POST', 'PUT', 'PATCH']) {
  answers(`${method} premium-connect`, async () => {
    const site = await createSecscanSite();
    const body = { 'public-key': site.dashboard.publicKey, 'site-id': SITE_ID };
    const { status, body: answer } = await site.ask(method, 'premium-connect', {
      token: await site.premiumToken(),
      body,
    });
    assert.is(status, 200);
    checkAnswer(secscanDescriptor, [method, '/secscan/v1/premium-connect'], answer);
    const others = await Promise.all(
      [{}, { token: await site.token() }, { login: 'administrator' }].map((who) =>
        site.ask(method, 'premium-connect', { ...who, body }),
      ),
    );
    assert.equal(
      others.map((each) => each.status),
      [401, 401, 403],
    );
  });
}

answers('the authentication routes', async () => {
  const site = await createSecscanSite();
  const nonce = await site.ask('GET', 'authenticate');
  checkAnswer(secscanDescriptor, ['GET', '/secscan/v1/authenticate'], nonce.body);
  assert.is(nonce.body['admin_url'], 'https://site.test/en');
  const premium = await site.login('authenticate-premium', 'admin@site.test', site.controller);
  checkAnswer(secscanDescriptor, ['POST', '/secscan/v1/authenticate-premium'], premium.body);
  await site.connect();
  const plain = await site.login('authenticate', SITE_ID, site.dashboard);
  checkAnswer(secscanDescriptor, ['POST', '/secscan/v1/authenticate'], plain.body);
});

answers("names the host's own administration", async () => {
  const { ask } = await createSecscanSite({}, { adminUrl: 'https://admin.test/' });
  assert.is((await ask('GET', 'authenticate')).body['admin_url'], 'https://admin.test/');
});

answers.run();

const login = suite('secscan authentication');

const REFUSED: readonly (readonly [
  label: string,
  path: 'authenticate' | 'authenticate-premium',
  change: (parts: { nonce: string; site: Site }) => readonly [data: string, signed: string],
])[] = [
  [
    'a site id of another site',
    'authenticate',
    ({ nonce }) => [`${nonce}|${SITE_ID.replace('1', '2')}`, `${nonce}|${SITE_ID.replace('1', '2')}`],
  ],
  ['a signature of another text', 'authenticate', ({ nonce }) => [`${nonce}|${SITE_ID}`, `${nonce}|x`]],
  [
    'a nonce of somebody else',
    'authenticate',
    () => [`${'0'.repeat(64)}|${SITE_ID}`, `${'0'.repeat(64)}|${SITE_ID}`],
  ],
  ['no bar', 'authenticate', ({ nonce }) => [`${nonce}${SITE_ID}`, `${nonce}${SITE_ID}`]],
  ['nothing', 'authenticate', () => ['', '']],
  [
    'an unknown e-mail address',
    'authenticate-premium',
    ({ nonce }) => [`${nonce}|nobody@site.test`, `${nonce}|nobody@site.test`],
  ],
  [
    'an e-mail address of a user who is not an administrator',
    'authenticate-premium',
    ({ nonce }) => [`${nonce}|writer@site.test`, `${nonce}|writer@site.test`],
  ],
  [
    'an e-mail address of two administrators',
    'authenticate-premium',
    ({ nonce }) => [`${nonce}|twin@site.test`, `${nonce}|twin@site.test`],
  ],
  ['no e-mail address', 'authenticate-premium', ({ nonce }) => [`${nonce}|`, `${nonce}|`]],
];

for (const [label, path, change] of REFUSED) {
  login(`${path} refuses ${label}, always in the same words`, async () => {
    const site = await createSecscanSite();
    await site.connect();
    const [data, signed] = change({ nonce: await site.readNonce(), site });
    const signer = path === 'authenticate' ? site.dashboard : site.controller;
    const answer = await site.ask('POST', path, { body: { data, signature: signer.sign(signed) } });
    const other = await site.ask('POST', path, { body: { data: 'x', signature: 'x' } });
    assert.equal([answer.status, answer.code], [401, 'rest_forbidden_context']);
    assert.equal(answer.body, other.body);
  });
}

login('refuses another key, and everybody before the site is connected', async () => {
  const site = await createSecscanSite();
  assert.is((await site.login('authenticate', SITE_ID, site.dashboard)).code, 'rest_forbidden_context');
  await site.connect();
  assert.is((await site.login('authenticate', SITE_ID, createSigner())).code, 'rest_forbidden_context');
  assert.is(
    (await site.login('authenticate-premium', 'admin@site.test', createSigner())).code,
    'rest_forbidden_context',
  );
});

login('takes a nonce once', async () => {
  for (const [path, name] of [
    ['authenticate', SITE_ID],
    ['authenticate-premium', 'admin@site.test'],
  ] as const) {
    const site = await createSecscanSite();
    await site.connect();
    const data = `${await site.readNonce()}|${name}`;
    const body = { data, signature: (path === 'authenticate' ? site.dashboard : site.controller).sign(data) };
    const both = await Promise.all([site.ask('POST', path, { body }), site.ask('POST', path, { body })]);
    assert.equal(both.map((each) => each.status).sort(), [200, 401], path);
  }
});

login('takes a nonce for ten to twenty minutes', async () => {
  const site = await createSecscanSite();
  await site.connect();
  const data = `${await site.readNonce()}|${SITE_ID}`;
  const body = { data, signature: site.dashboard.sign(data) };
  site.clock.now += 21 * 60_000;
  assert.is((await site.ask('POST', 'authenticate', { body })).status, 401);
});

login('a token lives for ten minutes, in either header', async () => {
  const site = await createSecscanSite();
  await site.connect();
  const token = await site.token();
  assert.is((await site.ask('GET', 'config', { token })).status, 200);
  assert.is((await site.ask('GET', 'config', { token, tokenHeader: 'x-authorization' })).status, 200);
  assert.is((await site.ask('GET', 'config', { token: `${token}x` })).status, 401);
  site.clock.now += 600_000;
  assert.is((await site.ask('GET', 'config', { token })).status, 401);
});

login('does not lock out callers for the failures of callers without an address', async () => {
  const site = await createSecscanSite();
  const statuses = [];
  for (let count = 0; count < 12; count += 1)
    statuses.push(
      (await site.ask('POST', 'authenticate', { body: { data: 'x', signature: 'x' }, address: '' })).status,
    );
  assert.equal(
    statuses,
    Array.from({ length: 12 }, () => 401),
  );
});

login('allows ten attempts a minute from one address', async () => {
  const site = await createSecscanSite();
  const attempt = (address: string) =>
    site.ask('POST', 'authenticate', { body: { data: 'x', signature: 'x' }, address });
  for (let count = 0; count < 10; count += 1) assert.is((await attempt('203.0.113.1')).status, 401);
  const { status, code, headers } = await attempt('203.0.113.1');
  assert.equal([status, code, headers['Retry-After']], [429, 'rest_too_many_attempts', '60']);
  assert.is((await attempt('203.0.113.2')).status, 401);
  site.clock.now += 60_000;
  assert.is((await attempt('203.0.113.1')).status, 401);
});

login('needs a controller key for premium tokens', async () => {
  const site = await createSecscanSite({}, { controllerPublicKey: undefined });
  const { status, code, body } = await site.login('authenticate-premium', 'admin@site.test', site.controller);
  assert.equal(
    [status, code, (body['data'] as Readonly<Record<string, unknown>>)['service']],
    [503, 'service_not_connected', 'secscan-controller'],
  );
});

login('names missing members', async () => {
  const { ask } = await createSecscanSite();
  assert.equal(
    [
      (await ask('POST', 'authenticate')).code,
      (await ask('POST', 'authenticate-premium', { body: { data: 'x' } })).code,
    ],
    ['rest_missing_callback_param', 'rest_missing_callback_param'],
  );
  assert.is(
    (await ask('POST', 'authenticate', { body: { data: 'x'.repeat(513), signature: 'x' } })).code,
    'rest_invalid_param',
  );
});

login.run();

const connection = suite('secscan connection');

const UNFIT: readonly (readonly [label: string, change: Readonly<Record<string, unknown>>])[] = [
  ['a key of 31 bytes', { 'public-key': 'ab'.repeat(31) }],
  ['a key that is not a hexadecimal number', { 'public-key': 'zz'.repeat(32) }],
  ['a site id that is not a UUID', { 'site-id': '1' }],
  ['too much site data', { 'site-data': { text: 'x'.repeat(70_000) } }],
];

for (const [label, change] of UNFIT) {
  connection(`refuses ${label}`, async () => {
    const site = await createSecscanSite();
    const body = { 'public-key': site.dashboard.publicKey, 'site-id': SITE_ID, ...change };
    const answer = await site.ask('POST', 'premium-connect', { token: await site.premiumToken(), body });
    assert.equal([answer.status, answer.code], [422, 'secscan_invalid_connection']);
  });
}

connection('answers the same key for the same connection, and refuses another one', async () => {
  const site = await createSecscanSite();
  const first = await site.connect();
  assert.equal((await site.connect()).body, first.body);
  const body = { 'public-key': createSigner().publicKey, 'site-id': SITE_ID };
  const other = await site.ask('POST', 'premium-connect', { token: await site.premiumToken(), body });
  assert.equal([other.status, other.code], [409, 'secscan_already_connected']);
});

connection('ends with all its tokens, and notes who ended it', async () => {
  const site = await createSecscanSite();
  await site.connect();
  const [token, premium] = [await site.token(), await site.premiumToken()];
  assert.is((await site.ask('POST', 'disconnect', { token: premium })).status, 200);
  assert.equal(
    [
      (await site.ask('GET', 'config', { token })).status,
      (await site.ask('GET', 'config', { token: premium })).status,
    ],
    [401, 401],
  );
  assert.is((await site.login('authenticate', SITE_ID, site.dashboard)).status, 401);
  const { records } = await site.ports.store.find({ collection: 'options' });
  const option = (key: string) => records.find((record) => record['key'] === key)?.['value'];
  assert.equal(option('disconnection'), {
    time: Math.floor(site.clock.now / 1000),
    email: 'admin@site.test',
  });
  assert.is(option('connection'), undefined);
  await site.connect();
  assert.is((await site.login('authenticate', SITE_ID, site.dashboard)).status, 200);
});

connection('survives a restart', async () => {
  const site = await createSecscanSite();
  await site.connect();
  const token = await site.token();
  await site.ask('POST', 'config', { token, body: { fields: { 'links.maxExternal': 7 } } });
  const again = await createSecscanSite({ store: site.ports.store, now: () => site.clock.now });
  assert.is(
    ((await again.ask('GET', 'config', { token })).body['config'] as Readonly<Record<string, unknown>>)[
      'links.maxExternal'
    ],
    7,
  );
});

connection('no response and no record contains the secret or a token', async () => {
  const site = await createSecscanSite();
  await site.connect();
  const token = await site.token();
  const { records } = await site.ports.store.find({ collection: 'options' });
  assert.not.match(JSON.stringify(records), new RegExp(`${token}|${Buffer.alloc(32, 7).toString('hex')}`));
});

connection.run();

const config = suite('secscan config');

const administrator = { login: 'administrator' };

config('shows all settings, or those that fields name', async () => {
  const { ask } = await createSecscanSite();
  const { body } = await ask('GET', 'config', administrator);
  assert.ok(Object.keys(body['config'] as object).length > 15);
  const some = await ask('GET', 'config?fields=scan.*,links.maxShare,unknown', administrator);
  assert.equal(some.body['config'], {
    'scan.revisions': false,
    'scan.timeLimit': 3600,
    'links.maxShare': 60,
  });
});

config('describes the installation without network addresses', async () => {
  const { ask, ports } = await createSecscanSite();
  await ports.store.commit([script]);
  const { body } = await ask('GET', 'config', administrator);
  const info = body['info'] as Readonly<Record<string, unknown>>;
  assert.is(info['site_url'], 'https://site.test');
  assert.equal(info['posts'], { publish: 1, draft: 0, pending: 0, private: 0, future: 0, trash: 0 });
  assert.equal(Object.keys(info), ['version', 'node', 'platform', 'site_url', 'languages', 'posts']);
});

const WRONG: readonly (readonly [name: string, value: unknown])[] = [
  ['scan.timeLimit', 0],
  ['scan.timeLimit', 'x'],
  ['links.maxShare', 101],
  ['links.blockedHosts', ['http://x']],
  ['links.blockedHosts', 'A B'],
  ['titles.phrases', ['x']],
  ['rules.postSpam', 'maybe'],
  ['disk.minFreeMegabytes', -1],
  ['no.such.setting', 1],
  ['toString', 1],
];
for (const [name, value] of WRONG) {
  config(`refuses ${name} = ${JSON.stringify(value)}, and saves nothing of it`, async () => {
    const { ask } = await createSecscanSite();
    const before = (await ask('GET', 'config', administrator)).body['config'];
    const answer = await ask('POST', 'config', {
      ...administrator,
      body: { fields: { 'scan.revisions': true, [name]: value } },
    });
    assert.equal([answer.status, answer.code], [422, 'rest_set_config_error']);
    assert.equal(Object.keys((answer.body['data'] as { params: object }).params), [name]);
    assert.equal((await ask('GET', 'config', administrator)).body['config'], before);
  });
}

config('joins the messages of all wrong settings', async () => {
  const { ask } = await createSecscanSite();
  const { body } = await ask('PUT', 'config', {
    ...administrator,
    body: { fields: { 'scan.timeLimit': 0, 'links.maxShare': 0 } },
  });
  assert.match(String(body['message']), /scan\.timeLimit.*links\.maxShare/);
});

config('keeps what the same request does not name', async () => {
  const { ask } = await createSecscanSite();
  await ask('PATCH', 'config', { ...administrator, body: { fields: { 'scan.timeLimit': '60' } } });
  await ask('PATCH', 'config', { ...administrator, body: { fields: { 'scan.revisions': true } } });
  assert.equal((await ask('GET', 'config?fields=scan.*', administrator)).body['config'], {
    'scan.revisions': true,
    'scan.timeLimit': 60,
  });
});

config('reports when it could not be saved', async () => {
  const store = createMemoryStore(collections);
  const failing = {
    ...store,
    commit: async () => {
      throw new StoreError('full', 'no space');
    },
  };
  const { ask } = await createSecscanSite({ store: failing });
  const answer = await ask('POST', 'config', {
    ...administrator,
    body: { fields: { 'scan.revisions': true } },
  });
  assert.equal([answer.status, answer.code], [500, 'rest_save_config_error']);
});

config('wants fields', async () => {
  const { ask } = await createSecscanSite();
  assert.is((await ask('POST', 'config', administrator)).code, 'rest_missing_callback_param');
  assert.is(
    (await ask('POST', 'config', { ...administrator, body: { fields: 'x' } })).code,
    'rest_invalid_param',
  );
  assert.is((await ask('GET', `config?fields=${'x'.repeat(101)}`, administrator)).code, 'rest_invalid_param');
});

config.run();

const scans = suite('secscan scan and issues');

const posts = (count: number): readonly Operation[] =>
  Array.from({ length: count }, (_each, index): Operation => ({
    op: 'create',
    collection: 'posts',
    values: {
      type: 'post',
      language: 'en',
      status: 'publish',
      title: `T${index}`,
      content: `<p>${'words '.repeat(200)}</p><script>1</script>`,
    },
  }));

scans('runs outside of the requests, shows its progress, and only once at a time', async () => {
  const site = await createSecscanSite();
  await site.ports.store.commit(posts(1000));
  const { status, body } = await site.ask('POST', 'scan', administrator);
  assert.equal([status, body], [200, { success: true, scanId: 1 }]);
  const second = await site.ask('POST', 'scan', administrator);
  assert.equal([second.status, second.code], [409, 'scan_running']);
  const seen = new Set<number>();
  for (let turn = 0; turn < 1000; turn += 1) {
    const scan = (await site.ask('GET', 'scan/issues', administrator)).body['scan'] as Readonly<
      Record<string, number | string>
    >;
    if (scan['status'] !== 'running') break;
    seen.add(Number(scan['done']));
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
  assert.ok(seen.size > 2, `progress was seen ${seen.size} times`);
  const over = await site.waitForScan();
  assert.equal([over['status'], over['done'], over['total'], over['faults']], ['finished', 1000, 1000, 1000]);
  const { body: after } = await site.ask('GET', 'scan/issues', administrator);
  assert.is(after['last-scan-time'], Math.floor(site.clock.now / 1000));
  assert.is((await site.ask('POST', 'scan', administrator)).body['scanId'], 2);
  await site.ask('DELETE', 'scan', administrator);
});

scans('stops on request; what was found stays', async () => {
  const site = await createSecscanSite();
  await site.ports.store.commit(posts(1000));
  await site.ask('POST', 'scan', administrator);
  while (((await site.ask('GET', 'scan/issues', administrator)).body['scan'] as { done: number }).done === 0)
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  assert.equal((await site.ask('DELETE', 'scan', administrator)).body, { success: true });
  const { body } = await site.ask('GET', 'scan/issues', administrator);
  const { status, done } = body['scan'] as { status: string; done: number };
  assert.is(status, 'stopped');
  assert.ok(
    done > 0 && done < 1000 && Number(body['count']) === done,
    `${done} done, ${String(body['count'])} issues`,
  );
  assert.is((await site.ask('POST', 'scan', administrator)).status, 200);
  await site.ports.background.stop();
});

scans('stops when another process is asked', async () => {
  const site = await createSecscanSite();
  await site.ports.store.commit(posts(1000));
  const other = await createSecscanSite({ store: site.ports.store });
  await site.ask('POST', 'scan', administrator);
  assert.is((await other.ask('POST', 'scan', administrator)).code, 'scan_running');
  await other.ask('DELETE', 'scan', administrator);
  assert.is((await other.waitForScan())['status'], 'stopped');
  await site.ports.background.stop();
});

scans('stops with the server, and can be started by the next one', async () => {
  const site = await createSecscanSite();
  await site.ports.store.commit(posts(1000));
  await site.ask('POST', 'scan', administrator);
  await site.ports.background.stop();
  assert.is((await site.waitForScan())['status'], 'stopped');
  const refused = await site.ask('POST', 'scan', administrator);
  assert.equal([refused.status, refused.code], [503, 'rest_shutting_down']);
  const next = await createSecscanSite({ store: site.ports.store });
  assert.is((await next.ask('POST', 'scan', administrator)).body['scanId'], 3);
  await next.ask('DELETE', 'scan', administrator);
});

scans('a scan that died with its process is shown as stopped, and can be started again', async () => {
  const site = await createSecscanSite();
  await site.ports.store.commit([
    {
      op: 'create',
      collection: 'options',
      values: { group: 'secscan', key: 'scan', value: { id: 4, status: 'running', done: 50, total: 100 } },
    },
    {
      op: 'create',
      collection: 'locks',
      values: { name: 'secscan.scan', key: 'dead', expires: site.clock.now - 1 },
    },
  ]);
  assert.equal(Object.entries(await site.waitForScan()).slice(0, 2), [
    ['id', 4],
    ['status', 'stopped'],
  ]);
  assert.is((await site.ask('POST', 'scan', administrator)).body['scanId'], 5);
  assert.is((await site.waitForScan())['status'], 'finished');
});

scans('a scan that fails has that status, logs the error and releases the lock', async () => {
  const logged: unknown[] = [];
  const { createBackground } = await import('../../../../registry/core/host/background.ts');
  const site = await createSecscanSite(
    { background: createBackground((event) => logged.push(event)) },
    {
      freeMegabytes: async () => {
        throw new Error('no disk');
      },
    },
  );
  await site.ask('POST', 'scan', administrator);
  assert.is((await site.waitForScan())['status'], 'failed');
  assert.is(logged.length, 1);
  assert.is((await site.ask('POST', 'scan', administrator)).status, 200);
  await site.ports.background.stop();
});

scans('lists the most severe issues first, in pages', async () => {
  const site = await createSecscanSite();
  const rows = [
    [1, 25, 'postBadURL', 5, 'new'],
    [2, 100, 'postScriptInjection', 1, 'new'],
    [3, 75, 'postBadURL', 9, 'new'],
    [4, 75, 'diskSpace', 1, 'new'],
    [5, 75, 'postBadURL', 10, 'new'],
    [6, 100, 'postScriptInjection', 2, 'ignoreP'],
    [7, 25, 'postBadURL', 2, 'ignoreC'],
  ] as const;
  await site.ports.store.commit(
    rows.map(([id, severity, type, time, status]): Operation => ({
      op: 'create',
      collection: 'scan_issues',
      values: { id, severity, type, time, status, ignore_p: `k${id}`, data: {} },
    })),
  );
  const ids = (list: unknown) => (list as { id: number }[]).map(({ id }) => id);
  const all = (await site.ask('GET', 'scan/issues', administrator)).body;
  const groups = all['issues'] as { new: unknown; ignored: unknown };
  assert.equal([all['count'], ids(groups.new), ids(groups.ignored)], [7, [2, 4, 5, 3, 1], [6, 7]]);
  const page = (await site.ask('GET', 'scan/issues?group=pending&offset=1&limit=2', administrator)).body;
  assert.equal([page['count'], ids(page['issues'])], [5, [4, 5]]);
  checkAnswer(secscanDescriptor, ['GET', '/secscan/v1/scan/issues'], page);
});

for (const query of ['group=new', 'offset=-1', 'limit=501', 'limit=x']) {
  scans(`refuses ${query}`, async () => {
    const { ask } = await createSecscanSite();
    assert.is((await ask('GET', `scan/issues?${query}`, administrator)).code, 'rest_invalid_param');
  });
}

scans('sets the status of an issue, or deletes it', async () => {
  const site = await createSecscanSite();
  await site.ports.store.commit([script]);
  await site.ask('POST', 'scan', administrator);
  await site.waitForScan();
  const { id } = (
    (await site.ask('GET', 'scan/issues?group=pending', administrator)).body['issues'] as { id: number }[]
  )[0] ?? { id: 0 };
  const set = (status: unknown, issue = id) =>
    site.ask('POST', 'scan/issue', { ...administrator, body: { issue: { id: issue, status } } });
  for (const status of ['ignoreC', 'ignoreP', 'new']) {
    assert.is((await set(status)).status, 200);
    assert.is((await site.ports.store.get('scan_issues', id))?.['status'], status);
  }
  assert.is((await set('delete')).status, 200);
  assert.is(await site.ports.store.get('scan_issues', id), null);
  for (const status of ['delete', 'new'])
    assert.equal([(await set(status)).status, (await set(status)).code], [404, 'scan_issue_not_found']);
  assert.is((await set('gone')).code, 'rest_invalid_param');
  assert.is((await set('new', 0)).code, 'rest_invalid_param');
  assert.is(
    (await site.ask('POST', 'scan/issue', { ...administrator, body: { issue: { id } } })).code,
    'rest_invalid_param',
  );
  assert.is((await site.ask('POST', 'scan/issue', administrator)).code, 'rest_missing_callback_param');
});

scans.run();
