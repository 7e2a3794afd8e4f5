import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook } from '../../support/routebook.ts';
import { inFolder } from '../../support/temporary.ts';

const commands = suite('commands on a site with plugins');

commands('that act as the operator have the plugins of the configuration, and so their settings', () =>
  inFolder(async (cwd) => {
    const config = { content: { core: true }, plugins: ['secscan'], namespaces: { secscan: {} } };
    writeFileSync(`${cwd}/routebook.json`, JSON.stringify(config));
    const add = [
      'user',
      'add',
      'bob',
      '--email',
      'bob@site.example',
      '--password',
      'a long password',
      '--role',
      'editor',
      '--store',
      'file:d',
    ];
    const added = await routebook(add, { cwd });
    assert.is(added.code, 0, added.stderr);
    assert.is((await routebook(['user', 'list', '--store', 'file:d'], { cwd })).code, 0);
  }),
);

commands('that call a route reach those of plugins', () =>
  inFolder(async (cwd) => {
    const made = [
      'init',
      '--name',
      'A',
      '--languages',
      'en',
      '--admin',
      'ada',
      '--email',
      'ada@site.example',
    ];
    assert.is((await routebook(made, { cwd, input: '' })).code, 0);
    const plugins = ['--plugins', 'changes'];
    const listed = await routebook(['call', ...plugins], { cwd });
    assert.match(listed.stdout, 'changes.read');
    const read = await routebook(['call', 'changes.read', '--store', 'file:data', '--json', ...plugins], {
      cwd,
    });
    assert.is(read.code, 0, read.stderr);
    assert.ok(Array.isArray(JSON.parse(read.stdout)));
  }),
);

commands('that print the plugins say what each declares, reads and runs', async () => {
  const { stdout } = await routebook(['plugins', '--plugins', 'none,menus']);
  assert.match(stdout, / taxonomies +nav_menu/);
  assert.match(stdout, / fields +locations of nav_menu +runs menus\.\S+; reads menu_locations; written by /);
  assert.match(stdout, / blocks +core\/navigation-link +runs menus\.link; reads posts, /);
});

commands('name the file with a plugin that there is not, and what would be right', () =>
  inFolder(async (cwd) => {
    writeFileSync(`${cwd}/routebook.json`, JSON.stringify({ plugins: ['changelog'] }));
    for (const command of [['validate', 'routebook.json'], ['plugins']]) {
      const { code, stderr } = await routebook(command, { cwd });
      assert.is(code, 1);
      assert.match(
        stderr,
        /^routebook\.json: plugins "changelog": must be one of .* Did you mean "changes"\?/,
      );
    }
  }),
);

commands('refuse the plugins that a site refuses, and name the module whose export fails', () =>
  inFolder(async (cwd) => {
    writeFileSync(
      `${cwd}/odd.mjs`,
      `const bind = async () => ({ namespaces: [], extensions: [], functions: {} });
       const reactions = [{ to: ['poosts'], run: 'x' }];
       export default { descriptor: { name: 'odd', reactions }, settings: {}, bind };`,
    );
    writeFileSync(
      `${cwd}/bad.mjs`,
      "export default new Proxy({}, { get() { throw new Error('no access'); } });",
    );
    const odd = await routebook(['plugins', '--plugins', './odd.mjs'], { cwd });
    assert.is(odd.code, 1);
    assert.match(odd.stderr, /^plugin "odd": reactions\[0\], to: the site has no collection/);
    const bad = await routebook(['plugins', '--plugins', './bad.mjs'], { cwd });
    assert.equal([bad.code, bad.stderr], [1, '--plugins "./bad.mjs": no access\n']);
  }),
);

commands.run();
