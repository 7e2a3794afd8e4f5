import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCrashes } from '../../../support/crash-run.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { inFolder } from '../../../support/temporary.ts';

const RUNS = countRuns(50, 1000);

const crash = suite('sqlite: kill -9 while it writes');
crash(
  `${RUNS} times: nothing acknowledged is lost or missing in the log, no post is without its revisions, every start works`,
  () =>
    inFolder(async (directory) => {
      const { acknowledged, ...faults } = await runCrashes(directory, RUNS);
      console.log(`${acknowledged} acknowledged commits`);
      assert.equal(faults, { lost: 0, unlogged: 0, invented: 0, half: 0, failedStarts: 0, damaged: 0 });
      assert.ok(acknowledged >= RUNS * 2);
    }),
);
crash.run();
