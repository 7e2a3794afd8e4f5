import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import {
  hashPassword,
  isGenerated,
  isOutdated,
  NOBODYS_HASHES,
  verifyPassword,
} from '../../../../registry/core/accounts/credentials.ts';
import { collections } from '../../../../registry/index.ts';
import { toOldHash } from '../../../support/old-hash.ts';

const form = suite('isGenerated');

const FORMS: readonly (readonly [password: string, isIt: boolean])[] = [
  ['abcd EFGH ijkl MNOP qrst UVWX', true],
  ['abcdEFGHijklMNOPqrstUVWX', true],
  ['0123456789abcdef01234567', true],
  ['a-_4a-_4a-_4a-_4a-_4a-_4', true],
  ['adminpass', false],
  ['', false],
  ['correct horse battery staple', false],
  ['correct horse battery stapl', false],
  ['123456789012345678901234', false],
  ['abcdEFGHijklMNOPqrstUVW', false],
  ['abcdEFGHijklMNOPqrstUVWXy', false],
  ['abcdEFGHijklMNOPqrstUVW!', false],
  ['abcdEFGHijklMNOPqrstUVWé', false],
];
for (const [password, isIt] of FORMS)
  form(`"${password}": ${isIt ? 'a program made it' : 'a person chose it'}`, () =>
    assert.is(isGenerated(password), isIt),
  );

form('applies to passwords generated as documented', () => {
  for (let round = 0; round < 1000; round += 1) assert.ok(isGenerated(randomBytes(18).toString('base64url')));
});

form.run();

const hash = suite('hashPassword');

hash('refuses what would let callers in who send no password', async () => {
  for (const password of ['', '  ', undefined, null, 5]) {
    const error: unknown = await hashPassword(password as string).catch((failure: unknown) => failure);
    assert.match(String(error), /^TypeError: hashPassword needs a password: a text with/);
  }
});

hash(
  'makes a fast hash of an application password, and one of scrypt of any other; each with a salt of its own',
  async () => {
    const [fast, again, slow, other] = await Promise.all(
      ['abcdEFGHijklMNOPqrstUVWX', 'abcdEFGHijklMNOPqrstUVWX', 'adminpass', 'adminpass'].map(hashPassword),
    );
    assert.match(String(fast), /^sha256\$[\da-f]{32}\$[\da-f]{64}$/);
    assert.match(String(slow), /^scrypt\$16384\$8\$1\$[\da-f]{32}\$[\da-f]{64}$/);
    assert.is(new Set([fast, again, slow, other]).size, 4);
  },
);

hash('is a promise, which no store takes for a hash', async () => {
  const store = createMemoryStore(collections);
  let code: string | null = null;
  try {
    await store.commit([
      {
        op: 'create',
        collection: 'credentials',
        values: { user: 1, name: 'x', hash: hashPassword('adminpass') as unknown as string },
      },
    ]);
  } catch (error) {
    code = error instanceof StoreError ? error.code : String(error);
  }
  assert.is(code, 'invalid');
});

hash.run();

const verify = suite('verifyPassword');

verify('matches the password in both forms, with or without spaces, and no other', async () => {
  for (const password of ['abcdEFGHijklMNOPqrstUVWX', 'adminpass', 'émile:pass']) {
    for (const stored of [await hashPassword(password), toOldHash(password)]) {
      assert.equal(
        [
          await verifyPassword(stored, password),
          await verifyPassword(stored, ` ${password}\t`),
          await verifyPassword(stored, `${password}x`),
        ],
        [true, true, false],
        stored,
      );
    }
  }
});

verify('takes N, r and p from the hash', async () => {
  // Created with Python's hashlib with N 1024, r 4, p 2.
  const stored = 'scrypt$1024$4$2$00ff$09ea558f223fc55a005c859f10f74f5b569220f411d52836ccb3833621a2c4ac';
  assert.equal(
    [await verifyPassword(stored, 'adminpass'), await verifyPassword(stored, 'adminpas')],
    [true, false],
  );
  assert.is(await verifyPassword(stored.replace('1024$4', '2048$4'), 'adminpass'), false);
});

for (const stored of [
  '',
  'adminpass',
  'sha256$',
  'sha256$00',
  'sha256$00$',
  'sha256$00$zz',
  'scrypt$',
  'scrypt$16384$8$1$00$',
  'scrypt$16384$8$1$00',
  'scrypt$16384$8$1$00$zz',
  'md5$00$00',
  'scrypt$-1$8$1$00$00',
]) {
  verify(`"${stored}" is the hash of no password`, async () => {
    for (const password of ['', 'adminpass', stored])
      assert.is(await verifyPassword(stored, password), false);
  });
}

verify('the placeholder hashes do not match any password', async () => {
  for (const stored of Object.values(NOBODYS_HASHES))
    assert.is(await verifyPassword(stored, 'nobody'), false);
});

verify.run();

const outdated = suite('isOutdated');

outdated('is a hash of a chosen password that is not made as today', async () => {
  assert.is(isOutdated(toOldHash('adminpass'), 'adminpass'), true);
  assert.is(isOutdated('scrypt$1024$8$1$00$00', 'adminpass'), true);
  assert.is(isOutdated(await hashPassword('adminpass'), 'adminpass'), false);
  assert.is(isOutdated(toOldHash('abcdEFGHijklMNOPqrstUVWX'), 'abcdEFGHijklMNOPqrstUVWX'), false);
});

outdated.run();
