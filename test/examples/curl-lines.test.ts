import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listCurlLines, readDocumentScript, readHeaderScript, runCurlScript } from '../support/curl-lines.ts';
import { startProgram } from '../support/start-program.ts';

const ROOT = new URL('../../../', import.meta.url);
const ORIGIN = /http:\/\/127\.0\.0\.1:87\d\d/g;

const SERVER_ARGS: Readonly<Record<string, readonly string[]>> = { server: ['--store', 'memory'] };

function listFiles(directory: string, end: string): readonly string[] {
  return readdirSync(new URL(directory, ROOT)).filter((file) => file.endsWith(end)).sort();
}

const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** Starts the program, runs the script against it, and compares each status with the one that is written down. */
async function checkScript(script: string, program: string): Promise<void> {
  const lines = listCurlLines(script);
  for (const { text, status } of lines) assert.ok(status >= 100, `no expected status: ${text}`);
  const running = await startProgram(`examples/${program}.js`, ['--port', '0', ...SERVER_ARGS[program] ?? []]);
  let code: number | null = null;
  try {
    const { statuses, complaints, left } = await runCurlScript(script.replaceAll(ORIGIN, running.origin));
    const got = lines.map(({ text }, index) => `${String(statuses[index])} ${text}`);
    assert.equal(got, lines.map(({ text, status }) => `${status} ${text}`));
    assert.is(statuses.length, lines.length);
    assert.is(complaints, '');
    assert.equal(left, []);
  } finally {
    code = await running.stop();
  }
  assert.is(code, 0, `${program} ended with ${String(code)}`);
}

const examples = suite('curl lines of examples');

const programs = listFiles('examples/', '.ts').map((file) => file.slice(0, -3)).filter((name) => listCurlLines(readHeaderScript(read(`examples/${name}.ts`))).length > 0);

examples('stand in the header of every program', () => {
  for (const name of ['embed', 'fetch', 'json-namespace', 'server']) assert.ok(programs.includes(name), name);
});

for (const name of programs) {
  examples(`${name}: each line is answered as its comment says`, () => checkScript(readHeaderScript(read(`examples/${name}.ts`)), name));
}

examples.run();

const documents = suite('curl lines of documents');

const pages = ['README.md', ...listFiles('docs/', '.md').map((file) => `docs/${file}`)].filter((file) => listCurlLines(readDocumentScript(read(file))).length > 0);

documents('stand in the page for clients', () => {
  assert.ok(pages.includes('docs/clients.md'));
});

for (const page of pages) {
  documents(`${page}: each line is answered as its comment says`, () => checkScript(readDocumentScript(read(page)), 'server'));
}

documents.run();
