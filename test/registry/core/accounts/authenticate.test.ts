import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { engineError } from '../../../../lib/core/errors.ts';
import type { Identity } from '../../../../lib/core/identity.ts';
import type { LogEvent } from '../../../../lib/dispatch/runtime.ts';
import { createRequest } from '../../../../lib/http/create-request.ts';
import { eq } from '../../../../lib/store/query.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { createAuthenticate } from '../../../../registry/core/accounts/authenticate.ts';
import { hashPassword } from '../../../../registry/core/accounts/credentials.ts';
import { isOfRecord, toIdentity } from '../../../../registry/core/accounts/roles.ts';
import { collections } from '../../../../registry/index.ts';
import { loadFixture, type Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { isAll } from '../../../support/long-mode.ts';
import { toOldHash } from '../../../support/old-hash.ts';
import { TEST_NOW } from '../../../support/ports.ts';
import { processorTime } from '../../../support/processor-time.ts';
import { rejects } from '../../../support/rejects.ts';
import { createWholeSite, SITE_URL, toRequest } from '../../../support/whole-site.ts';

const SECRET = 'canary-secret-9f2c';

const FIXTURE: Fixture = {
  site: { name: 'Logins' },
  users: [
    {
      id: 1,
      login: 'Admin',
      password: 'abcd EFGH ijkl MNOP qrst UVWX',
      name: 'Admin',
      slug: 'admin',
      role: 'administrator',
    },
    { id: 2, login: 'émile', password: 'émile:pass', name: 'Émile', slug: 'emile', role: 'author' },
    // Has no application password.
    { id: 3, login: 'silent', name: 'Silent', slug: 'silent', role: 'editor' },
  ],
};

const RIGHT = 'abcdEFGHijklMNOPqrstUVWX';
const MINUTE = 60_000;

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

interface Door {
  readonly clock: { now: number };
  readonly store: Store;
  readonly logged: readonly LogEvent[];
  /** Tries to log in with this Authorization header. */
  enter(authorization: string | undefined, address?: string): Promise<Identity>;
}

async function createDoor(): Promise<Door> {
  const clock = { now: TEST_NOW };
  const store = createMemoryStore(collections);
  await loadFixture(store, FIXTURE);
  const logged: LogEvent[] = [];
  const authenticate = createAuthenticate(store, {
    now: () => clock.now,
    log: (event) => {
      logged.push(event);
    },
    bearer: (token) => (token === 'good' ? { id: 9, role: 'x', capabilities: new Set() } : null),
  });
  return {
    clock,
    store,
    logged,
    async enter(authorization, address = '192.0.2.1') {
      return authenticate({
        ...createRequest('/', authorization === undefined ? {} : { headers: { authorization } }),
        address,
      });
    },
  };
}

async function codeOf(entering: Promise<Identity>): Promise<string> {
  return entering.then(
    ({ id }) => `user ${id}`,
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

const WRONG = 'rest_invalid_credentials';
const WAIT = 'rest_too_many_attempts';

const who = suite('who can log in');

const ACCEPTED: readonly (readonly [what: string, authorization: string | undefined, id: number])[] = [
  ['no header', undefined, 0],
  ['the password', basic('Admin', RIGHT), 1],
  ['the password in groups of four', basic('Admin', 'abcd EFGH ijkl MNOP qrst UVWX'), 1],
  ['another case of the login', basic('admin', RIGHT), 1],
  ['the scheme in lower case', basic('Admin', RIGHT).replace('Basic', 'basic'), 1],
  ['letters beyond ASCII, and a colon in the password', basic('émile', 'émile:pass'), 2],
  ['a bearer token of the host', 'Bearer good', 9],
  ['a bearer token that the host does not know', 'Bearer bad', 0],
  ['an unknown scheme', 'Digest username="Admin"', 0],
  ['another unknown scheme', 'Negotiate abc', 0],
  ['nothing', '', 0],
];
for (const [what, authorization, id] of ACCEPTED) {
  who(`${what}: ${id === 0 ? 'nobody' : `user ${id}`}`, async () => {
    assert.is((await (await createDoor()).enter(authorization)).id, id);
  });
}

const REFUSED: readonly (readonly [what: string, authorization: string])[] = [
  ['a wrong password', basic('Admin', 'wrong')],
  ['an unknown user', basic('unknown', RIGHT)],
  ['no password', basic('Admin', '')],
  ['another case of the password', basic('Admin', RIGHT.toLowerCase())],
  ['a user without a password, the word "nobody"', basic('silent', 'nobody')],
  ['a user without a password, an empty one', basic('silent', '')],
  ['a user without a password, that of another user', basic('silent', RIGHT)],
  ['no name', basic('', RIGHT)],
  ['no colon', `Basic ${Buffer.from('Admin').toString('base64')}`],
  ['no base64', 'Basic ???'],
  ['no credentials', 'Basic'],
  ['the hash itself', basic('Admin', 'sha256$00$00')],
];
for (const [what, authorization] of REFUSED) {
  who(`${what}: refused`, async () => {
    await rejects((await createDoor()).enter(authorization), 'rest_invalid_credentials');
  });
}

who('wrong password and unknown user get the same response, byte for byte', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  const answers = await Promise.all(
    [basic('Admin', 'wrong'), basic('unknown', 'wrong'), basic('silent', 'wrong'), 'Basic ???'].map(
      (authorization, index) =>
        site.ask({ target: '/cms/v2/posts', headers: { authorization }, address: `192.0.2.${index}` }),
    ),
  );
  for (const { status, text, headers } of answers)
    assert.equal([status, text, headers], [401, answers[0]?.text, answers[0]?.headers]);
  await site.close();
});

who.run();

const own = suite('a login of the host');

const SESSION = { cookie: 'session=1' };
const POSTS = '/cms/v2/posts';

/** A site whose host recognises the callers that send its cookie. */
async function createHostSite() {
  const asked: string[] = [];
  const site = await createWholeSite({
    fixture: FIXTURE,
    authenticate: async ({ headers, path }) => {
      asked.push(path);
      if (headers['cookie'] === 'session=old')
        throw engineError('rest_forbidden', { message: 'The session is over.' });
      if (headers['cookie'] === 'session=broken') throw new Error('no sessions');
      if (headers['cookie'] !== SESSION.cookie) return null;
      const user = await site.store.get('users', 2);
      return user === null ? null : toIdentity(user);
    },
  });
  return { ...site, asked };
}

own(
  'is called first, for every request; the site identifies callers that it does not recognise',
  async () => {
    const { ask, asked, close } = await createHostSite();
    const write = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await ask({ method: 'POST', target: POSTS, body: { title: 'x' }, headers })).status;
    assert.is(await write(SESSION), 201);
    assert.is(await write({ ...SESSION, authorization: basic('Admin', 'wrong') }), 201);
    assert.is(await write({ authorization: basic('Admin', RIGHT) }), 201);
    assert.is(await write({ authorization: basic('Admin', 'wrong') }), 401);
    assert.is(await write({}), 401);
    assert.is(asked.length, 5);
    await close();
  },
);

own('is called before a cached response for anonymous callers is sent', async () => {
  const { ask, engine, close } = await createHostSite();
  const target = `/en/cms-json${POSTS}`;
  const stranger = await engine.serve({ ...toRequest({ target: POSTS }), target });
  assert.is(stranger.headers['Cache-Control'], undefined);
  assert.is(engine.ready, undefined, 'every request must reach the function of the host');
  assert.match(String((await ask({ target: POSTS, headers: SESSION })).headers['Cache-Control']), 'private');
  await close();
  // Without the host's function, the same response is cached.
  const site = await createWholeSite({ fixture: FIXTURE });
  await site.engine.serve({ ...toRequest({ target: POSTS }), target });
  assert.is((await site.engine.ready?.(SITE_URL, target))?.status, 200);
  await site.close();
});

own('refuses with a RestError; any other error is logged and results in a 500 without details', async () => {
  const { ask, logged, close } = await createHostSite();
  const old = await ask({ target: POSTS, headers: { cookie: 'session=old' } });
  assert.equal([old.status, old.text.includes('The session is over.'), logged.length], [401, true, 0]);
  const broken = await ask({ target: POSTS, headers: { cookie: 'session=broken' } });
  assert.equal([broken.status, broken.text.includes('no sessions'), logged.length], [500, false, 1]);
  await close();
});

own('names bearer in the log when its promise does not settle or it throws', async () => {
  const bearer = (token: string): Promise<Identity> =>
    token === 'lost' ? new Promise(() => undefined) : Promise.reject(new Error('no tokens'));
  const { ask, logged, close } = await createWholeSite({ fixture: FIXTURE, handlerTimeoutMs: 200, bearer });
  const statuses = [
    (await ask({ target: POSTS, as: 'lost' })).status,
    (await ask({ target: POSTS, as: 'wrong' })).status,
  ];
  assert.equal(
    [statuses, logged.map(({ message }) => message)],
    [
      [504, 500],
      [`answering GET ${POSTS} took too long in bearer`, `answering GET ${POSTS} failed in bearer`],
    ],
  );
  await close();
});

own.run();

const told = suite('the results of a host’s functions');

const EDITOR = { role: 'editor', capabilities: new Set(['edit_posts', 'publish_posts']) };
const NOT_IDENTITIES: readonly (readonly [what: string, value: unknown])[] = [
  ['true', true],
  ['false', false],
  ['a text', 'admin'],
  ['an empty text', ''],
  ['0', 0],
  ['1', 1],
  ['an empty object', {}],
  ['a list', []],
  ['a user', { id: 1, login: 'Admin', role: 'administrator' }],
  ['an id that is an empty text', { ...EDITOR, id: '' }],
  ['an id with a control character', { ...EDITOR, id: 'a\0b' }],
  ['an id that is too long', { ...EDITOR, id: 'a'.repeat(256) }],
  ['no id', EDITOR],
  ['a half id', { ...EDITOR, id: 1.5 }],
  ['an id below 0', { ...EDITOR, id: -1 }],
  ['no number', { ...EDITOR, id: Number.NaN }],
  ['no role', { id: 1, capabilities: EDITOR.capabilities }],
  ['capabilities as a list', { ...EDITOR, id: 1, capabilities: ['edit_posts'] }],
  ['capabilities that hold everything', { ...EDITOR, id: 1, capabilities: { has: () => true } }],
  ['a function', () => ({ ...EDITOR, id: 1 })],
  ['an error', new Error('no')],
];

const ANY_TOKEN = { authorization: 'Bearer any' };

for (const option of ['authenticate', 'bearer'] as const) {
  const ask = (answer: () => unknown): Identity | Promise<Identity> =>
    createAuthenticate(createMemoryStore(collections), { now: () => 0, [option]: answer })(
      createRequest('/', { headers: ANY_TOKEN }),
    );
  told(`${option}: a value that is not an identity is refused, also from a promise`, async () => {
    for (const [what, value] of NOT_IDENTITIES) {
      for (const answer of [() => value, async () => value]) {
        const error: unknown = await Promise.resolve()
          .then(() => ask(answer))
          .catch((reason: unknown) => reason);
        assert.ok(error instanceof TypeError, what);
        assert.match(error.message, `${option} of createSite returned`);
      }
    }
  });
  told(`${option}: null is an anonymous caller, and an identity is that caller`, async () => {
    for (const value of [undefined, null]) assert.is((await ask(async () => value)).id, 0);
    assert.is((await ask(() => ({ ...EDITOR, id: 5 }))).id, 5);
  });
  told(`${option}: a text is the user with this subject, who has the rights of the record`, async () => {
    const subject = 'https://id.example/ auth0|5f7c8';
    const store = createMemoryStore(collections);
    const user = { id: 3, login: 'ada', name: 'Ada', slug: 'ada', role: 'author', subject };
    await loadFixture(store, { ...FIXTURE, users: [...(FIXTURE.users ?? []).slice(0, 2), user] });
    const enter = async (id: string): Promise<Identity> =>
      createAuthenticate(store, {
        now: () => 0,
        [option]: () => ({ ...EDITOR, id, claims: { sid: 's1' } }),
      })(createRequest('/', { headers: ANY_TOKEN }));
    const { id, role, claims, capabilities } = await enter(subject);
    assert.equal(
      [id, role, claims, capabilities.has('edit_others_posts')],
      [3, 'author', { sid: 's1' }, false],
    );
    assert.is(isOfRecord(await enter(subject)), true);
    for (const other of ['3', 'ada', `${subject}9`]) await rejects(enter(other), 'rest_invalid_credentials');
  });
  told(
    `${option}: a wrong answer and a failure are a 500 for the caller, and are named in the log`,
    async () => {
      for (const answer of [
        () => true,
        async () => {
          throw new Error('no sessions');
        },
        () => {
          throw new Error('no sessions');
        },
      ]) {
        const site = await createWholeSite({ fixture: FIXTURE, [option]: answer });
        const { status, text } = await site.ask({
          method: 'POST',
          target: POSTS,
          body: { title: 'x' },
          headers: ANY_TOKEN,
        });
        assert.equal(
          [status, text.includes('rest_internal_error'), text.includes('no sessions'), site.logged.length],
          [500, true, false, 1],
        );
        assert.match(
          String(site.logged[0]?.error),
          /of createSite returned (true|false|a plain object[\w ]*); it must return an Identity|no sessions/,
        );
        await site.close();
      }
    },
  );
}

told.run();

const renewal = suite('hashes');

async function hashesOf(store: Store): Promise<readonly string[]> {
  const { records } = await store.find({
    collection: 'credentials',
    order: [{ field: 'id', direction: 'asc' }],
  });
  return records.map((record) => String(record['hash']));
}

/** A login whose second user, émile, has a password hash in the old format. */
async function createOldDoor(): Promise<Door & { readonly old: string }> {
  const door = await createDoor();
  const old = toOldHash('émile:pass');
  const { records } = await door.store.find({ collection: 'credentials', where: eq('user', 2) });
  await door.store.commit([
    { op: 'update', collection: 'credentials', id: records[0]?.id ?? 0, values: { hash: old } },
  ]);
  return { ...door, old };
}

renewal('of a content: scrypt for what people choose, a fast hash for an application password', async () => {
  const { store } = await createDoor();
  const [generated, chosen] = await hashesOf(store);
  assert.match(String(generated), /^sha256\$/);
  assert.match(String(chosen), /^scrypt\$16384\$8\$1\$/);
});

renewal('of before are accepted, and renewed at the next right login', async () => {
  const { enter, store, old } = await createOldDoor();
  await rejects(enter(basic('émile', 'wrong')), WRONG);
  assert.is((await hashesOf(store))[1], old);
  const logins = await Promise.all(
    Array.from({ length: 20 }, async () => (await enter(basic('émile', 'émile:pass'))).id),
  );
  assert.equal(
    logins,
    Array.from({ length: 20 }, () => 2),
  );
  const [application, renewed] = await hashesOf(store);
  assert.match(String(renewed), /^scrypt\$16384\$8\$1\$/);
  assert.is((await enter(basic('émile', 'émile:pass'))).id, 2);
  assert.is((await enter(basic('Admin', RIGHT))).id, 1);
  assert.equal(await hashesOf(store), [application, renewed]);
});

renewal(
  'stay unchanged if the store cannot be written: the login succeeds, and the error is logged once',
  async () => {
    const { enter, store, old, logged } = await createOldDoor();
    Object.assign(store, { commit: () => Promise.reject(new Error('the store is read-only')) });
    for (let login = 0; login < 3; login += 1) assert.is((await enter(basic('émile', 'émile:pass'))).id, 2);
    assert.is((await hashesOf(store))[1], old);
    assert.equal(
      logged.map(({ level, message }) => [level, message]),
      [['warn', 'renewing the hash of credential 2 failed']],
    );
  },
);

renewal('that change or are removed invalidate the verified password', async () => {
  const { enter, store } = await createDoor();
  const login = () => codeOf(enter(basic('émile', 'émile:pass')));
  assert.is(await login(), 'user 2');
  const hash = await hashPassword('another one');
  await store.commit([{ op: 'update', collection: 'credentials', id: 2, values: { hash } }]);
  assert.is(await login(), WRONG);
  assert.is(await codeOf(enter(basic('émile', 'another one'))), 'user 2');
  await store.commit([{ op: 'removeAll', collection: 'credentials', where: eq('user', 2) }]);
  assert.is(await codeOf(enter(basic('émile', 'another one'))), WRONG);
});

renewal('are of no use when their user is removed', async () => {
  const { enter, store } = await createDoor();
  assert.is(await codeOf(enter(basic('émile', 'émile:pass'))), 'user 2');
  await store.commit([{ op: 'removeAll', collection: 'users', where: eq('id', 2) }]);
  assert.is(await codeOf(enter(basic('émile', 'émile:pass'))), WRONG);
});

renewal.run();

const throttle = suite('guessing');

throttle(
  'five failures a minute at an account from one address, then that address waits; a minute later all is well',
  async () => {
    const { enter, clock } = await createDoor();
    for (let guess = 1; guess <= 5; guess += 1)
      assert.is(await codeOf(enter(basic('Admin', `guess${guess}`), '192.0.2.9')), WRONG);
    assert.is(await codeOf(enter(basic('Admin', RIGHT), '192.0.2.9')), WAIT);
    const error = await rejects(enter(basic('Admin', 'guess6'), '192.0.2.9'), WAIT);
    assert.equal([error.status, error.headers['Retry-After']], [429, '60']);
    assert.is(await codeOf(enter(basic('émile', 'émile:pass'), '192.0.2.9')), 'user 2');
    clock.now += MINUTE - 1;
    assert.is((await rejects(enter(basic('Admin', RIGHT), '192.0.2.9'), WAIT)).headers['Retry-After'], '1');
    clock.now += 1;
    assert.is(await codeOf(enter(basic('Admin', RIGHT), '192.0.2.9')), 'user 1');
  },
);

for (const [name, password] of [
  ['Admin', RIGHT],
  ['émile', 'émile:pass'],
] as const) {
  throttle(
    `nobody locks ${name} out: the right password is accepted from an address that has not failed`,
    async () => {
      const { enter } = await createDoor();
      for (let guess = 1; guess <= 5; guess += 1)
        await codeOf(enter(basic(name, `guess${guess}`), '192.0.2.1'));
      assert.is(await codeOf(enter(basic(name, password), '192.0.2.1')), WAIT);
      assert.not.match(await codeOf(enter(basic(name, password), '192.0.2.2')), 'rest_');
    },
  );
}

/** A wrong password that does not cost a slow hash, for tests with many of them. */
const GUESS = 'aaaaBBBBccccDDDDeeeeFFFF';

throttle(
  'a hundred failures an hour at an account from all addresses; then an address has one guess per hour, and the right password is still accepted',
  async () => {
    const { enter, clock } = await createDoor();
    const guessFrom = (index: number): Promise<string> =>
      codeOf(enter(basic('Admin', GUESS), `198.51.${Math.floor(index / 100)}.${index % 100}`));
    const codes = [];
    for (let index = 0; index < 300; index += 1) codes.push(await guessFrom(index));
    assert.equal(
      [
        codes.filter((code) => code === WRONG).length,
        codes.indexOf(WAIT),
        codes.filter((code) => code === WAIT).length,
      ],
      [100, 100, 200],
    );
    assert.is(await codeOf(enter(basic('Admin', RIGHT), '192.0.2.1')), 'user 1');
    assert.is(
      await codeOf(enter(basic('Admin', RIGHT), '198.51.2.99')),
      WAIT,
      'an address that has failed, long after the minute',
    );
    assert.is(
      (await rejects(enter(basic('Admin', RIGHT), '198.51.2.99'), WAIT)).headers['Retry-After'],
      '3600',
    );
    clock.now += 60 * MINUTE;
    assert.is(await codeOf(enter(basic('Admin', RIGHT), '198.51.2.99')), 'user 1');
  },
);

throttle('the addresses of one /64 are one, and an IPv4 address is the same in either form', async () => {
  const { enter } = await createDoor();
  for (let guess = 1; guess <= 5; guess += 1)
    assert.is(await codeOf(enter(basic('Admin', GUESS), `2001:db8:1:2::${guess}`)), WRONG);
  assert.is(await codeOf(enter(basic('Admin', RIGHT), '2001:db8:1:2:ffff::1')), WAIT);
  assert.is(await codeOf(enter(basic('Admin', RIGHT), '2001:db8:1:3::1')), 'user 1');
  for (let guess = 1; guess <= 5; guess += 1)
    assert.is(await codeOf(enter(basic('Admin', GUESS), '::ffff:192.0.2.7')), WRONG);
  assert.is(await codeOf(enter(basic('Admin', RIGHT), '192.0.2.7')), WAIT);
});

throttle(
  'callers without an address are never locked out; after a hundred wrong guesses, further ones get 429',
  async () => {
    const { enter } = await createDoor();
    const codes = [];
    for (let index = 0; index < 130; index += 1) codes.push(await codeOf(enter(basic('émile', GUESS), '')));
    assert.equal([codes.indexOf(WAIT), codes.filter((code) => code === WRONG).length], [100, 100]);
    for (let login = 0; login < 3; login += 1)
      assert.is(await codeOf(enter(basic('émile', 'émile:pass'), '')), 'user 2');
    assert.is(await codeOf(enter(basic('émile', 'wrong'), '')), WAIT);
  },
);

throttle('the right password is accepted after four failures, any number of times', async () => {
  const { enter } = await createDoor();
  for (let guess = 1; guess <= 4; guess += 1) await rejects(enter(basic('Admin', 'wrong')), WRONG);
  for (let login = 0; login < 50; login += 1) assert.is((await enter(basic('Admin', RIGHT))).id, 1);
  assert.equal(
    await Promise.all(Array.from({ length: 50 }, async () => (await enter(basic('Admin', RIGHT))).id)),
    Array.from({ length: 50 }, () => 1),
  );
});

throttle('other spellings of a login are the same account', async () => {
  const { enter } = await createDoor();
  for (const name of ['admin', 'ADMIN', 'Àdmin', 'ａdmin', 'admín'])
    assert.is(await codeOf(enter(basic(name, 'wrong'))), WRONG);
  assert.is(await codeOf(enter(basic('Admin', RIGHT))), WAIT);
});

throttle('an unknown account is throttled like a known one', async () => {
  const { enter } = await createDoor();
  const codes = [];
  for (let guess = 1; guess <= 7; guess += 1) codes.push(await codeOf(enter(basic('unknown', 'wrong'))));
  assert.equal(codes, [WRONG, WRONG, WRONG, WRONG, WRONG, WAIT, WAIT]);
});

throttle('twenty failures a minute from an address, whatever the names', async () => {
  const { enter, clock } = await createDoor();
  for (let guess = 1; guess <= 20; guess += 1)
    assert.is(await codeOf(enter(basic(`user${guess}`, 'wrong'))), WRONG);
  assert.is(await codeOf(enter(basic('user21', 'wrong'))), WAIT);
  assert.is(await codeOf(enter(basic('Admin', RIGHT))), WAIT);
  assert.is(await codeOf(enter(basic('Admin', RIGHT), '192.0.2.2')), 'user 1');
  assert.is((await enter(undefined)).id, 0);
  clock.now += MINUTE;
  assert.is(await codeOf(enter(basic('Admin', RIGHT))), 'user 1');
});

throttle('concurrent guesses are counted like others, and a right one among them gains nothing', async () => {
  const { enter } = await createDoor();
  for (const [name, right, wrong] of [
    ['Admin', RIGHT, 'aaaaBBBBccccDDDDeeee10'],
    ['émile', 'émile:pass', 'guess'],
  ] as const) {
    const guesses = Array.from({ length: 60 }, (_each, index) =>
      codeOf(enter(basic(name, index === 40 ? right : `${wrong}${10 + index}`), `192.0.${name.length}.1`)),
    );
    const codes = await Promise.all(guesses);
    assert.equal(
      [codes.filter((code) => code === WRONG).length, codes.filter((code) => code === WAIT).length],
      [5, 55],
      name,
    );
  }
});

throttle('the items of a batch share its login', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  const requests = Array.from({ length: 25 }, () => ({
    path: '/cms/v2/posts',
    body: { title: 'x' },
    headers: { Authorization: basic('Admin', 'guess') },
  }));
  for (const status of [401, 401, 401, 401, 401, 429]) {
    const answer = await site.ask({
      method: 'POST',
      target: '/batch/v1',
      body: { requests },
      headers: { authorization: basic('Admin', 'wrong') },
      address: '192.0.2.1',
    });
    assert.is(answer.status, status);
  }
  const answer = await site.ask({ method: 'POST', target: '/batch/v1', body: { requests } });
  assert.match(answer.text, 'rest_cannot_create');
  await site.close();
});

