import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Lanes } from '../../../adapters/postgres/lanes.ts';

const test = suite('Lanes');

/** Work that tells when it begins and ends when it is told to. */
function createWork(): { readonly begun: string[]; readonly end: (name: string) => void; readonly work: (name: string) => () => Promise<string> } {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name) => ends.get(name)?.(),
    work: (name) => () => new Promise((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

test('what shares a name runs in the order in which it came, the rest side by side', async () => {
  const lanes = new Lanes();
  const { begun, end, work } = createWork();
  const all = [lanes.run(['posts'], work('first')), lanes.run(['posts', 'terms'], work('second')), lanes.run(['users'], work('third')), lanes.run(['terms'], work('fourth'))];
  await turn();
  assert.equal(begun, ['first', 'third']);
  end('first');
  await turn();
  assert.equal(begun, ['first', 'third', 'second']);
  end('second');
  await turn();
  assert.equal(begun, ['first', 'third', 'second', 'fourth']);
  for (const name of ['third', 'fourth']) end(name);
  assert.equal(await Promise.all(all), ['first', 'second', 'third', 'fourth']);
});

test('work that fails does not keep up what comes after it, and idle waits for all', async () => {
  const lanes = new Lanes();
  const failed = lanes.run(['posts'], () => Promise.reject(new Error('no'))).then(() => 'ok', () => 'failed');
  let isOver = false;
  const next = lanes.run(['posts'], async () => { await turn(); isOver = true; });
  await lanes.idle();
  assert.is(isOver, true);
  assert.is(await failed, 'failed');
  await next;
});

test.run();
