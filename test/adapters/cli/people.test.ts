import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAll, isLong } from '../../support/long-mode.ts';
import { ROUTEBOOK, routebook, withServer } from '../../support/routebook.ts';
import { createFolders, inFolder } from '../../support/temporary.ts';

const ADA = ['user', 'add', 'ada', '--role', 'administrator', '--email', 'ada@site.example'];

type Use = (
  run: (args: readonly string[], input?: string) => ReturnType<typeof routebook>,
  store: string,
  folder: string,
) => Promise<void>;

/** Runs commands one after the other in a new directory, where the store of all of them is. */
async function inSite(use: Use): Promise<void> {
  await inFolder(async (folder) => {
    await use((args, input = '') => routebook(args, { cwd: folder, input }), `file:${folder}/data`, folder);
  });
}

/** The same with an administrator: in a copy of a store that was made once, which takes less time than a new one. */
function inSiteOfAda(use: Use): Promise<void> {
  return inSite(async (run, store, folder) => {
    if (!existsSync(ofAda)) await routebook([...ADA, '--password', 'first one'], { cwd: dirname(ofAda) });
    cpSync(ofAda, join(folder, 'data'), { recursive: true });
    await use(run, store, folder);
  });
}

async function statusOf(origin: string, login: string): Promise<number> {
  const response = await fetch(`${origin}/en/cms-json/cms/v2/users/me`, {
    headers: { Authorization: `Basic ${Buffer.from(login).toString('base64')}` },
  });
  await response.arrayBuffer();
  return response.status;
}

const user = suite('routebook user and setting');
const ofAda = join(createFolders(user)(), 'data');

user('refuses a configuration with a name that reaches a prototype, as validate does', () =>
  inFolder(async (folder) => {
    const file = `${folder}/site.json`;
    await writeFile(
      file,
      JSON.stringify({ content: { core: true, types: [{ name: 'constructor', base: 'books' }] } }),
    );
    for (const command of [
      [...ADA, '--password', 'x', '--store', `file:${folder}/data`, '--config', file],
      ['validate', '--as', 'config', file],
    ]) {
      const { code, stderr } = await routebook(command);
      assert.is(code, 1, command[0]);
      assert.match(
        stderr,
        `${file}: content.types[0].name: "constructor" is not a name of at most 20 small letters`,
      );
    }
  }),
);

user('adds users, lists them, changes a password and removes one', () =>
  inSite(async (run, store) => {
    assert.equal(await run([...ADA, '--password', 'first one']), {
      code: 0,
      stdout: 'Added ada with the role administrator (id 1).\n',
      stderr: '',
    });
    assert.equal(
      await run(
        [
          'user',
          'add',
          'bob',
          '--role',
          'editor',
          '--email',
          'bob@site.example',
          '--name',
          'Bob B',
          '--json',
        ],
        'of bob\n',
      ),
      {
        code: 0,
        stderr: '',
        stdout: `${JSON.stringify({ id: 2, username: 'bob', name: 'Bob B', email: 'bob@site.example', roles: ['editor'] }, null, 2)}\n`,
      },
    );
    assert.is(
      (await run(['user', 'list'])).stdout,
      'id  login  roles          email             name\n1   ada    administrator  ada@site.example  ada\n2   bob    editor         bob@site.example  Bob B\n',
    );
    assert.is(
      (await run(['user', 'password', 'ADA', '--password', 'second one'])).stdout,
      'Changed the password of ada.\n',
    );
    const serve = ['serve', '--store', store, '--content', 'core', '--port', '0'];
    await withServer(serve, async (origin) => {
      assert.equal(
        [
          await statusOf(origin, 'ada:first one'),
          await statusOf(origin, 'ada:second one'),
          await statusOf(origin, 'bob:of bob'),
        ],
        [401, 200, 200],
      );
    });
    assert.equal(await run(['user', 'remove', 'bob', '--reassign', 'ada']), {
      code: 0,
      stdout: 'Removed bob.\n',
      stderr: '',
    });
    assert.equal(
      (
        JSON.parse((await run(['user', 'list', '--json'])).stdout) as readonly { readonly username: string }[]
      ).map(({ username }) => username),
      ['ada'],
    );
    assert.equal(await run(['user', 'list', '--role', 'editor']), {
      code: 0,
      stdout: '',
      stderr: 'No user has the role editor.\n',
    });
  }),
);

