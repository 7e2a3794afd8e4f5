import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook, ROUTEBOOK } from '../../support/routebook.ts';
import { withProgram } from '../../support/start-program.ts';
import { inFolder } from '../../support/temporary.ts';

/** A live site whose address is that of a server in front of it. */
interface Front {
  readonly origin: string;
  /** Paths in the order of the requests. */
  readonly asked: string[];
  /** The first answer to a path of this form after `whole` ones is sent by half; then the function is called. */
  stall(form: RegExp, whole: number, onStall: () => void): void;
}

/** Answers as the server at the target does, or with half of it. */
async function forward(
  target: string,
  [
    {
      url = '/',
      headers: { authorization },
    },
    response,
  ]: readonly [IncomingMessage, ServerResponse],
  isHalf: boolean,
): Promise<void> {
  const answer = await fetch(`${target}${url}`, {
    redirect: 'manual',
    headers: authorization === undefined ? {} : { authorization },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const headers = [...answer.headers].filter(
    ([name]) => !/^(?:connection|keep-alive|transfer-encoding|content-encoding|content-length)$/.test(name),
  );
  response.writeHead(answer.status, { ...Object.fromEntries(headers), 'Content-Length': bytes.length });
  if (!isHalf) response.end(bytes);
  else
    await new Promise<void>((resolve) => {
      response.write(bytes.subarray(0, bytes.length / 2), () => resolve());
    });
}

async function withFront(use: (front: Front) => Promise<void>): Promise<void> {
  const asked: string[] = [];
  let [target, stalling] = ['', (_url: string): (() => void) | undefined => undefined];
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    asked.push(url);
    const onStall = stalling(url);
    forward(target, [request, response], onStall !== undefined).then(onStall, (error: unknown) =>
      response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await withProgram(
      'adapters/cli/bin.js',
      ['serve', '--store', 'memory', '--port', '0', '--names', 'wordpress', '--site-url', origin],
      async (behind) => {
        target = behind;
        await use({
          origin,
          asked,
          stall: (form, whole, onStall) => {
            let left = whole;
            stalling = (url) => (form.test(url) && left-- === 0 ? onStall : undefined);
          },
        });
      },
    );
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

/** Files below a folder with their bytes, by path. */
function readTree(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return new Map(names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

const signals = suite('Ctrl-C in an import');

const UPLOAD = /\/uploads\//;

for (const [what, form, whole] of [
  ['a file', UPLOAD, 1],
  ['a list of the site', /\/wp\/v2\/posts\?/, 0],
] as const) {
  signals(
    `while ${what} is fetched: ends at once, leaves nothing half-written, and the next import goes on`,
    () =>
      inFolder(async (folder) =>
        withFront(async ({ origin, asked, stall }) => {
          const [store, library] = [
            ['--store', `file:${join(folder, 'data')}`, '--content', 'core'],
            join(folder, 'data/uploads'),
          ];
          const args = [
            'import',
            `${origin}/en/wp-json`,
            ...store,
            '--private',
            '--user',
            'admin',
            '--password',
            'adminpass',
            '--fetch',
            '--media',
            library,
          ];
          const child = spawn(process.execPath, [ROUTEBOOK, ...args], {
            stdio: ['ignore', 'ignore', 'pipe'],
          });
          let [said, interrupted] = ['', false];
          child.stderr.on('data', (chunk: Buffer) => {
            said += chunk.toString();
          });
          stall(form, whole, () => {
            interrupted = true;
            child.kill('SIGINT');
          });
          const [code] = (await once(child, 'close')) as [number | null];
          assert.equal([code, interrupted], [1, true], said);
          assert.is(
            asked.filter((path) => form.test(path)).length,
            whole + 1,
            'it asked again instead of ending',
          );
          assert.match(said, /^stopping after the current commit; run the import again to continue\n/);
          const kept = whole === 0 ? [] : [...readTree(library)];
          assert.is(kept.length, whole);
          const again = asked.push('again');
          const { code: ended, stderr } = await routebook(args);
          assert.equal([ended, stderr], [0, '']);
          const files = readTree(library);
          assert.equal(
            [files.size, asked.slice(again).filter((url) => UPLOAD.test(url)).length],
            [3, 3 - whole],
          );
          for (const [path, bytes] of files)
            assert.is(
              bytes,
              Buffer.from(await (await fetch(`${origin}/uploads/${path}`)).arrayBuffer()).toString('base64'),
              path,
            );
          for (const [path, bytes] of kept) assert.is(files.get(path), bytes);
          assert.equal(await routebook(['check', ...store]), {
            code: 0,
            stdout: 'Nothing was found.\n',
            stderr: '',
          });
        }),
      ),
  );
}

signals.run();
