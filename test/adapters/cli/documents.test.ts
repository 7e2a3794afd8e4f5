import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadCommands } from '../../../adapters/cli/commands.ts';
import { readVersion } from '../../../adapters/cli/main.ts';
import { toCommandsPage, toManPage } from '../../support/command-documents.ts';
import { PROJECT } from '../../support/sources.ts';

const commands = await loadCommands();
const AGAIN = 'node dist/test/scripts/command-documents.js writes it again';

const documents = suite('documents of the commands');

documents('docs/commands.md says what the commands say', () => {
  assert.ok(readFileSync(`${PROJECT}docs/commands.md`, 'utf8') === toCommandsPage(commands), AGAIN);
});

documents('man/routebook.1 says what the commands say', () => {
  assert.ok(readFileSync(`${PROJECT}man/routebook.1`, 'utf8') === toManPage(commands, readVersion()), AGAIN);
});

documents('the man page is shown without a complaint, with every command', (): void => {
  const shown = spawnSync('man', ['--warnings', '-l', `${PROJECT}man/routebook.1`], {
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', MANPAGER: 'cat', LC_ALL: 'C.UTF-8' },
  });
  if (shown.error !== undefined) {
    console.log(`SKIPPED man page: ${shown.error.message}`);
    return;
  }
  assert.is(shown.stderr, '');
  for (const { name } of commands) assert.match(shown.stdout, new RegExp(String.raw`^ +${name}$`, 'm'));
});

documents.run();
