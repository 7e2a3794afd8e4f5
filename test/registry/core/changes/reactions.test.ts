import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { startReaction } from '../../../../registry/core/changes/reactions.ts';
import { createBackground } from '../../../../registry/core/host/background.ts';
import { collections } from '../../../../registry/index.ts';
import { createTestPorts } from '../../../support/ports.ts';

const reactions = suite('reactions to changes');

const createTerm = { op: 'create', collection: 'terms', values: { taxonomy: 'category' } } as const;
const term = (slug: string) => ({ ...createTerm, values: { ...createTerm.values, slug } });

/** A process of a site: its own background, on a store that others share. `reads` may be waited for. */
function createProcess(store = createMemoryStore(collections)) {
  const ports = createTestPorts({
    store,
    background: createBackground(() => undefined),
    // Two processes have different random numbers.
    random: randomBytes,
  });
  let wake: () => void = () => undefined;
  const seen: string[] = [];
  const until = async (isEnough: () => boolean): Promise<void> => {
    while (!isEnough())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const note = (text: string): void => {
    seen.push(text);
    wake();
  };
  return { ports, store, seen, note, until };
}

reactions('get each change in order, go on where they were, and get again what failed', async () => {
  const first = createProcess();
  let fails = 1;
  const run = ({ note }: typeof first) => ({
    name: 'test.count',
    to: ['terms'],
    run: (changes: readonly { readonly id: number }[]) => {
      note(`${fails > 0 ? 'failed ' : ''}${changes.map(({ id }) => id).join(',')}`);
      if (fails > 0) {
        fails -= 1;
        throw new Error('not now');
      }
    },
  });
  startReaction(first.ports, run(first));
  // Its place is made before the first change.
  while ((await first.store.find({ collection: 'change_readers' })).records.length === 0);
  await first.store.commit([term('a'), term('b')]);
  await first.until(() => first.seen.length > 1);
  assert.equal(first.seen, ['failed 1,2', '1,2']);
  await first.ports.background.stop();
  await first.store.commit([term('c')]);
  const second = createProcess(first.store);
  startReaction(second.ports, run(second));
  await second.until(() => second.seen.length > 0);
  assert.equal(second.seen, ['3']);
  await second.ports.background.stop();
});

reactions('run in one process at a time', async () => {
  const first = createProcess();
  const second = createProcess(first.store);
  const others: string[] = [];
  for (const { ports } of [first, second])
    startReaction(ports, {
      name: 'test.once',
      to: ['terms'],
      from: 'start',
      run: (changes) => {
        for (const { id } of changes) others.push(String(id));
        first.note('');
      },
    });
  for (let count = 1; count <= 30; count += 1) await first.store.commit([term(`t${count}`)]);
  await first.until(() => others.length >= 30);
  await Promise.all([first, second].map(({ ports }) => ports.background.stop()));
  assert.equal(
    others,
    Array.from({ length: 30 }, (_each, at) => String(at + 1)),
  );
});

reactions.run();