/** Arguments after a site with one administrator was made, the exit code, and what standard error says. */
const REFUSED: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  // Before the password, which is missing here.
  [
    ['user', 'add', 'Ada', '--role', 'editor', '--email', 'other@site.example'],
    1,
    /^There is a user "Ada" already\. "routebook user password Ada" changes the password\.\n$/,
  ],
  [
    ['user', 'add', 'bob', '--role', 'editor', '--email', 'Ada@site.example'],
    1,
    /^--email "Ada@site\.example": a user of the site has this address already\.\n$/,
  ],
  [
    ['user', 'add', 'bob', '--role', 'editer', '--email', 'bob@site.example'],
    2,
    /^--role "editer": must be one of administrator, .*\. Did you mean "editor"\?\n$/,
  ],
  [['user', 'add', 'bob', '--email', 'bob@site.example'], 2, /^--role is missing: one of administrator, /],
  [['user', 'add', 'bob', '--role', 'editor', '--email', 'bob@site.example'], 2, /^--password is missing: /],
  [['user', 'add', 'bob', '--role', 'editor', '--email', 'nobody'], 1, /Invalid email address\.\n$/],
  [
    ['user', 'add', 'b\tb', '--role', 'editor', '--email', 'bob@site.example', '--password', 'x'],
    1,
    /illegal characters/,
  ],
  [
    ['user', 'add', 'bob', '--role', 'editor', '--email', 'bob@site.example', '--password', String.raw`x\y`],
    1,
    /Passwords cannot contain/,
  ],
  [
    ['user', 'add', 'bob', '--role', 'translator', '--email', 'bob@site.example', '--pairs', 'en-fr'],
    2,
    /^--pairs "en-fr": must be a source and a target language with a colon between them, such as en:fr; several are separated by commas\n$/,
  ],
  [
    ['user', 'add', 'bob', '--role', 'translator', '--email', 'bob@site.example', '--pairs', 'en:fr,'],
    2,
    /^--pairs "": must be a source/,
  ],
  [
    ['user', 'add', 'bob', '--role', 'translator', '--email', 'bob@site.example', '--pairs', 'en:fr,en:de'],
    2,
    /^--pairs "en:de": "de" is not one of the languages nl, en, fr\. /,
  ],
  [
    ['user', 'add', 'bob', '--role', 'editor', '--email', 'bob@site.example', '--pairs', 'en:fr'],
    2,
    /^Language pairs need a role that translates \(.*translator, .*\); bob has the role editor\n$/,
  ],
  [
    ['user', 'pairs', 'ada', 'fr:fr'],
    2,
    /^PAIRS "fr:fr": the source and the target must be different languages\n$/,
  ],
  [
    ['user', 'password', 'bob', '--password', 'x'],
    1,
    /^There is no user "bob"\. "routebook user list" shows those that there are\.\n$/,
  ],
  [
    ['user', 'remove', 'ada'],
    1,
    /^ada is the last administrator, who must stay\. Add another one first: routebook user add LOGIN /,
  ],
  [['user', 'role', 'ada', 'editor'], 1, /^ada is the last administrator, who must stay\./],
  [['user', 'role', 'ada', 'editer'], 2, /^ROLES "editer": must be one of /],
  [['user', 'edit', 'ada'], 2, /^Nothing to change: give one of --email, /],
  [['user', 'edit', 'ada', '--email', 'nobody'], 1, /Invalid email address\.\n$/],
  [['user', 'token', 'ada', '--revoke', 'x'], 1, /^There is no application password "x"\.\n$/],
  [['user', 'remove', 'ada', '--reassign', 'bob', '--delete-content'], 2, /exclude each other/],
  [['user', 'remove'], 2, /^LOGIN is missing: /],
  [['user', 'list', '--store', 'memory'], 2, /^--store memory: the store would be empty again/],
  [['user', 'list', '--store', 'file:./dtaa'], 1, /^--store "file:\.\/dtaa": there is no store\./],
  [
    ['user', 'list', '--store', 'redis:'],
    2,
    /^--store "redis:": must be memory, file:DIRECTORY or postgres:/,
  ],
  [['user', 'rmeove', 'ada'], 2, /^"user rmeove" is not a command\. Did you mean "user remove"\?/],
];

user('refuses what the interface refuses, in one line', () =>
  inSiteOfAda(async (run) => {
    for (const [args, code, says] of REFUSED) {
      const result = await run(args);
      assert.equal(
        [result.code, result.stdout, result.stderr.split('\n').length],
        [code, '', 2],
        `${args.join(' ')}: ${result.stderr}`,
      );
      assert.match(result.stderr, says);
    }
  }),
);

/** Types the lines at a terminal, one for each question. */
async function atTerminal(
  command: string,
  lines: readonly string[],
  cwd: string,
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const left = [...lines];
  let [shown, asked] = ['', 0];
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    const questions = shown.match(/Password: |Again: /g)?.length ?? 0;
    for (; asked < questions; asked += 1) child.stdin.write(`${left.shift() ?? ''}\r`);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, shown };
}

