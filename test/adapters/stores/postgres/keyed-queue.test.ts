import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeyedQueue } from '../../../../adapters/stores/postgres/keyed-queue.ts';

const test = suite('KeyedQueue');

/** Work that records when it begins, and ends on command. */
function createWork(): {
  readonly begun: string[];
  readonly end: (name: string) => void;
  readonly work: (name: string) => () => Promise<string>;
} {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name) => ends.get(name)?.(),
    work: (name) => () =>
      new Promise((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
  };
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('work with a common name runs in order of arrival, other work concurrently', async () => {
  const queues = new KeyedQueue();
  const { begun, end, work } = createWork();
  const all = [
    queues.run(['posts'], work('first')),
    queues.run(['posts', 'terms'], work('second')),
    queues.run(['users'], work('third')),
    queues.run(['terms'], work('fourth')),
  ];
  await turn();
  assert.equal(begun, ['first', 'third']);
  end('first');
  await turn();
  assert.equal(begun, ['first', 'third', 'second']);
  end('second');
  await turn();
  assert.equal(begun, ['first', 'third', 'second', 'fourth']);
  for (const name of ['third', 'fourth']) end(name);
  assert.equal(await Promise.all(all), ['first', 'second', 'third', 'fourth']);
});

test('failed work does not block later work, and idle waits for all', async () => {
  const queues = new KeyedQueue();
  const failed = queues
    .run(['posts'], () => Promise.reject(new Error('no')))
    .then(
      () => 'ok',
      () => 'failed',
    );
  let isOver = false;
  const next = queues.run(['posts'], async () => {
    await turn();
    isOver = true;
  });
  await queues.idle();
  assert.is(isOver, true);
  assert.is(await failed, 'failed');
  await next;
});

test.run();
