import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejectsStore } from '../../../../../adapters/stores/contract/cases.ts';
import { LaterCommits } from '../../../../../adapters/stores/postgres/write/later-commits.ts';

/** Flushes that end when the test says so, each with a life of the server. */
function open(): {
  readonly later: LaterCommits;
  readonly flushes: ((life: number | null | Error) => void)[];
} {
  const flushes: ((life: number | null | Error) => void)[] = [];
  const later = new LaterCommits(
    () =>
      new Promise((resolve, reject) => {
        flushes.push((life) => {
          if (life instanceof Error) reject(life);
          else resolve(life);
        });
      }),
  );
  return { later, flushes };
}

const test = suite('LaterCommits');

test('nothing is flushed as long as nothing waits', async () => {
  const { later, flushes } = open();
  await later.flush();
  later.cover(1, later.mark);
  await later.flush();
  assert.is(flushes.length, 0);
});

test('a flush confirms what was noted before it, and each caller waits for its own', async () => {
  const { later, flushes } = open();
  later.note(1, 1);
  const first = later.flush();
  later.note(1, 1);
  let isDone = false;
  const second = later.flush().then(() => {
    isDone = true;
  });
  assert.is(flushes.length, 2);
  flushes[0]?.(1);
  await first;
  assert.not(isDone, 'the second commit came after the first flush had begun');
  flushes[1]?.(1);
  await second;
  await later.flush();
  assert.is(flushes.length, 2);
});

test('a flush that fails confirms nothing, and the next one tries again', async () => {
  const { later, flushes } = open();
  later.note(1, 1);
  const failing = later.flush();
  flushes[0]?.(new Error('no connection'));
  await failing.then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'no connection'),
  );
  const again = later.flush();
  flushes[1]?.(1);
  await again;
});

for (const [what, crash] of [
  ['by the flush', (_later, flush) => flush(2)],
  ['by the flush, before anybody else', (_later, flush) => flush(null)],
  [
    'by another commit',
    (later, flush) => {
      later.note(2, 1);
      flush(2);
    },
  ],
  [
    'by another commit that waits for the disk',
    (later, flush) => {
      later.cover(2, later.mark);
      flush(2);
    },
  ],
] as readonly (readonly [string, (later: LaterCommits, flush: (life: number | null) => void) => void])[]) {
  test(`a crash that is noticed ${what} fails the callers that began before it, and no others`, async () => {
    const { later, flushes } = open();
    const began = performance.now();
    later.note(1, 1);
    const flushing = rejectsStore(later.flush(began), 'unavailable');
    crash(later, (life) => flushes[0]?.(life));
    await flushing;
    await rejectsStore(later.flush(began), 'unavailable');
    await rejectsStore(later.flush(), 'unavailable');
    const fresh = later.flush(performance.now() + 1);
    flushes[1]?.(2);
    await fresh;
  });
}

test('a commit that waits for the disk takes the earlier ones with it, and makes room for more', async () => {
  const { later, flushes } = open();
  later.note(1, 30);
  assert.ok(later.hasRoomFor(20));
  assert.not(later.hasRoomFor(21));
  const { mark } = later;
  later.note(1, 10);
  later.cover(1, mark);
  assert.ok(later.hasRoomFor(40));
  assert.not(later.hasRoomFor(41));
  const flushing = later.flush();
  flushes[0]?.(1);
  await flushing;
  assert.ok(later.hasRoomFor(50));
});

test.run();