user('asks for the password at a terminal', () =>
  inSite(async (_run, store, folder) => {
    const type = (...typed: readonly string[]): ReturnType<typeof routebook> =>
      routebook(ADA, { cwd: folder, typed });
    const differ = await type('typed one', 'typed two');
    assert.equal(
      [differ.code, differ.stderr],
      [2, 'Password: \nAgain: \nThe two passwords differ. Nothing was changed.\n'],
    );
    const left = await type('\u0003');
    assert.equal(
      [left.code, left.stderr],
      [2, 'Password: \nThe question was not answered. Nothing was changed.\n'],
    );
    assert.equal(await type('typed one', 'typed one'), {
      code: 0,
      stdout: 'Added ada with the role administrator (id 1).\n',
      stderr: 'Password: \nAgain: \n',
    });
    await withServer(['serve', '--store', store, '--content', 'core', '--port', '0'], async (origin) =>
      assert.is(await statusOf(origin, 'ada:typed one'), 200),
    );
  }),
);

if (isAll || isLong)
  user('does not show at a real terminal what is typed', () =>
    inSiteOfAda(async (_run, _store, folder) => {
      const command = `"${process.execPath}" "${ROUTEBOOK}" user password ada`;
      const { code, shown } = await atTerminal(command, ['typed one', 'typed one'], folder);
      assert.is(code, 0);
      assert.match(shown, 'Changed the password of ada.');
      assert.not.match(shown, 'typed');
    }),
  );

/** Runs a command whose success is expected. */
const succeed = async (result: ReturnType<typeof routebook>): Promise<string> => {
  const { code, stdout, stderr } = await result;
  assert.is(code, 0, stderr);
  return stdout;
};

user('are removed only when it is said what becomes of what they wrote, and nothing dangles then', () =>
  inSite(async (run) => {
    const file = fileURLToPath(new URL('../../../../examples/demo-site.json', import.meta.url));
    await succeed(run(['import', file, '--content', 'core']));
    const check = ['check', '--content', 'core'];
    const refused = await run(['user', 'remove', 'author']);
    assert.equal(
      [refused.code, refused.stderr],
      [
        2,
        'author wrote 5 posts, 3 media. Say who gets it (--reassign LOGIN), or that it is to be removed (--delete-content)\n',
      ],
    );
    assert.match(await succeed(run(['user', 'list'])), /author/);
    assert.is(
      await succeed(run(['user', 'remove', 'author', '--delete-content'])),
      'Removed author. 5 posts, 3 media: removed.\n',
    );
    assert.is(await succeed(run(check)), 'Nothing was found.\n');
    assert.is(
      await succeed(run(['user', 'remove', 'editor', '--reassign', 'admin'])),
      'Removed editor. admin has 10 posts more.\n',
    );
    assert.is(await succeed(run(check)), 'Nothing was found.\n');
    assert.is(await succeed(run(['user', 'remove', 'subscriber'])), 'Removed subscriber.\n');
  }),
);

user('have roles, names and application passwords that commands change', () =>
  inSiteOfAda(async (run, store) => {
    await succeed(run(['user', 'role', 'ada', 'author,administrator']));
    assert.is(await succeed(run(['user', 'role', 'ada'])), 'author\nadministrator\n');
    const subject = 'https://id.example auth0|1';
    await succeed(
      run(['user', 'edit', 'ada', '--email', 'ada@new.example', '--name', 'Ada L', '--subject', subject]),
    );
    const bob = ['user', 'add', 'bob', '--role', 'editor', '--email', 'bob@site.example', '--password', 'x'];
    const taken = await run([...bob, '--subject', subject]);
    assert.equal([taken.code, taken.stderr], [1, `--subject "${subject}": the user ada has it already.\n`]);
    for (const bad of [' ', 'a\u0007b', 'x'.repeat(256)])
      assert.is((await run([...bob, '--subject', bad])).code, 2, bad);
    await succeed(run([...bob, '--subject', ' of bob ']));
    await succeed(run(['user', 'edit', 'bob', '--subject', '']));
    await succeed(run(['user', 'edit', 'ada', '--subject', 'of bob']));

    assert.match(await succeed(run(['user', 'list'])), /ada +author,administrator +ada@new\.example +Ada L/);
    const made = await run(['user', 'token', 'ada', 'deploy']);
    assert.match(made.stdout, /^(?:\w{4} ){5}\w{4}\n$/);
    const serve = ['serve', '--store', store, '--content', 'core', '--port', '0'];
    const login = `ada:${made.stdout.trim()}`;
    await withServer(serve, async (origin) => assert.is(await statusOf(origin, login), 200));
    assert.match(await succeed(run(['user', 'token', 'ada'])), / deploy\n$/);
    await succeed(run(['user', 'token', 'ada', '--revoke', 'deploy']));
    assert.is(await succeed(run(['user', 'token', 'ada'])), '');
  }),
);

