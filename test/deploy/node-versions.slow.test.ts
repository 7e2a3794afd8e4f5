import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLong } from '../support/long-mode.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';

const run = promisify(execFile);
const VERSIONS = ['20', '22', '24'];
const POSTS = '/en/cms-json/cms/v2/posts?per_page=1&_fields=id,title';

type Shell = (command: string, ...args: readonly string[]) => Promise<string>;
interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly shell: Shell;
}

/** The environment in which `node`, `npm` and `npx` run this version of Node. */
async function toPlace(version: string, cwd: string): Promise<Place> {
  const { stdout } = await run('npx', ['-y', `node@${version}`, '-p', 'process.execPath']);
  const env = { ...process.env, PATH: `${dirname(stdout.trim())}${delimiter}${process.env['PATH'] ?? ''}` };
  const shell: Shell = async (command, ...args) => {
    const answer = await run(command, args, { cwd, env, maxBuffer: 1e8 });
    return answer.stdout;
  };
  assert.match(await shell('node', '--version'), new RegExp(`^v${version}\\.`));
  return { env, cwd, shell };
}

/** Starts a server as a user types it, reads a post over HTTP, and ends it with all that it started. */
async function readPost({ env, cwd }: Place, command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, [...args], { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const closed = once(child, 'close');
  const address = new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, origin] = /listening on (http:\/\/[^/\s]+)/.exec(output) ?? [];
      if (origin !== undefined) resolve(origin);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    void closed.then(() => {
      reject(new Error(output));
      return undefined;
    });
  });
  try {
    const response = await fetch((await address) + POSTS);
    return `${response.status} ${await response.text()}`;
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await closed;
  }
}

const A_POST = /^200 \[\{"id":\d+,"title":\{/;

const versions = suite('versions of Node');

if (isLong) {
  for (const version of VERSIONS) {
    versions(
      `${version}: the tarball serves in an empty folder, also without optional packages`,
      async () => {
        await inFolder(async (folder) => {
          for (const name of ['packed', 'whole', 'lean']) mkdirSync(join(folder, name));
          await run(
            'npm',
            ['pack', '--silent', '--ignore-scripts', '--pack-destination', join(folder, 'packed')],
            { cwd: PROJECT },
          );
          const tarball = join(folder, 'packed', readdirSync(join(folder, 'packed'))[0] ?? '');
          const whole = await toPlace(version, join(folder, 'whole'));
          await whole.shell('npm', 'install', '--silent', '--omit=dev', '--ignore-scripts', tarball);
          assert.match(await readPost(whole, 'npx', ['routebook', 'serve', '--port', '0']), A_POST);
          const lean = await toPlace(version, join(folder, 'lean'));
          await lean.shell(
            'npm',
            'install',
            '--silent',
            '--omit=dev',
            '--omit=optional',
            '--ignore-scripts',
            tarball,
          );
          const serve = (...store: readonly string[]): Promise<string> =>
            readPost(lean, 'npx', ['routebook', 'serve', '--port', '0', ...store]);
          assert.match(await serve('--store', 'memory'), A_POST);
          // node:sqlite came with Node 22.13.
          if (version !== '20') assert.match(await serve(), A_POST);
          else
            await serve().then(
              () => assert.unreachable(),
              (error: unknown) =>
                assert.match(String(error), /needs Node 22\.13 or newer, or the package libsql/),
            );
        });
      },
    );

    versions(`${version}: a clean clone serves with the two commands of the README`, async () => {
      await inFolder(async (folder) => {
        await run('git', ['clone', '--quiet', '--depth', '1', `file://${PROJECT}`, join(folder, 'clone')]);
        const place = await toPlace(version, join(folder, 'clone'));
        await place.shell('npm', 'ci', '--silent', '--ignore-scripts');
        assert.match(await readPost(place, 'npm', ['start', '--', '--port', '0']), A_POST);
      });
    });
  }
} else {
  versions('SKIPPED: only in long mode', () => {
    console.error('SKIPPED versions of Node: only in long mode');
  });
}

versions.run();
