import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../../../lib/core/errors.ts';
import { createAddressThrottle, createGuessLimits } from '../../../../registry/core/accounts/guess-limits.ts';

const BOUNDS = { atTargetFromAddress: 2, fromAddress: 3, atTarget: 4 };
const HOUR = 3_600_000;

/** The seconds to wait in the error that the function throws; 0 if it does not throw. */
function waitOf(run: () => void): number {
  try {
    run();
    return 0;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    assert.equal([error.code, error.status], ['rest_too_many_attempts', 429]);
    return Number(error.headers['Retry-After']);
  }
}

const limits = suite('createGuessLimits');

limits('limits an address at one target, and at all targets together', () => {
  const { check, fail } = createGuessLimits(() => 0, BOUNDS);
  const at = (target: string) => ({ target, address: '192.0.2.1' });
  for (let guess = 0; guess < 2; guess += 1) fail(at('a'));
  assert.equal([waitOf(() => check(at('a'))), waitOf(() => check(at('b')))], [60, 0]);
  fail(at('b'));
  assert.equal(
    [waitOf(() => check(at('b'))), waitOf(() => check({ target: 'a', address: '192.0.2.2' }))],
    [60, 0],
  );
});

limits(
  'beyond the limit of a target, refuses wrong guesses and allows one guess per address and hour',
  () => {
    let now = 0;
    const { check, fail, isUnderAttack } = createGuessLimits(() => now, BOUNDS);
    const from = (index: number) => ({ target: 'a', address: `192.0.2.${index}` });
    for (let index = 0; index < 4; index += 1)
      assert.is(
        waitOf(() => fail(from(index))),
        0,
      );
    assert.ok(isUnderAttack('a'));
    assert.not.ok(isUnderAttack('b'));
    now = 61_000;
    assert.equal([waitOf(() => check(from(0))), waitOf(() => check(from(9)))], [3539, 0]);
    assert.is(
      waitOf(() => fail(from(9))),
      3539,
    );
    assert.is(
      waitOf(() => check(from(9))),
      3539,
    );
    now = HOUR;
    assert.equal([waitOf(() => check(from(0))), isUnderAttack('a')], [0, false]);
  },
);

limits('never blocks a caller without an address', () => {
  const { check, fail } = createGuessLimits(() => 0, BOUNDS);
  const guess = { target: 'a', address: '' };
  const waits = Array.from({ length: 6 }, () => [waitOf(() => check(guess)), waitOf(() => fail(guess))]);
  assert.equal(waits, [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 3600],
    [0, 3600],
  ]);
});

limits.run();

const throttle = suite('createAddressThrottle');

throttle('counts each target and network by itself, and callers without an address not at all', () => {
  const { attempt, wait } = createAddressThrottle(() => 0, 1, 60_000);
  const guesses = [
    ['a', '2001:db8::1'],
    ['a', '2001:db8::2'],
    ['b', '2001:db8::1'],
    ['a', '2001:db8:0:1::1'],
    ['a', ''],
    ['a', ''],
  ] as const;
  assert.equal(
    guesses.map(([target, address]) => attempt({ target, address })),
    [0, 60, 0, 0, 0, 0],
  );
  assert.equal(
    [
      wait({ target: 'a', address: '2001:db8::3' }),
      wait({ target: 'c', address: '2001:db8::1' }),
      wait({ target: 'a', address: '' }),
    ],
    [60, 0, 0],
  );
});

throttle.run();
