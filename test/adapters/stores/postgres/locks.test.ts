import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { PostgresFailure } from '../../../../adapters/stores/postgres/errors.ts';
import { Locks } from '../../../../adapters/stores/postgres/locks.ts';
import { withMovedClock } from '../../../support/moved-clock.ts';

const tests = suite('Locks');

function locked(collections: readonly string[] | null = null): PostgresFailure {
  const failure = new PostgresFailure(
    Object.assign(new Error('canceling statement due to lock timeout'), { severity: 'ERROR', code: '55P03' }),
  );
  failure.collections = collections;
  return failure;
}

const fail = (error: Error) => async (): Promise<never> => {
  throw error;
};
const outcome = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'done',
    (error: unknown) => (error instanceof PostgresFailure ? 'failed' : 'refused'),
  );

tests('refuse a locked collection at once, and let one request through from time to time', () =>
  withMovedClock(async (clock) => {
    const locks = new Locks();
    assert.is(await outcome(locks.run(['posts'], fail(locked()))), 'failed');
    await rejectsStore(
      locks.run(['posts'], async () => 1),
      'unavailable',
    );
    assert.is(await locks.run(['terms'], async () => 2), 2);
    clock.block(120);
    assert.is(locks.areSuspect(['posts']), true);
    assert.equal(await Promise.all([1, 2, 3].map(() => outcome(locks.run(['posts'], fail(locked()))))), [
      'failed',
      'refused',
      'refused',
    ]);
    clock.block(120);
    assert.equal(await Promise.all([3, 4].map((each) => locks.run(['posts'], async () => each))), [3, 4]);
    assert.is(locks.areSuspect(['posts']), false);
    assert.is(await locks.run(['posts'], async () => 4), 4);
  }),
);

tests('leave alone only the collection that is locked, and none after another failure', async () => {
  const locks = new Locks();
  assert.is(await outcome(locks.run(['posts', 'terms'], fail(locked(['posts'])))), 'failed');
  assert.is(locks.areSuspect(['terms']), false);
  await rejectsStore(
    locks.run(['posts', 'terms'], async () => 1),
    'unavailable',
  );
  assert.is(await outcome(locks.run(['users'], fail(new PostgresFailure(new Error('gone'))))), 'failed');
  assert.is(await locks.run(['users'], async () => 2), 2);
});

tests('keep one try at a time, although a request from before the lock ends meanwhile', () =>
  withMovedClock(async (clock) => {
    for (const error of [null, new PostgresFailure(new Error('gone'))]) {
      const locks = new Locks();
      let endEarly: () => void = () => undefined;
      const early = outcome(
        locks.run(
          ['posts'],
          () =>
            new Promise<void>((resolve, reject) => {
              endEarly = () => {
                if (error === null) resolve();
                else reject(error);
              };
            }),
        ),
      );
      assert.is(await outcome(locks.run(['posts'], fail(locked()))), 'failed');
      clock.block(120);
      let [running, most] = [0, 0];
      const work = async (): Promise<void> => {
        most = Math.max(most, (running += 1));
        await turn();
        running -= 1;
        throw locked();
      };
      const first = outcome(locks.run(['posts'], work));
      endEarly();
      assert.is(await early, error === null ? 'done' : 'failed');
      assert.is(
        locks.areSuspect(['posts']),
        true,
        'what began before the lock does not tell that it has ended',
      );
      const rest = [1, 2].map(() => outcome(locks.run(['posts'], work)));
      assert.equal(await Promise.all([first, ...rest]), ['failed', 'refused', 'refused']);
      assert.is(most, 1, 'tries at once');
    }
  }),
);

tests.run();
