import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countRuns } from '../../../support/long-mode.ts';
import { inFolder } from '../../../support/temporary.ts';

const SITE = fileURLToPath(new URL('../../../support/reaction-site.js', import.meta.url));
const ROUNDS = countRuns(50, 500);
/** Where a process dies: in the reaction, while its place is moved, in a commit, and when nothing happens. */
const POINTS = ['before', 'within', 'after', 'moving', 'commit', 'idle'] as const;

/** Runs a process. @returns the signal that has ended it, or its status */
const run = (folder: string, round: number, point: string): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', SITE, folder, String(round), point], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('exit', (status, signal) => resolve(signal ?? String(status)));
  });

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

const crash = suite('reactions after kill -9');

crash(`${ROUNDS} killed processes: every change at least once, in order`, () =>
  inFolder(async (folder) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const point = POINTS[round % POINTS.length] ?? 'idle';
      assert.is(await run(folder, round, point), 'SIGKILL', `round ${round}, ${point}`);
    }
    assert.is(await run(folder, ROUNDS, 'none'), '0');
    const seen = linesOf(join(folder, 'seen')).map((line) => line.split(' ').map(Number));
    const ids = new Set(seen.map(([, , id]) => id));
    const written = linesOf(join(folder, 'written')).map(Number);
    assert.ok(written.length > ROUNDS);
    assert.equal(
      written.filter((id) => !ids.has(id)),
      [],
      'changes that no process got',
    );
    const log = linesOf(join(folder, 'log')).map(Number);
    const places = new Map(log.map((revision, place) => [revision, place]));
    let newest = -1;
    let [process, last] = [-1, -1];
    for (const [round = 0, revision = 0] of seen) {
      const place = places.get(revision) ?? -1;
      // A process goes on at a place that has been reached, and never skips or goes back itself.
      if (round !== process) assert.ok(place <= newest + 1, `round ${round} began at ${revision}`);
      else assert.is(place, last + 1, `round ${round}`);
      newest = Math.max(newest, place);
      [process, last] = [round, place];
    }
    assert.is(newest, log.length - 1);
  }),
);

crash.run();