throttle.run();

const secrets = suite('secrets');

function median(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
}

/** Of the processor, so that other programs do not count. The first rounds warm up. */
function assertAlike(times: Readonly<Record<string, readonly number[]>>, warmUp: number): void {
  const medians = Object.values(times).map((each) => median(each.slice(warmUp)));
  const ratio = Math.max(...medians) / Math.min(...medians);
  assert.ok(
    ratio < 1.67,
    JSON.stringify(Object.fromEntries(Object.keys(times).map((kind, at) => [kind, medians[at]?.toFixed(3)]))),
  );
}

/** Logins: with an application password, with a chosen password, without a password, and an unknown one. */
const KINDS = ['Admin', 'émile', 'silent', 'Nimda'];

// The runner derives the key of a password once, so each guess is another one.
for (const [what, guessOf, rounds] of [
  ['in the form of an application password', () => GUESS, 1000],
  ['of any other form', (name: string, round: number) => `wrong password ${round} of ${name}`, 12],
] as const) {
  secrets(`a wrong password ${what} takes as long for an unknown user as for any known one`, async () => {
    const { enter, clock } = await createDoor();
    const times: Record<string, number[]> = Object.fromEntries(KINDS.map((name) => [name, []]));
    for (let round = 0; round < (isAll ? rounds : 1); round += 1) {
      for (const name of KINDS) {
        clock.now += 60 * MINUTE;
        const authorization = basic(name, guessOf(name, round));
        times[name]?.push(
          await processorTime(async () => assert.is(await codeOf(enter(authorization)), WRONG)),
        );
      }
    }
    // What `npm test` finds must not depend on the machine.
    if (isAll) assertAlike(times, rounds / 10);
  });
}

