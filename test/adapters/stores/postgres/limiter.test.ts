import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { createLimiter } from '../../../../adapters/stores/postgres/deadline.ts';

const tests = suite('createLimiter of PostgreSQL');

/** Work that ends when it is told to. */
function openWork() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    ends,
    work: (at: number) => () =>
      new Promise<number>((resolve) => {
        begun.push(at);
        ends[at] = () => resolve(at);
      }),
  };
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

tests('lets two run at once, and the others in the order of arrival', async () => {
  const { begun, ends, work } = openWork();
  const reads = createLimiter({ most: 2, patienceMs: 200, what: 'searches' });
  const all = [0, 1, 2, 3].map((at) => reads.run(work(at)));
  await turn();
  assert.equal(begun, [0, 1]);
  ends[1]?.();
  await turn();
  assert.equal(begun, [0, 1, 2]);
  ends[0]?.();
  await turn();
  for (const at of [2, 3]) ends[at]?.();
  assert.equal(await Promise.all(all), [0, 1, 2, 3]);
  const again = reads.run(work(4), undefined);
  await turn();
  ends[4]?.();
  assert.is(await again, 4);
});

tests('does not begin for a caller who has gone', async () => {
  const { begun, ends, work } = openWork();
  const reads = createLimiter({ most: 2, patienceMs: 200, what: 'searches' });
  const gone = new AbortController();
  const both = [0, 1].map((at) => reads.run(work(at)));
  const third = reads.run(work(2), { signal: gone.signal });
  gone.abort();
  await rejectsStore(third, 'cancelled');
  await turn();
  for (const end of ends) end();
  await Promise.all(both);
  assert.equal(begun, [0, 1]);
});

tests('refuses after the time to wait', async () => {
  const { ends, work } = openWork();
  const reads = createLimiter({ most: 2, patienceMs: 200, what: 'searches' });
  const both = [0, 1].map((at) => reads.run(work(at)));
  await rejectsStore(reads.run(work(2)), 'unavailable');
  for (const end of ends) end();
  await Promise.all(both);
});

tests.run();
