import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook, ROUTEBOOK, routebookProcess } from '../../support/routebook.ts';
import { startNode } from '../../support/start-program.ts';
import { inFolder } from '../../support/temporary.ts';

const API = '/en/cms-json/cms/v2';
const GIVEN = ['--name', 'Library', '--languages', 'en', '--admin', 'bob', '--email', 'bob@site.example'];

async function readJson(address: string, login?: string): Promise<unknown> {
  const headers: Record<string, string> =
    login === undefined ? {} : { Authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  return (await fetch(address, { headers })).json();
}

const init = suite('routebook init');

init('makes a site of the answers, which serve shows without an option', () =>
  inFolder(async (folder) => {
    const made = await routebookProcess(['init', 'own'], {
      cwd: folder,
      input: 'Books & more\nfr,en\nada\nada@site.example\nof ada\n',
    });
    assert.is(made.code, 0, made.stderr);
    const directory = `${folder}/own`;
    const running = await startNode('own site', [ROUTEBOOK, 'serve', '--port', '0'], directory);
    try {
      assert.not.match(running.written(), /demo|warning|note/);
      assert.equal(await readJson(`${running.origin}${API}/posts`), []);
      const settings = await readJson(`${running.origin}${API}/settings`, 'ada:of ada');
      const { title, default_category } = settings as {
        readonly title: string;
        readonly default_category: number;
      };
      assert.is(title, 'Books &amp; more');
      const [category] = (await readJson(`${running.origin}${API}/categories`)) as readonly {
        readonly id: number;
      }[];
      assert.is(category?.id, default_category);
      assert.match(running.written(), `${running.origin}/fr/`);
    } finally {
      await running.stop();
    }
    const list = await routebook(['user', 'list', '--json'], { cwd: directory });
    assert.equal(
      (JSON.parse(list.stdout) as readonly { username: string; email: string; roles: string[] }[]).map(
        ({ username, email, roles }) => [username, email, roles],
      ),
      [['ada', 'ada@site.example', ['administrator']]],
    );
  }),
);

init('asks nothing if all is given, makes a password, and overwrites nothing', () =>
  inFolder(async (folder) => {
    const run = (...more: readonly string[]) => routebook(['init', ...GIVEN, ...more], { cwd: folder });
    const made = await run();
    assert.is(made.code, 0, made.stderr);
    assert.match(made.stdout, /password is [\w-]{24}\./);
    const config = readFileSync(`${folder}/routebook.json`, 'utf8');
    for (const more of [[], ['--admin', 'eve']]) assert.is((await run(...more)).code, 1);
    const other = await routebook(['init', 'other', ...GIVEN, '--store', `file:${folder}/data`], {
      cwd: folder,
    });
    assert.is(other.code, 1);
    assert.not.ok(existsSync(`${folder}/other/routebook.json`));
    assert.is(readFileSync(`${folder}/routebook.json`, 'utf8'), config);
    assert.match((await routebook(['user', 'list'], { cwd: folder })).stdout, /^1 +bob/m);
  }),
);

init('writes nothing for an answer that is not valid', () =>
  inFolder(async (folder) => {
    for (const wrong of [
      ['--email', 'nobody'],
      ['--email', ''],
      ['--languages', 'en,EN!'],
      ['--admin', 'a/b'],
      ['--password', 'back\\slash'],
    ]) {
      const { code } = await routebook(['init', ...GIVEN, ...wrong], { cwd: folder });
      assert.ok(code === 1 || code === 2, wrong.join(' '));
      assert.not.ok(existsSync(`${folder}/routebook.json`), wrong.join(' '));
    }
  }),
);

init.run();
