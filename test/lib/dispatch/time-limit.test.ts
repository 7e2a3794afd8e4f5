import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deadline, clearDeadline, setDeadline } from '../../../lib/dispatch/time-limit.ts';
import { withMovedClock } from '../../support/moved-clock.ts';

const deadlineTests = suite('setAlarm');

/** A deadline that notes its name, and whether it was woken too early. */
function createDeadline(name: string, ms: number, woken: string[]): Deadline {
  const at = performance.now() + ms;
  return {
    at,
    expire: () => {
      woken.push(performance.now() < at ? `${name} too early` : name);
    },
  };
}

deadlineTests('wakes each at its own time, in whatever order they came', () =>
  withMovedClock(async (clock) => {
    const woken: string[] = [];
    let never: Deadline | undefined;
    for (const [name, ms] of [
      ['third', 90],
      ['first', 10],
      ['second', 50],
      ['never', 200_000],
    ] as const) {
      const deadline = createDeadline(name, ms, woken);
      setDeadline(deadline);
      if (name === 'never') never = deadline;
    }
    await clock.move(30);
    assert.equal(woken, ['first']);
    await clock.move(130);
    assert.equal(woken, ['first', 'second', 'third']);
    if (never !== undefined) clearDeadline(never);
  }),
);

deadlineTests('does not expire who was cleared, and still wakes the others', () =>
  withMovedClock(async (clock) => {
    const woken: string[] = [];
    const [gone, left] = [createDeadline('gone', 10, woken), createDeadline('left', 20, woken)];
    setDeadline(gone);
    setDeadline(left);
    clearDeadline(gone);
    clearDeadline(gone);
    await clock.move(50);
    assert.equal(woken, ['left']);
  }),
);

deadlineTests('wakes who lies down while others are woken, and who comes after all were gone', () =>
  withMovedClock(async (clock) => {
    const woken: string[] = [];
    setDeadline({ at: performance.now() + 5, expire: () => setDeadline(createDeadline('next', 10, woken)) });
    await clock.move(40);
    setDeadline(createDeadline('late', 5, woken));
    await clock.move(30);
    assert.equal(woken, ['next', 'late']);
  }),
);

deadlineTests('gives who was woken late the time to finish before a longer time is over, too', () =>
  withMovedClock(async (clock) => {
    const woken: string[] = [];
    const outer = createDeadline('outer', 10, woken);
    setDeadline(outer);
    setDeadline({
      at: performance.now() + 5,
      expire: () => {
        void Promise.resolve()
          .then(() => undefined)
          .then(() => clearDeadline(outer));
      },
    });
    clock.block(30);
    await clock.move(20);
    assert.equal(woken, []);
  }),
);

deadlineTests('takes times beyond the longest timer', () =>
  withMovedClock(async (clock) => {
    const woken: string[] = [];
    const deadlines = [createDeadline('far', 2 ** 40, woken), createDeadline('never', Infinity, woken)];
    for (const deadline of deadlines) setDeadline(deadline);
    await clock.move(20);
    assert.equal(woken, []);
    for (const deadline of deadlines) clearDeadline(deadline);
  }),
);

deadlineTests.run();