secrets('no password, token or hash appears in the log or in a response', async () => {
  const site = await createWholeSite({
    fixture: {
      ...FIXTURE,
      users: [{ id: 1, login: 'Admin', password: SECRET, name: 'A', slug: 'a', role: 'administrator' }],
    },
  });
  const { commit } = site.store;
  const texts: string[] = [];
  const headers = [
    basic('Admin', SECRET),
    basic('Admin', `${SECRET}x`),
    basic(SECRET, SECRET),
    `Bearer ${SECRET}`,
    `Digest ${SECRET}`,
    `Basic ${SECRET}???`,
  ];
  const ask = async (authorization: string): Promise<void> => {
    for (const target of ['/cms/v2/posts', '/', '/cms/v2/posts/1?context=edit', '/batch/v1']) {
      const answer = await site.ask({
        method: target === '/batch/v1' ? 'POST' : 'GET',
        target,
        headers: { authorization },
        ...(target === '/batch/v1'
          ? { body: { requests: [{ path: '/cms/v2/posts', body: { title: 'x' } }] } }
          : {}),
      });
      texts.push(JSON.stringify([answer.headers, answer.text]));
    }
  };
  for (const authorization of headers) await ask(authorization);
  // The error of the store is logged as it is. The credentials of the request are not part of it.
  Object.assign(site.store, { commit: () => Promise.reject(new Error('the disk is gone')) });
  for (const authorization of headers) await ask(authorization);
  Object.assign(site.store, { commit });
  const { records } = await site.store.find({ collection: 'credentials' });
  const told = `${texts.join('\n')}\n${site.logged.map((event) => `${JSON.stringify(event)} ${event.error instanceof Error ? event.error.stack : ''}`).join('\n')}`;
  assert.match(told, 'the disk is gone');
  for (const secret of [
    SECRET,
    Buffer.from(SECRET).toString('base64').slice(0, 16),
    Buffer.from(`Admin:${SECRET}`).toString('base64').slice(0, 20),
    String(records[0]?.['hash']),
  ])
    assert.not.match(told, secret);
  await site.close();
});

secrets.run();
