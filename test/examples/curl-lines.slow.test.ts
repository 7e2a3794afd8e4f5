import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listCurlLines, readDocumentScript, readHeaderScript, runCurlScript } from '../support/curl-lines.ts';
import { startNode, startProgram, type Program } from '../support/start-program.ts';

const ROOT = new URL('../../../', import.meta.url);
const ORIGIN = /http:\/\/127\.0\.0\.1:(?:87\d\d|3000)/g;

const SERVER_ARGS: Readonly<Record<string, readonly string[]>> = {
  server: ['--store', 'memory'],
  'own-routes': ['--store', 'memory'],
};

function listFiles(directory: string, end: string): readonly string[] {
  return readdirSync(new URL(directory, ROOT))
    .filter((file) => file.endsWith(end))
    .sort();
}

const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** Starts the program, runs the script against it, and compares each status with the one that is written down. @returns the exit code. */
async function checkScript(script: string, start: () => Promise<Program>): Promise<number | null> {
  const lines = listCurlLines(script);
  for (const { text, status } of lines) assert.ok(status >= 100, `no expected status: ${text}`);
  const running = await start();
  try {
    const { statuses, complaints, left } = await runCurlScript(script.replaceAll(ORIGIN, running.origin));
    const got = lines.map(({ text }, index) => `${String(statuses[index])} ${text}`);
    assert.equal(
      got,
      lines.map(({ text, status }) => `${status} ${text}`),
    );
    assert.is(statuses.length, lines.length);
    assert.is(complaints, '');
    assert.equal(left, []);
  } finally {
    await running.stop();
  }
  return running.stop();
}

/** Examples that the command serves as plugins. */
const PLUGINS: ReadonlySet<string> = new Set(['reading']);

const startExample = (name: string) => () =>
  PLUGINS.has(name)
    ? startProgram('adapters/cli/bin.js', [
        'serve',
        '--store',
        'memory',
        '--port',
        '0',
        '--plugins',
        fileURLToPath(new URL(`dist/examples/${name}.js`, ROOT)),
      ])
    : startProgram(`examples/${name}.js`, ['--port', '0', ...(SERVER_ARGS[name] ?? [])]);

const examples = suite('curl lines of examples');

const programs = listFiles('examples/', '.ts')
  .map((file) => file.slice(0, -3))
  .filter((name) => listCurlLines(readHeaderScript(read(`examples/${name}.ts`))).length > 0);

examples('stand in the header of every program', () => {
  for (const name of ['embed', 'fetch', 'json-namespace', 'own-routes', 'server'])
    assert.ok(programs.includes(name), name);
});

for (const name of programs) {
  examples(`${name}: each line is answered as its comment says`, async () => {
    assert.is(await checkScript(readHeaderScript(read(`examples/${name}.ts`)), startExample(name)), 0);
  });
}

examples.run();

const documents = suite('curl lines of documents');

const startWithCore = (): Promise<Program> =>
  startProgram('adapters/cli/bin.js', ['serve', '--store', 'memory', '--content', 'core', '--port', '0']);

const pages = listFiles('docs/', '.md')
  .map((file) => `docs/${file}`)
  .filter((file) => listCurlLines(readDocumentScript(read(file))).length > 0);

documents('stand in the page for clients', () => {
  assert.ok(pages.includes('docs/clients.md'));
});

for (const page of pages) {
  documents(`${page}: each line is answered as its comment says`, async () => {
    assert.is(await checkScript(readDocumentScript(read(page)), startWithCore), 0);
  });
}

documents.run();

/** Brackets in code are not links. */
const withoutCode = (text: string): string => text.replaceAll(/```[^]*?```|`[^`\n]*`/g, '');

const readme = suite('README');

/** The programs of the README, each with the lines that ask it. The second one continues the first. */
function listReadmePrograms(): readonly { readonly code: string; readonly script: string }[] {
  return [...read('README.md').matchAll(/^```js\n([^]*?)^```\n\n(```sh\n[^]*?^```)$/gm)].map(
    ([, code = '', block = '']) => ({ code, script: readDocumentScript(`${block}\n`) }),
  );
}

/** The program on ports that the system chooses. Only its last server says where it listens. */
function onFreePorts(code: string): string {
  const listens = [...code.matchAll(/\.listen\([^)]*\)/g)];
  const last = listens.length - 1;
  let at = 0;
  return code.replaceAll(/\.listen\([^)]*\)/g, () =>
    at++ < last
      ? ".listen(0, '127.0.0.1')"
      : ".listen(0, '127.0.0.1', function () { console.log(`listening on http://127.0.0.1:${this.address().port}/`); })",
  );
}

readme('begins with a program of five lines', () => {
  const [{ code } = { code: '' }] = listReadmePrograms();
  assert.is(code.trim().split('\n').length, 5);
  assert.not.match(code, 'registry');
});

readme('holds programs that run as they stand, and are answered as it says', async () => {
  const listed = listReadmePrograms();
  assert.is(listed.length, 2);
  let code = '';
  for (const program of listed) {
    code += program.code;
    const whole = onFreePorts(code);
    assert.ok(listCurlLines(program.script).length > 0);
    await checkScript(program.script, () => startNode('README.md', ['--input-type=module', '--eval', whole]));
  }
});

readme('names every entry of the package, and no other', () => {
  const manifest = JSON.parse(read('package.json')) as {
    readonly exports: object;
    readonly dependencies: object;
  };
  const text = read('README.md');
  for (const entry of Object.keys(manifest.exports))
    assert.ok(text.includes(entry === '.' ? '`routebook`' : `${entry.slice(2)}\``), entry);
  for (const name of Object.keys(manifest.dependencies))
    assert.match(text, new RegExp(`^- .*(?<![\\w/])${name}(?!\\w).*: `, 'm'));
});

readme('links only to files that there are', () => {
  const sources = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...listFiles('docs/', '.md').map((file) => `docs/${file}`),
  ];
  for (const file of sources) {
    for (const [, target = ''] of withoutCode(read(file)).matchAll(
      /\]\((?!https?:)([^)#\s{]+)(?:#[^)]*)?\)/g,
    ))
      assert.ok(existsSync(new URL(target, new URL(file, ROOT))), `${file}: ${target}`);
  }
});

readme.run();
