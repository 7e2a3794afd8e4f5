// The workflows run the commands of package.json, on every version of Node that the package supports.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROJECT } from '../support/sources.ts';

const read = (file: string): string => readFileSync(`${PROJECT}${file}`, 'utf8');
const manifest = JSON.parse(read('package.json')) as { readonly version: string; readonly scripts: object };
const [ci = '', publish = ''] = ['ci', 'publish'].map((name) => read(`.github/workflows/${name}.yml`));

const workflows = suite('workflows');

workflows('run scripts that there are', () => {
  const named = [...`${ci}${publish}`.matchAll(/run: npm (?:run )?(test[:\w]*)/g)].map(
    ([, name = '']) => name,
  );
  assert.ok(named.length >= 3);
  assert.equal(
    named.filter((name) => !Object.hasOwn(manifest.scripts, name)),
    [],
  );
});

workflows('test on Node 20, 22 and 24', () => {
  assert.equal(
    [...ci.matchAll(/node: (\[.*\])/g)].map(([, list]) => list),
    ['[20, 22, 24]', '[20, 22, 24]'],
  );
});

workflows('publish with provenance after the tests, and store no token', () => {
  assert.ok(publish.indexOf('npm test') < publish.indexOf('npm publish --provenance'));
  assert.match(publish, 'id-token: write');
  assert.not.match(`${ci}${publish}`, /secrets\./);
});

const check = suite('scripts/check-release.mjs');

check('refuses a tag that is not the version', () => {
  const { status, stderr } = spawnSync(process.execPath, [`${PROJECT}scripts/check-release.mjs`, 'v99.0.0'], {
    encoding: 'utf8',
  });
  assert.is(status, 1);
  assert.match(stderr, `the tag is "v99.0.0", and package.json says ${manifest.version}`);
});

workflows.run();
check.run();
