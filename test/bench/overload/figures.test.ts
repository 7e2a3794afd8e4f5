import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findRecovery } from './figures.ts';
import type { MixSample } from './generator.ts';

/** Ten requests in each half second from 1,000 ms on, with the given durations; null: refused. */
function toSamples(times: readonly (number | null)[]): readonly MixSample[] {
  return times.flatMap((time, window) =>
    Array.from({ length: 10 }, (_each, index): MixSample => ({
      about: { kind: 'read' },
      outcome: time === null ? 'refused' : 'ok',
      status: time === null ? 503 : 200,
      at: 1000 + window * 500 + index * 50,
      took: time ?? 1,
      lag: 0,
    })),
  );
}

const recovery = suite('findRecovery');

recovery('is when responses were as fast as usual for a second and none was refused', () => {
  const find = (times: readonly (number | null)[]): number =>
    findRecovery(toSamples(times), { from: 1000, usual: 10 });
  assert.is(find([10, 15, 12]), 0);
  assert.is(find([300, 10, 50, 20, 20, 90]), 1.5);
  assert.is(find([null, null, 20, 5]), 1);
  assert.ok(Number.isNaN(find([10, 300, 10, 300])));
  assert.ok(Number.isNaN(find([])));
});

recovery.run();
