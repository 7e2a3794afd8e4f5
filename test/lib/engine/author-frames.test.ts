import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { authorFrames, framesOf } from '../../../lib/engine/console-log.ts';
import { createRequest, type LogEvent } from '../../../lib/index.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';
import { PROJECT } from '../../support/sources.ts';

async function failureOf(handler: () => unknown): Promise<Error> {
  const logged: LogEvent[] = [];
  await createTestEngine([createProbe({ handler })], {
    log: (event) => {
      logged.push(event);
    },
  }).serve(createRequest('/probe/v1/it'));
  return logged[0]?.error as Error;
}

const isOfLib = (frame: string): boolean => frame.includes('/lib/dispatch/') && !frame.includes('/test/');

const frames = suite('authorFrames');

frames('leaves out those by which the engine came to a handler', async () => {
  const error = await failureOf(function readLamp() {
    throw new Error('no lamp');
  });
  assert.ok(framesOf(error).some(isOfLib), 'the whole stack has frames of the engine');
  assert.match(String(authorFrames(error)[0]), 'readLamp');
  assert.not.ok(authorFrames(error).some(isOfLib));
});

frames('leaves them out also after a wait', async () => {
  const inner = createTestEngine(
    [
      createProbe({
        handler: () => {
          throw new Error('no lamp');
        },
      }),
    ],
    { log: () => undefined },
  );
  const error = await failureOf(async function readLamp() {
    await inner.serve(createRequest('/probe/v1/it'));
    throw new Error('no light');
  });
  assert.match(String(authorFrames(error)[0]), 'readLamp');
  assert.not.ok(authorFrames(error).some(isOfLib));
});

frames('keeps all of an error that the package itself has thrown', async () => {
  const error = await failureOf(() => Number.NaN);
  assert.match(error.message, 'returned NaN');
  assert.equal(authorFrames(error), framesOf(error));
});

/** A stack as another program writes it. */
function withStack(...lines: readonly string[]): Error {
  return Object.assign(new Error('x'), {
    stack: ['Error: x', ...lines.map((line) => `    at ${line}`)].join('\n'),
  });
}

const own = (path: string): string => `${pathToFileURL(join(PROJECT, path)).href}:1:2`;

frames('cuts what is below the last frame of the author, and keeps what the author called', () => {
  const author = ['JSON.parse (<anonymous>)', 'readLamp (file:///app/lamp.mjs:3:9)'];
  const error = withStack(
    ...author,
    `runCall (${own('lib/dispatch/prepare.ts')})`,
    'Server.emit (node:events:518:28)',
    `listen (${own('adapters/node-http.ts')})`,
    'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  );
  assert.equal(
    authorFrames(error),
    author.map((frame) => `at ${frame}`),
  );
  assert.equal(
    authorFrames(
      withStack(
        'Socket.connect (node:net:1:2)',
        'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      ),
    ).length,
    2,
  );
  assert.equal(authorFrames(Object.assign(new Error('x'), { stack: undefined })), []);
});

frames.run();
