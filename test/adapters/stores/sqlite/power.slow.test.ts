import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countRuns } from '../../../support/long-mode.ts';
import { cutPower, hasStrace, recordCalls } from '../../../support/power-loss.ts';
import { inFolder } from '../../../support/temporary.ts';

/** Images per model. */
const IMAGES = countRuns(40, 400);
const COMMITS = 40;

const power = suite('sqlite: power loss');
if (hasStrace()) {
  for (const [durability, mostSyncs] of [
    ['full', Infinity],
    ['late', COMMITS],
  ] as const)
    power(`at ${IMAGES} moments in two models of a disk: nothing acknowledged is lost (${durability})`, () =>
      inFolder(async (folder) => {
        const calls = await recordCalls(folder, durability, COMMITS);
        assert.is(calls.filter((call) => call.kind === 'acknowledge').length, COMMITS);
        assert.ok(
          calls.filter((call) => call.kind === 'sync').length < mostSyncs,
          'the disk is waited for too often',
        );
        for (const model of ['ext4', 'strict'] as const)
          assert.equal(
            await cutPower(calls, folder, { images: IMAGES, model, seed: 1 }),
            { whole: IMAGES, lost: 0, half: 0, damaged: 0 },
            model,
          );
      }),
    );
  power('loses commits when the store was told not to wait for the disk: the test can fail', () =>
    inFolder(async (folder) => {
      const calls = await recordCalls(folder, 'relaxed', COMMITS);
      const { lost, half, damaged } = await cutPower(calls, folder, { images: 20, model: 'ext4', seed: 1 });
      assert.ok(lost >= 5);
      assert.equal([half, damaged], [0, 0]);
    }),
  );
} else {
  power('SKIPPED: strace is missing or may not trace', () => {
    console.warn('power loss is not tested: no strace');
  });
}
power.run();
