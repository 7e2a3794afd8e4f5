import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MOST_ATTEMPTS, readTicks, runCalmly, stolenSince, type Ticks } from './calm.ts';

/** A machine that loses the given share of its ticks in each run, in percent. */
function createMachine(shares: readonly number[]): {
  readonly read: () => Ticks;
  readonly run: (attempt: number) => Promise<number>;
} {
  let now: Ticks = { all: 0, stolen: 0 };
  return {
    read: () => now,
    run: async (attempt) => {
      now = { all: now.all + 100, stolen: now.stolen + (shares[attempt % shares.length] ?? 0) };
      return attempt;
    },
  };
}

const calm = suite('runs of the benchmark');
calm('count when almost no processor time was stolen', async () => {
  const { read, run } = createMachine([30, 3, 2]);
  assert.is(await runCalmly('it', run, { read, pauseMs: 0 }), 2);
});
calm('use the calmest run when none is calm, and report it', async () => {
  const { read, run } = createMachine([...Array.from({ length: MOST_ATTEMPTS - 2 }, () => 50), 7, 50]);
  const { error } = console;
  const said: unknown[] = [];
  try {
    console.error = (line: unknown) => {
      said.push(line);
    };
    assert.is(await runCalmly('it', run, { read, pauseMs: 0 }), MOST_ATTEMPTS - 2);
  } finally {
    console.error = error;
  }
  assert.equal(said, [
    `it: no calm run among ${MOST_ATTEMPTS}; 7 % of the processors were stolen during the calmest`,
  ]);
});
calm('read the ticks of this machine', () => {
  const before = readTicks();
  assert.ok(before.all >= before.stolen);
  const share = stolenSince(before);
  assert.ok(share >= 0 && share <= 1);
  assert.is(
    stolenSince({ all: before.all - 100, stolen: before.stolen - 100 }, () => before),
    1,
  );
});
calm.run();
