import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const PROGRAM = fileURLToPath(new URL('../../examples/routes.js', import.meta.url));
const run = (...args: readonly string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });

const routes = suite('example routes');

routes('prints every route with its permission', () => {
  const { stdout, status } = run();
  assert.is(status, 0);
  assert.match(stdout, /^GET +\S+ +\/cms\/v2\/posts$/m);
});

routes('refuses an unknown option with one line', () => {
  const { stdout, stderr, status } = run('--bogus');
  assert.equal([stdout, status], ['', 1]);
  assert.match(stderr, /^Unknown option '--bogus'\. Known options: --openapi, --language, --help\n$/);
});

routes.run();
