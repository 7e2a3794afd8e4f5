import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook, ROUTEBOOK, serveHere } from '../../support/routebook.ts';
import { startNode } from '../../support/start-program.ts';
import { inFolder } from '../../support/temporary.ts';

const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

const monitor = suite('what a monitor, curl and a shell see');

monitor(
  'one site in one process: figures, one log format, a file as curl sends it, heads without a title',
  () =>
    inFolder(async (folder) => {
      const init = [
        'init',
        '--name',
        '',
        '--languages',
        'en',
        '--admin',
        'ada',
        '--email',
        'ada@site.example',
      ];
      assert.is((await routebook([...init, '--password', 'of ada'], { cwd: folder })).code, 0);
      const args = [ROUTEBOOK, 'serve', '--port', '0', '--metrics', '--access-log', 'json'];
      const running = await startNode('own site', args, folder);
      const headers = { Authorization: `Basic ${Buffer.from('ada:of ada').toString('base64')}` };
      const api = `${running.origin}/en/cms-json/cms/v2`;
      const post = async (
        path: string,
        body: string | Uint8Array<ArrayBuffer>,
        more: Record<string, string>,
      ): Promise<number> => {
        const response = await fetch(`${api}/${path}`, {
          method: 'POST',
          body,
          headers: { ...headers, ...more },
        });
        await response.arrayBuffer();
        return response.status;
      };
      const json = { 'Content-Type': 'application/json' };
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      try {
        for (const type of ['posts', 'pages'])
          assert.is(
            await post(type, JSON.stringify({ title: `Hello ${type}`, status: 'publish' }), json),
            201,
          );
        assert.equal(
          [
            await post('media', PNG, { ...form, 'Content-Disposition': 'attachment; filename="a.png"' }),
            await post('media', PNG, { ...form, 'Content-Disposition': 'attachment' }),
          ],
          [201, 400],
        );
        for (const [path, title] of [
          ['hello-posts/', 'Hello posts'],
          ['hello-pages/', 'Hello pages'],
          ['', '[^<]+'],
        ] as const) {
          const html = await (await fetch(`${running.origin}/en/${path}`)).text();
          assert.match(html, new RegExp(`<title>${title}</title>`));
          assert.match(html, `<link rel="canonical" href="${running.origin}/en/${path}" />`);
        }
        const metrics = await fetch(`${running.origin}/metrics`);
        const text = await metrics.text();
        assert.match(metrics.headers.get('content-type') ?? '', 'text/plain; version=0.0.4');
        assert.match(text, /^http_requests_total\{method="POST",status="201"\} 3$/m);
        assert.match(text, /^routebook_store_writable 1$/m);
        assert.match(text, /^http_request_duration_seconds_bucket\{le="\+Inf"\} 7$/m);
        assert.is((await fetch(`${running.origin}/metrics`, { method: 'POST' })).status, 404);
      } finally {
        await running.stop();
      }
      const lines = running.written().trim().split('\n');
      for (const line of lines)
        assert.type((JSON.parse(line) as { readonly time: string }).time, 'string', line);
    }),
);

monitor('figures of several processes are refused', async () => {
  assert.is((await routebook(['serve', '--metrics', '--workers', '2'])).code, 2);
});

monitor('the script of a shell completes commands and options', async () => {
  const { stdout } = await routebook(['completion', 'bash']);
  const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
    const list = ['routebook', ...words].map((word) => `'${word}'`).join(' ');
    const names = "printf 'cms.posts.list  List posts\\ncms.posts.read  Read a post\\n'";
    const options = "printf 'List posts.\\n\\n  --per_page VALUE  Number\\n  --json            JSON\\n'";
    const command = `routebook() { if [ "$*" = call ]; then ${names}; else ${options}; fi; }`;
    const script = `${command}\n${stdout}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _routebook; printf '%s ' "\${COMPREPLY[@]}"`;
    const result = await promisify(execFile)('bash', ['-c', script]);
    return result.stdout.trim().split(' ');
  };
  assert.equal(await complete('ser'), ['serve']);
  assert.equal(await complete('user', 'pa'), ['password', 'pairs']);
  assert.equal(await complete('user', 'remove', '--re'), ['--reassign']);
  assert.equal(await complete('call', 'cms.posts.l'), ['cms.posts.list']);
  assert.equal(await complete('call', 'cms.posts.list', '--js'), ['--json']);
  assert.equal(await complete('call', 'cms.posts.list', '--json', '--per'), ['--per_page']);
});

monitor('a renamed meta key is named at the start, and a command moves its values', () =>
  inFolder(async (folder) => {
    const store = ['--store', `file:${folder}/data`, '--config', `${folder}/site.json`];
    const declare = (key: string, type: string): Promise<void> =>
      writeFile(
        `${folder}/site.json`,
        JSON.stringify({
          languages: ['en'],
          content: { core: true, meta: [{ of: 'post', key, type, indexed: true }] },
        }),
      );
    const admin = [
      'user',
      'add',
      'ada',
      '--role',
      'administrator',
      '--email',
      'ada@site.example',
      '--password',
      'x',
    ];
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from('ada:x').toString('base64')}`,
    };
    const serve = async (use: (posts: string) => Promise<void>): Promise<string> => {
      const running = await serveHere(['serve', '--port', '0', ...store]);
      try {
        await use(`${running.origin}/en/cms-json/cms/v2/posts`);
      } finally {
        await running.stop();
      }
      return running.written;
    };
    await declare('serves', 'integer');
    assert.is((await routebook([...admin, ...store])).code, 0);
    const body = JSON.stringify({ title: 'Soup', status: 'publish', meta: { serves: 4 } });
    const first = await serve(async (posts) => {
      assert.is((await fetch(posts, { method: 'POST', headers, body })).status, 201);
    });
    assert.not.match(first, 'meta keys');
    await declare('servings', 'integer');
    assert.match(await serve(async () => undefined), 'the meta keys serves of post.');
    const renamed = await routebook(['meta', 'rename', 'post', 'serves', 'servings', ...store]);
    assert.equal([renamed.code, renamed.stdout], [0, 'Renamed serves of post to servings in 1 record.\n']);
    const last = await serve(async (posts) => {
      const found = (await (await fetch(`${posts}?meta[servings]=4`)).json()) as readonly {
        readonly meta: object;
      }[];
      assert.equal(
        found.map(({ meta }) => meta),
        [{ footnotes: '', servings: 4 }],
      );
    });
    assert.not.match(last, 'meta keys');
    assert.is((await routebook(['meta', 'rename', 'nothing', 'a', 'b', ...store])).code, 1);
  }),
);

monitor('failures of the system are sentences', async () => {
  for (const args of [
    ['validate', '/nowhere/x.json'],
    ['serve', '--config', '/nowhere/x.json'],
  ])
    // The log may repeat a line of the command before.
    assert.match(
      (await routebook(args)).stderr,
      /^(?:info: .*\n)*\/nowhere\/x\.json: there is no such file or directory\n$/,
    );
});

monitor.run();
