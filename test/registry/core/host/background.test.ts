import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../../../lib/core/errors.ts';
import { createBackground } from '../../../../registry/core/host/background.ts';
import type { LogEvent } from '../../../../registry/core/host/ports.ts';

function createFresh() {
  const events: LogEvent[] = [];
  return { events, background: createBackground((event) => events.push(event)) };
}

const test = suite('createBackground');

test('settles when the task is over', async () => {
  const { background } = createFresh();
  let done = false;
  await background.run('work', async () => {
    done = true;
  });
  assert.is(done, true);
});

test('logs the error of a task and does not reject', async () => {
  const { background, events } = createFresh();
  await background.run('work', async () => {
    throw new Error('broken');
  });
  assert.is(events.length, 1);
  assert.match(events[0]?.message ?? '', /work/);
});

test('a task that throws before it waits is logged as well', async () => {
  const { background, events } = createFresh();
  await background.run('work', () => {
    throw new Error('broken');
  });
  assert.is(events.length, 1);
});

test('stop aborts tasks and waits for them', async () => {
  const { background } = createFresh();
  let stopped = false;
  void background.run('work', async (signal) => {
    while (!signal.aborted)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    stopped = true;
  });
  await background.stop();
  assert.is(stopped, true);
});

test('starts nothing after stop', async () => {
  const { background } = createFresh();
  await background.stop();
  assert.throws(
    () => background.run('work', async () => undefined),
    (error: unknown) => error instanceof RestError && error.code === 'rest_shutting_down',
  );
});

test.run();
