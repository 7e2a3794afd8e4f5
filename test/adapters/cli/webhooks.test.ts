import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOptions } from '../../../adapters/cli/frame/options.ts';
import { SERVE_OPTIONS, toServeOptions } from '../../../adapters/cli/serve/serve-options.ts';
import { startListening } from '../../../adapters/cli/serve/start-server.ts';
import { listen } from '../../support/loopback.ts';
import { routebook } from '../../support/routebook.ts';
import { inFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const webhooks = suite('routebook webhooks');

webhooks('lists, adds and removes receivers, and shows and repeats deliveries', () =>
  inFolder(async (folder) => {
    let hits = 0;
    const server = await listen((_request, response) => {
      hits += 1;
      response.writeHead(204).end();
    });
    const store = `file:${folder}/data`;
    const run = (...args: readonly string[]) =>
      routebook(['webhooks', ...args, '--store', store], { cwd: folder });
    const args = ['--store', store, '--port', '0', '--fixtures', 'demo'];
    process.env['ROUTEBOOK_NOTIFY_SECRET'] = 'a secret of many letters';
    const listening = await startListening(
      toServeOptions(readOptions(SERVE_OPTIONS, [...args, '--notify', `http://127.0.0.1:${server.port}/`])),
    );
    delete process.env['ROUTEBOOK_NOTIFY_SECRET'];
    const running = await listening.open();
    try {
      try {
        const { status } = await fetch(`${listening.origin}/en/cms-json/cms/v2/posts`, {
          method: 'POST',
          body: '{"title":"A","status":"publish"}',
          headers: {
            'Content-Type': 'application/json',
            Authorization: `Basic ${Buffer.from('admin:adminpass').toString('base64')}`,
          },
        });
        assert.is(status, 201);
        await until(() => hits > 0, 'the event');
      } finally {
        await running.stop();
      }
      const inside = await run('add', `http://127.0.0.1:${server.port}/`, '--site-url', 'https://x.example');
      assert.is(inside.code, 2);
      assert.match(inside.stderr, /may not call this address/);
      assert.match(inside.stderr, /port \d+ is not allowed, only 80, 443, 8080/);
      assert.match((await run('remove', 'x')).stderr, /^[^-]*ID: "x" is not a whole number/);
      assert.is((await run('add', 'https://192.0.43.7/')).code, 2);
      const added = await run(
        'add',
        'http://192.0.43.7/',
        '--site-url',
        'https://x.example',
        '--events',
        'post.*',
      );
      assert.match(added.stdout, /^whsec_/);
      assert.match((await run('list')).stdout, /^1 +yes +post\.\* +http:\/\/192\.0\.43\.7\//m);
      assert.match((await run('attempts', '1')).stderr, 'Nothing was sent to receiver 1.');
      assert.is((await run('redeliver', '1', '1')).code, 1);
      assert.is((await run('remove', '1')).code, 0);
      assert.is((await run('remove', '1')).code, 1);
    } finally {
      await server.close();
    }
  }),
);

webhooks.run();
