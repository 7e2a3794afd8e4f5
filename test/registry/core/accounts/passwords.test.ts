import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword } from '../../../../registry/core/accounts/credentials.ts';
import { Passwords, type FindOptions } from '../../../../registry/core/accounts/passwords.ts';
import { toOldHash } from '../../../support/old-hash.ts';

const GENERATED = 'abcdEFGHijklMNOPqrstUVWX';
/** A hash of `adminpass` that takes little time. */
const CHEAP = 'scrypt$1024$4$2$00ff$09ea558f223fc55a005c859f10f74f5b569220f411d52836ccb3833621a2c4ac';

/** Counts the turns of slow hashes. */
function createCounter(useVerified = true): FindOptions & { readonly turns: () => number } {
  let count = 0;
  return {
    useVerified,
    beforeWork: () => {
      count += 1;
    },
    turns: () => count,
  };
}

const test = suite('Passwords');

test('hashes a chosen password once; with another hash of its user it is hashed again, and no longer right', async () => {
  const passwords = new Passwords();
  const options = createCounter();
  const hash = await hashPassword('adminpass');
  for (let login = 0; login < 5; login += 1)
    assert.equal(await passwords.find([hash], 'adminpass', options), { hash, renewed: null });
  assert.is(options.turns(), 1);
  assert.is(await passwords.find([await hashPassword('other')], 'adminpass', options), null);
  assert.is(await passwords.find([], 'adminpass', options), null);
  assert.is(await passwords.find([hash], 'adminpas', options), null);
  assert.is(options.turns(), 4);
});

test('hashes a chosen password each time where nothing found before is to be used', async () => {
  const passwords = new Passwords();
  const options = createCounter(false);
  const hash = await hashPassword('adminpass');
  for (let login = 0; login < 3; login += 1)
    assert.is((await passwords.find([hash], 'adminpass', options))?.hash, hash);
  assert.is(options.turns(), 3);
});

test('hashes once for all who bring the same password at the same moment', async () => {
  const passwords = new Passwords();
  const options = createCounter();
  const hash = toOldHash('adminpass');
  const found = await Promise.all(
    Array.from({ length: 200 }, () => passwords.find([hash], 'adminpass', options)),
  );
  assert.is(options.turns(), 1);
  assert.is(found.filter((match) => match?.hash === hash).length, 200);
  assert.is(
    found.filter((match) => match?.renewed !== null).length,
    1,
    'one of them stores the renewed hash',
  );
});

test('takes no turn for an application password, right or wrong', async () => {
  const passwords = new Passwords();
  const options = createCounter();
  const hashes = [await hashPassword('adminpass'), await hashPassword(GENERATED)];
  assert.equal(await passwords.find(hashes, 'abcd EFGH ijkl MNOP qrst UVWX', options), {
    hash: hashes[1],
    renewed: null,
  });
  for (const others of [hashes, hashes.slice(0, 1), []])
    assert.is(await passwords.find(others, 'aaaaBBBBccccDDDDeeeeFFFF', options), null);
  assert.is(options.turns(), 0);
});

test('takes one turn for any other password, whatever the user has', async () => {
  const passwords = new Passwords();
  const all = [await hashPassword('adminpass'), await hashPassword(GENERATED), toOldHash('old'), 'no hash'];
  for (const hashes of [all.slice(0, 3), ...all.map((each) => [each]), []]) {
    const options = createCounter();
    assert.is(await passwords.find(hashes, 'wrong', options), null);
    assert.is(options.turns(), 1);
  }
});

test('renews a hash that is not made as today, and knows the password by either', async () => {
  const passwords = new Passwords();
  const options = createCounter();
  for (const old of [toOldHash('adminpass'), CHEAP]) {
    const match = await passwords.find([old], 'adminpass', options);
    assert.is(match?.hash, old);
    const renewed = String(match?.renewed);
    assert.match(renewed, /^scrypt\$16384\$8\$1\$/);
    const turns = options.turns();
    for (const hash of [old, renewed])
      assert.equal(await passwords.find([hash], 'adminpass', options), { hash, renewed: null });
    assert.is(options.turns(), turns);
  }
});

test('refuses what would wait too long, and goes on after it', async () => {
  const passwords = new Passwords();
  const options = createCounter();
  const hash = CHEAP;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 80 }, async (_each, index) => passwords.find([hash], `guess${index}`, options)),
  );
  const codes = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
  );
  assert.equal(
    codes,
    Array.from({ length: 80 - 2 - 64 }, () => 'rest_overloaded'),
  );
  assert.is((await passwords.find([hash], 'adminpass', options))?.hash, hash);
});

test('does not accept a password if `beforeWork` throws', async () => {
  const passwords = new Passwords();
  const hash = await hashPassword('adminpass');
  const refusing: FindOptions = {
    useVerified: true,
    beforeWork: () => {
      throw new Error('refused');
    },
  };
  const outcome: unknown = await Promise.resolve(passwords.find([hash], 'adminpass', refusing)).catch(
    (error: unknown) => error,
  );
  assert.is((outcome as Error).message, 'refused');
  const options = createCounter();
  assert.is((await passwords.find([hash], 'adminpass', options))?.hash, hash);
  assert.is(options.turns(), 1);
});

test.run();