user('gives translators language pairs, with which they can be given jobs', () =>
  inSiteOfAda(async (run, store) => {
    const theo = await run([
      'user',
      'add',
      'theo',
      '--role',
      'translator',
      '--email',
      'theo@site.example',
      '--password',
      'of theo',
      '--pairs',
      'en:fr, en:nl',
      '--json',
    ]);
    assert.is(theo.code, 0, theo.stderr);
    const { id } = JSON.parse(theo.stdout) as { readonly id: number };
    assert.is((await run(['user', 'pairs', 'theo'])).stdout, 'en:fr\nen:nl\n');
    await withServer(['serve', '--store', store, '--content', 'core', '--port', '0'], async (origin) => {
      const post = async (path: string, body: unknown): Promise<Response> =>
        fetch(`${origin}/en/cms-json/${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: {
            'Content-Type': 'application/json',
            Authorization: `Basic ${Buffer.from('ada:first one').toString('base64')}`,
          },
        });
      const written = await post('cms/v2/posts', { title: 'Tides', content: 'High', status: 'publish' });
      const { id: postId } = (await written.json()) as { readonly id: number };
      const made = (await (
        await post('ml/tm/v1/ate/jobs', { jobs: [{ post_id: postId, target_language: 'fr' }] })
      ).json()) as { readonly jobs: Readonly<Record<string, unknown>> };
      const assigned = await post('ml/tm/v1/jobs/assign', {
        jobId: Number(Object.keys(made.jobs)[0]),
        type: 'post',
        translatorId: id,
      });
      assert.equal([assigned.status, await assigned.json()], [200, { assigned: true }]);
    });
    assert.equal(await run(['user', 'pairs', 'THEO', 'nl:en']), {
      code: 0,
      stdout: 'theo now translates nl:en.\n',
      stderr: '',
    });
    assert.is((await run(['user', 'pairs', 'theo', 'none'])).stdout, 'theo has no language pairs now.\n');
    assert.equal(await run(['user', 'pairs', 'theo']), {
      code: 0,
      stdout: '',
      stderr: 'theo has no language pairs.\n',
    });
  }),
);

user('shows and changes settings, and refuses unknown ones and values that would be ignored', () =>
  inSiteOfAda(async (run) => {
    assert.equal(await run(['setting', 'set', 'title', 'Quay & Sons']), { code: 0, stdout: '', stderr: '' });
    assert.is((await run(['setting', 'set', 'title', 'Quay & Sons'])).code, 0, 'again');
    assert.is((await run(['setting', 'set', 'posts_per_page', '5'])).code, 0);
    assert.is((await run(['setting', 'get', 'posts_per_page', '--json'])).stdout, '5\n');
    const { stdout } = await run(['setting', 'get']);
    assert.match(stdout, /^title +Quay &amp; Sons$/m);
    assert.not.match(stdout, /^url /m);

    const [name, zone, number, language] = [
      await run(['setting', 'set', 'titel', 'x']),
      await run(['setting', 'set', 'timezone', 'Mars/Base']),
      await run(['setting', 'set', 'posts_per_page', 'x']),
      await run(['setting', 'get', '--language', 'xx']),
    ];
    assert.equal([name.code, zone.code, number.code, language.code], [2, 1, 1, 2]);
    assert.match(
      name.stderr,
      /^"titel" is not a setting\. Did you mean "title"\? The settings are title, description, /,
    );
    assert.match(
      zone.stderr,
      /^timezone cannot be "Mars\/Base"\. It is still ""\..* It must be a name of the time zone database, such as Europe\/Paris\.\n$/,
    );
    assert.match(
      (await run(['setting', 'set', 'timezone', 'Europe/Pariss'])).stderr,
      /It is still ""\. Did you mean "Europe\/Paris"\? It must be/,
    );
    assert.is(
      (await run(['setting', 'set', 'show_on_front', 'pages'])).stderr,
      'show_on_front cannot be "pages". It is still "posts". It must be posts or page.\n',
    );
    assert.is(number.stderr, 'posts_per_page is not of type integer.\n');
    assert.is(
      language.stderr,
      '--language "xx": must be one of en, fr. Commands have the languages of --languages, or of the --config of the server\n',
    );
  }),
);

user.run();
