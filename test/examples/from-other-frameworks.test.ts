import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startNode } from '../support/start-program.ts';

const ROOT = new URL('../../../', import.meta.url);

/** One request to both programs of a pair. */
type Asked = readonly [method: string, path: string, body?: unknown];

/** What a client sees. The bodies of errors differ between frameworks. */
interface Seen { readonly status: number; readonly type: string | null; readonly body: string | null }

const REQUESTS: Readonly<Record<string, readonly Asked[]>> = {
  Fastify: [
    ['GET', '/'], ['POST', '/boats', { name: 'Anna' }], ['POST', '/boats', { name: 'Anna', length: 12.5 }], ['POST', '/boats', {}], ['POST', '/boats', { name: 'Anna', length: 0 }],
    ['GET', '/nothing'],
  ],
  Hono: [['GET', '/'], ['GET', '/boats/7'], ['GET', '/boats/7?page=3'], ['DELETE', '/boats/7'], ['GET', '/nothing']],
  Express: [['GET', '/boats'], ['POST', '/boats', { name: 'Cora' }], ['POST', '/boats', {}], ['PUT', '/boats/7', {}], ['DELETE', '/boats/7'], ['GET', '/nothing']],
};

/** Title of a section -> the program of the framework, and the same program with routebook. */
function readPairs(): ReadonlyMap<string, readonly string[]> {
  const document = readFileSync(new URL('docs/from-other-frameworks.md', ROOT), 'utf8');
  return new Map(document.split(/^## /m).slice(1).map((section) => [
    section.slice(0, section.indexOf('\n')), [...section.matchAll(/^```javascript\n([^]*?)^```$/gm)].map(([, code = '']) => code),
  ]));
}

async function ask(origin: string, [method, path, body]: Asked): Promise<Seen> {
  const response = await fetch(`${origin}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }) });
  const text = await response.text();
  if (response.status >= 400) return { status: response.status, type: null, body: null };
  return { status: response.status, type: response.headers.get('content-type')?.split(';')[0] ?? null, body: text };
}

/** Lets the system pick the port, and prints it as soon as the program listens. */
const PICK_PORT = `data:text/javascript,${encodeURIComponent(`
import { Server } from 'node:net';
process.env.PORT = '0';
const { listen } = Server.prototype;
Server.prototype.listen = function (...options) {
  this.once('listening', () => console.log('listening on http://localhost:' + this.address().port));
  return listen.apply(this, options);
};`)}`;

/** The responses of a program that is started for them alone. */
async function runProgram(name: string, code: string): Promise<readonly Seen[]> {
  const program = await startNode(name, ['--import', PICK_PORT, '--input-type=module', '--eval', code]);
  try {
    const seen: Seen[] = [];
    for (const each of REQUESTS[name] ?? []) seen.push(await ask(program.origin, each));
    return seen;
  } finally {
    await program.stop();
  }
}

const pairs = suite('programs of other frameworks');

for (const [name, [theirs = '', ours = '']] of readPairs()) {
  pairs(`${name}: the program with routebook responds as the other one`, async () => {
    assert.ok(!theirs.includes('routebook') && ours.includes('routebook'));
    const wanted = await runProgram(name, theirs);
    assert.ok(wanted.some(({ status }) => status < 300));
    assert.equal(await runProgram(name, ours), wanted);
  });
}

pairs('are there for each framework', () => {
  assert.equal([...readPairs().keys()], Object.keys(REQUESTS));
});

pairs.run();
