import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createLineLog } from '../../../lib/engine/console-log.ts';
import { StoreError } from '../../../lib/store/store.ts';
import { withMovedClock } from '../../support/moved-clock.ts';

const PERIOD_MS = 300;

function open(): { readonly log: (event: LogEvent) => void; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLineLog({ write: (line) => lines.push(line), everyMs: PERIOD_MS }), lines };
}

/** As the PostgreSQL store fails while its server is away. */
function failAway(path: string): LogEvent {
  const cause = new Error('the way to it is closed', { cause: new TypeError('connect ENOENT') });
  return {
    level: 'error',
    message: `GET ${path} failed`,
    error: new StoreError('unavailable', 'The store cannot be used.', { cause }),
  };
}

const lineLog = suite('createLineLog');

lineLog('writes a failure with its causes in one line, at once', () => {
  const { log, lines } = open();
  log(failAway('/a'));
  assert.is(lines.length, 1);
  assert.match(
    String(lines[0]),
    /^error: GET \/a failed: StoreError unavailable: The store cannot be used\.; caused by Error: the way to it is closed; caused by TypeError: connect ENOENT < at failAway \(.*console-log/,
  );
  assert.not.match(String(lines[0]), '\n');
});

lineLog('describes what is thrown without being an Error', () => {
  for (const [thrown, text] of [
    ['a text', '"a text"'],
    [null, 'null'],
    [5, '5'],
    [{ code: 5, token: 'hush' }, 'an object'],
    [{ message: 'no lamp' }, 'an object with the message "no lamp"'],
  ] as const) {
    const { log, lines } = open();
    log({ level: 'error', message: 'GET /a failed', error: thrown });
    assert.equal(lines, [`error: GET /a failed: ${text}, which is not an Error`]);
  }
});

lineLog('counts a kind of failure, whatever its address, and writes it once in each period', () =>
  withMovedClock(async (clock) => {
    const { log, lines } = open();
    for (let index = 0; index < 100; index += 1) log(failAway(`/${index}`));
    assert.is(lines.length, 1);
    await clock.move(PERIOD_MS * 1.5);
    assert.is(lines.length, 2);
    assert.match(String(lines[1]), /^error \(99 times\): GET \/99 failed/);
    log(failAway('/later'));
    assert.is(lines.length, 2, 'the kind was written in this period');
    await clock.move(PERIOD_MS);
    assert.match(String(lines[2]), /^error: GET \/later failed/);
    await clock.move(PERIOD_MS * 2);
    log(failAway('/new'));
    assert.is(lines.length, 4, 'a kind that was quiet is written at once');
  }),
);

lineLog('keeps failures of other places, names, codes and levels apart', () => {
  const { log, lines } = open();
  const error = new Error('same');
  log({ level: 'error', message: 'a', error });
  log({ level: 'error', message: 'b', error: new Error('same') });
  log({ level: 'error', message: 'c', error: new TypeError('same') });
  log({ level: 'warn', message: 'd', error });
  log({ level: 'error', message: 'e', error: Object.assign(error, { code: 'E1' }) });
  log({ level: 'error', message: 'f', error: 'a text' });
  log({ level: 'warn', message: 'line 1: no such object' });
  log({ level: 'warn', message: 'line 2: no such object' });
  assert.equal(
    lines.map((line) => line.split(': ')[1]),
    ['a', 'b', 'c', 'd', 'e', 'f', 'line 1', 'line 2'],
  );
});

lineLog('cannot be made to write a second line, or an endless one', () => {
  const { log, lines } = open();
  log({
    level: 'error',
    message: 'GET /a\r\nerror: forged\u2028 failed',
    error: new Error(`x\u001b[2J${'y'.repeat(100_000)}`),
  });
  assert.is(lines.length, 1);
  assert.not.match(String(lines[0]), /[\p{Cc}\u2028]/u);
  assert.ok((lines[0]?.length ?? 0) <= 4000);
});

lineLog.run();
