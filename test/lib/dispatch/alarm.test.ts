import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clearAlarm, setAlarm, type Sleeper } from '../../../lib/dispatch/alarm.ts';

const alarms = suite('setAlarm');

const pause = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });

/** A sleeper that notes its name, and whether it was woken too early. */
function createSleeper(name: string, ms: number, woken: string[]): Sleeper {
  const at = performance.now() + ms;
  return { at, wake: () => { woken.push(performance.now() < at ? `${name} too early` : name); } };
}

alarms('wakes each at its own time, in whatever order they came', async () => {
  const woken: string[] = [];
  for (const [name, ms] of [['third', 90], ['first', 10], ['second', 50], ['never', 200_000]] as const) {
    const sleeper = createSleeper(name, ms, woken);
    setAlarm(sleeper);
    if (name === 'never') setTimeout(() => clearAlarm(sleeper), 150);
  }
  await pause(30);
  assert.equal(woken, ['first']);
  await pause(130);
  assert.equal(woken, ['first', 'second', 'third']);
});

alarms('does not wake who was cleared, and still wakes the others', async () => {
  const woken: string[] = [];
  const [gone, left] = [createSleeper('gone', 10, woken), createSleeper('left', 20, woken)];
  setAlarm(gone);
  setAlarm(left);
  clearAlarm(gone);
  clearAlarm(gone);
  await pause(50);
  assert.equal(woken, ['left']);
});

alarms('wakes who lies down while others are woken, and who comes after all were gone', async () => {
  const woken: string[] = [];
  setAlarm({ at: performance.now() + 5, wake: () => setAlarm(createSleeper('next', 10, woken)) });
  await pause(40);
  setAlarm(createSleeper('late', 5, woken));
  await pause(30);
  assert.equal(woken, ['next', 'late']);
});

alarms('gives who was woken late the time to finish before a longer time is over, too', async () => {
  const woken: string[] = [];
  const outer = createSleeper('outer', 10, woken);
  setAlarm(outer);
  setAlarm({ at: performance.now() + 5, wake: () => { void Promise.resolve().then(() => undefined).then(() => clearAlarm(outer)); } });
  const blocked = performance.now() + 30;
  while (performance.now() < blocked) { /* a busy processor */ }
  await pause(20);
  assert.equal(woken, []);
});

alarms('takes times beyond the longest timer', async () => {
  const woken: string[] = [];
  const sleepers = [createSleeper('far', 2 ** 40, woken), createSleeper('never', Infinity, woken)];
  for (const sleeper of sleepers) setAlarm(sleeper);
  await pause(20);
  assert.equal(woken, []);
  for (const sleeper of sleepers) clearAlarm(sleeper);
});

alarms.run();
