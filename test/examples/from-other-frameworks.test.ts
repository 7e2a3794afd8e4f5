import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startNode, type Program } from '../support/start-program.ts';

const TEXT = readFileSync(new URL('../../../docs/from-other-frameworks.md', import.meta.url), 'utf8');

/** One line of a table: what is asked, the status of both answers, and whether their bodies are the same. */
interface Asked {
  readonly line: string;
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  readonly status: number;
  readonly isSame: boolean;
}

interface Section {
  readonly title: string;
  /** The program of the framework, and ours. */
  readonly programs: readonly string[];
  readonly asked: readonly Asked[];
}

const LINE = /^\| `([A-Z]+) (\S+)(?: (\{.*\}))?` \| (\d{3})(, each with its own error)? \|$/gm;

const sections: readonly Section[] = TEXT.split(/^## /m)
  .slice(1)
  .map((part) => ({
    title: part.slice(0, part.indexOf('\n')),
    programs: [...part.matchAll(/^```javascript\n([^]*?)^```$/gm)].map(([, code = '']) => code),
    asked: [...part.matchAll(LINE)].map(([line, method = '', target = '', body, status, own]) => ({
      line,
      method,
      target,
      body,
      status: Number(status),
      isSame: own === undefined,
    })),
  }));

/** Whatever port a program asks for, its server gets one of the system, on loopback, and says which. */
const ON_FREE_PORT = `
import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once('listening', () => console.log(\`listening on http://127.0.0.1:\${this.address().port}/\`));
  return listen.call(this, { port: 0, host: '127.0.0.1' }, ...args.filter((arg) => typeof arg === 'function'));
};
`;

const start = (code: string): Promise<Program> =>
  startNode('docs/from-other-frameworks.md', ['--input-type=module', '--eval', ON_FREE_PORT + code]);

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly message: string | null;
}

async function ask(origin: string, { method, target, body }: Asked): Promise<Answer> {
  const response = await fetch(origin + target, {
    method,
    headers: { Connection: 'close' },
    ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
  });
  return { status: response.status, text: await response.text(), message: response.headers.get('x-message') };
}

const comparing = suite('from other frameworks');

comparing('shows the three', () => {
  assert.equal(
    sections.map(({ title }) => title),
    ['Fastify', 'Hono', 'Express'],
  );
});

for (const { title, programs, asked } of sections) {
  comparing(`${title}: both programs run as they stand and answer alike`, async () => {
    assert.is(programs.length, 2);
    assert.ok(
      asked.length >= 4 && asked.filter(({ isSame }) => isSame).length >= 2,
      `only ${asked.length} lines`,
    );
    const running: Program[] = [];
    try {
      for (const program of programs) running.push(await start(program));
      const [theirs, ours] = running as [Program, Program];
      for (const each of asked) {
        const [there, here] = [await ask(theirs.origin, each), await ask(ours.origin, each)];
        assert.equal([there.status, here.status], [each.status, each.status], each.line);
        if (each.isSame) assert.equal(here, there, each.line);
      }
    } finally {
      for (const program of running) await program.stop();
    }
  });
}

comparing.run();
