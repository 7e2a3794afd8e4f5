import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSum } from '../../../adapters/backup/checksum.ts';
import { inTurn, makeTemporary, OWNER } from '../../../adapters/backup/own-files.ts';
import { inFolder } from '../../support/temporary.ts';

const ended = (): number => spawnSync(process.execPath, ['--version']).pid;
/** A process of this machine, and one elsewhere that has the id of this process. */
const toOwner = (id: number): string => OWNER.replace(/\d+$/, String(id));
const ELSEWHERE = `${'0'.repeat(12)}-${process.pid}`;
const UUID = '00000000-0000-4000-8000-000000000000';

const temporary = suite('temporary directories');
temporary('are for this user alone, and those of killed processes go', () =>
  inFolder(async (directory) => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = directory;
    try {
      const names = [toOwner(ended()), OWNER, toOwner(process.ppid), ELSEWHERE].map(
        (owner) => `routebook-test-${owner}-${UUID}`,
      );
      for (const name of [...names, `routebook-other-${toOwner(ended())}-${UUID}`, 'routebook-test-x']) {
        mkdirSync(join(directory, name));
        writeFileSync(join(directory, name, 'site.db'), 'secret');
      }
      const [first, second] = [makeTemporary('test'), makeTemporary('test')];
      assert.is(statSync(first).mode & 0o777, 0o700);
      assert.ok(existsSync(first) && existsSync(second));
      const left = readdirSync(directory).filter(
        (name) => name.endsWith(UUID) || name === 'routebook-test-x',
      );
      assert.equal(
        left.filter((name) => !name.startsWith('routebook-other-')).toSorted(),
        [...names.slice(2), 'routebook-test-x'].toSorted(),
      );
      assert.is(left.length, 4);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  }),
);
temporary.run();

const turns = suite('turns');
turns('come one after the other, also after a process was killed in its own', () =>
  inFolder(async (directory) => {
    const path = join(directory, 'turn');
    for (const left of [toOwner(ended()), OWNER]) {
      writeFileSync(path, left);
      const seen: string[] = [];
      await Promise.all(
        ['a', 'b'].map((name) =>
          inTurn(path, async () => {
            seen.push(name);
            assert.is(readFileSync(path, 'utf8'), OWNER);
            await new Promise((resolve) => {
              setTimeout(resolve, 30);
            });
            seen.push(name);
          }),
        ),
      );
      assert.equal([seen[0] === seen[1], seen[2] === seen[3], seen.length], [true, true, 4]);
      assert.is(existsSync(path), false);
    }
  }),
);
turns('of processes elsewhere are left alone', () =>
  inFolder(async (directory) => {
    const path = join(directory, 'turn');
    writeFileSync(path, ELSEWHERE);
    const taken = inTurn(path, () => 'taken');
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    assert.is(readFileSync(path, 'utf8'), ELSEWHERE);
    rmSync(path);
    assert.is(await taken, 'taken');
  }),
);
turns('end with what fails', () =>
  inFolder(async (directory) => {
    const path = join(directory, 'turn');
    const failed = await inTurn(path, () => {
      throw new Error('no');
    }).catch((error: unknown) => error);
    assert.equal([(failed as Error).message, existsSync(path)], ['no', false]);
  }),
);

const WRITER = `
const { placeWithSum } = await import(process.argv[1]);
const { writeFileSync } = await import('node:fs');
const [, , directory, name] = process.argv;
for (let at = 0; at < 40; at += 1) {
  writeFileSync(directory + '/' + name, name + at);
  await placeWithSum(directory + '/' + name, directory + '/copy');
}
`;

/** Puts files in the place of one another. Resolves with the exit code and the errors. */
const place = (directory: string, name: string): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        WRITER,
        fileURLToPath(new URL('../../../adapters/backup/checksum.js', import.meta.url)),
        directory,
        name,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('close', (code) => {
      resolve(`${String(code)} ${errors}`);
    });
  });

turns('keep the sums of two processes apart that put their files into one place', () =>
  inFolder(async (directory) => {
    assert.equal(await Promise.all([place(directory, 'a'), place(directory, 'b')]), ['0 ', '0 ']);
    assert.is(await checkSum(join(directory, 'copy')), true);
    assert.equal(readdirSync(directory).toSorted(), ['copy', 'copy.sha256']);
  }),
);
turns.run();
