import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eq } from '../../../../lib/store/query.ts';
import { releaseLock, takeLock, runLocked } from '../../../../registry/core/limits/locks.ts';
import { finishTurns, withMovedClock } from '../../../support/moved-clock.ts';
import { createTestPorts } from '../../../support/ports.ts';

const NEVER = new AbortController().signal;
const SHORT = { name: 'a', ttlMs: 15, signal: NEVER };

const locked = suite('runLocked');
locked('works while no other process has the lock, and extends it', () =>
  withMovedClock(async (clock) => {
    const ports = createTestPorts({ now: () => Math.round(performance.now()) });
    const options = { ...SHORT, ttlMs: 600 };
    const ran = await runLocked(ports, options, async (signal) => {
      assert.is(
        await runLocked(ports, options, () => {
          throw new Error('two processes have the lock');
        }),
        false,
      );
      await clock.move(1200);
      assert.equal([await takeLock(ports, 'a'), signal.aborted], [null, false]);
    });
    assert.is(ran, true);
    assert.ok(await takeLock(ports, 'a'));
  }),
);
locked('stops when another process has taken the lock over, and leaves it the lock', () =>
  withMovedClock(async (clock) => {
    const ports = createTestPorts();
    await runLocked(ports, SHORT, async (signal) => {
      await ports.store.commit([
        { op: 'removeAll', collection: 'locks', where: eq('name', 'a') },
        {
          op: 'create',
          collection: 'locks',
          values: { name: 'a', key: 'other', expires: ports.now() + 60_000 },
        },
      ]);
      await clock.move(15);
      assert.is(signal.aborted, true);
    });
    assert.is(await takeLock(ports, 'a'), null);
    await releaseLock(ports, 'a', 'other');
    assert.ok(await takeLock(ports, 'a'));
  }),
);
locked('is not free before an extension that is under way has ended, which would take it again', () =>
  withMovedClock(async (clock) => {
    const ports = createTestPorts();
    let reads = 0;
    let extend = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      extend = resolve;
    });
    const find: typeof ports.store.find = async (...query) => {
      reads += 1;
      if (reads === 2) await gate;
      return ports.store.find(...query);
    };
    await runLocked({ ...ports, store: { ...ports.store, find } }, SHORT, async () => {
      await clock.move(5);
      void finishTurns().then(extend);
    });
    await gate;
    await finishTurns();
    assert.is(reads, 2);
    assert.ok(await takeLock(ports, 'a'));
  }),
);
locked('stops with its site, and releases the lock of work that fails', async () => {
  const ports = createTestPorts();
  const stop = new AbortController();
  await runLocked(ports, { ...SHORT, signal: stop.signal }, async (signal) => {
    stop.abort();
    assert.is(signal.aborted, true);
  });
  const failed = await runLocked(ports, SHORT, () => Promise.reject(new Error('broken'))).catch(
    (error: unknown) => error,
  );
  assert.is((failed as Error).message, 'broken');
  assert.ok(await takeLock(ports, 'a'));
});
locked.run();
