import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import {
  inTime,
  limitToCall,
  withDeadline,
  withoutDeadline,
} from '../../../../adapters/stores/postgres/deadline.ts';

const limits = suite('limitToCall');
limits('is the limit outside of calls, and what is left of a call inside', async () => {
  assert.is(limitToCall(5000), 5000);
  await withDeadline(1000, async () => {
    assert.is(limitToCall(300), 300);
    await wait(50);
    const left = limitToCall(5000);
    assert.ok(left > 0 && left <= 951, String(left));
    assert.is(
      withoutDeadline(() => limitToCall(5000)),
      5000,
    );
  });
});
limits('is never 0, which would mean no limit', () =>
  withDeadline(-5, async () => {
    assert.is(limitToCall(5000), 1);
  }),
);
limits.run();

const reads = suite('inTime');
reads('gives the result or the error of the work', async () => {
  assert.is(await inTime(1000, async () => 7), 7);
  await inTime(1000, () => Promise.reject(new Error('own'))).then(
    () => assert.unreachable(),
    ({ message }: Error) => assert.is(message, 'own'),
  );
});
reads('is `unavailable` when the work takes longer', () =>
  rejectsStore(
    inTime(20, () => wait(5000, 1, { ref: false })),
    'unavailable',
  ).then(() => undefined),
);
reads.run();
