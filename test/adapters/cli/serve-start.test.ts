import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOptions } from '../../../adapters/cli/frame/options.ts';
import {
  SERVE_OPTIONS,
  type ServeOptions,
  toServeOptions,
} from '../../../adapters/cli/serve/serve-options.ts';
import { type RunningServer, startListening } from '../../../adapters/cli/serve/start-server.ts';
import { listen } from '../../support/loopback.ts';
import { routebook, routebookProcess } from '../../support/routebook.ts';
import { inFolder } from '../../support/temporary.ts';

const POSTS = '/en/cms-json/cms/v2/posts';

const toOptions = (...args: readonly string[]): ServeOptions =>
  toServeOptions(readOptions(SERVE_OPTIONS, ['--port', '0', ...args]));

const start = suite('the start of serve');

start('writes nothing when the port is taken', () =>
  inFolder(async (folder) => {
    const other = await listen((_request, response) => response.end());
    const args = ['serve', '--port', String(other.port)];
    try {
      for (const { code, stdout, stderr } of [
        await routebook(args, { cwd: folder }),
        await routebookProcess([...args, '--workers', '2'], { cwd: folder }),
      ]) {
        assert.is(code, 1);
        assert.match(stderr, `The port ${other.port} of 127.0.0.1 is in use.`);
        assert.is(stdout, '');
        assert.not.ok(existsSync(join(folder, 'data')));
      }
    } finally {
      await other.close();
    }
  }),
);

start('answers 503 until the site is open, and a monitor at once', () =>
  inFolder(async (folder) => {
    const server = await startListening(toOptions('--store', `file:${folder}/data`));
    const ask = async (path: string, init: RequestInit = {}): Promise<readonly unknown[]> => {
      const response = await fetch(`${server.origin}${path}`, init);
      const body = (await response.json()) as { readonly code?: string; readonly status?: string };
      return [response.status, body.code ?? body.status, response.headers.get('Retry-After')];
    };
    let running: RunningServer;
    try {
      assert.equal(await ask(POSTS), [503, 'rest_starting', '1']);
      assert.equal(await ask('/en/'), [503, 'rest_starting', '1']);
      assert.equal(await ask('/.starting/'), [503, 'rest_starting', '1']);
      assert.equal(
        await ask(POSTS, {
          method: 'POST',
          body: '{"title":"Early"}',
          headers: { 'Content-Type': 'application/json' },
        }),
        [503, 'rest_starting', '1'],
      );
      assert.equal(await ask('/healthz'), [200, 'starting', null]);
      assert.not.ok(existsSync(join(folder, 'data')));
    } finally {
      running = await server.open();
    }
    try {
      assert.is((await fetch(`${server.origin}${POSTS}`)).status, 200);
      assert.equal(await ask('/healthz'), [200, 'ok', null]);
      assert.is((await fetch(`${server.origin}/en/`)).status, 200);
      assert.is((await fetch(`${server.origin}/en/cms-json/reference`)).status, 200);
    } finally {
      await running.stop();
    }
  }),
);

start('no longer listens when the site cannot be opened', async () => {
  const server = await startListening(toOptions('--store', 'nowhere'));
  assert.match(String(await server.open().catch(String)), '--store "nowhere": must be');
  assert.is(
    await fetch(server.origin).catch(({ cause }: Error) => (cause as NodeJS.ErrnoException).code),
    'ECONNREFUSED',
  );
});

start('names the demo, and the place where it does not fit the configuration', () =>
  inFolder(async (folder) => {
    const config = join(folder, 'site.json');
    const meta = [{ of: 'post', key: 'footnotes', type: 'integer' }];
    await writeFile(config, JSON.stringify({ content: { meta } }));
    const server = await startListening(toOptions('--store', 'memory', '--config', config));
    assert.match(String(await server.open().catch(String)), /demo-site\.json: posts\[0\]\.meta\.footnotes: /);
  }),
);

start('says where the site and the reference are, and a line for curl with the login of the demo', () =>
  inFolder(async (folder) => {
    const store = `file:${folder}/data`;
    const running = await (await startListening(toOptions('--store', store, '--names', 'wordpress'))).open();
    const { hints } = running;
    const told = (word: string): string =>
      hints
        .find((line) => line.startsWith(word))
        ?.slice(word.length)
        .trim() ?? '';
    try {
      for (const address of [told('site'), told('reference')])
        assert.is((await fetch(address)).status, 200, address);
      const [, login = '', address = ''] = /^curl -u (\S+) "(\S+)"$/.exec(told('try')) ?? [];
      assert.is(
        (
          await fetch(address, {
            headers: { Authorization: `Basic ${Buffer.from(login).toString('base64')}` },
          })
        ).status,
        200,
      );
      assert.is((await fetch(address)).status, 401);
      assert.match(told('your own'), 'routebook init');
    } finally {
      await running.stop();
    }
    const { stderr, code } = await routebook([
      'user',
      'add',
      'ada',
      '--role',
      'editor',
      '--email',
      'ada@example.org',
      '--password',
      'a long password',
      '--store',
      store,
    ]);
    assert.is(code, 0);
    assert.match(
      stderr,
      /^note: this store holds the demo site, and everybody knows the password of admin, /,
    );
  }),
);

start('gives no login of the demo where others reach the site', () =>
  inFolder(async (folder) => {
    const running = await (
      await startListening(
        toOptions(
          '--store',
          `file:${folder}/data`,
          '--fixtures',
          'demo',
          '--site-url',
          'https://example.org',
        ),
      )
    ).open();
    await running.stop();
    assert.not.match(running.hints.join('\n'), /adminpass/);
  }),
);

start.run();
