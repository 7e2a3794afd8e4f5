import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { trimLog, type LogLimits } from '../../../../registry/core/changes/trim-log.ts';
import { createTestPorts } from '../../../support/ports.ts';

const trim = suite('trimming the log');

trim('keeps what is younger than 30 days', async () => {
  const ports = createTestPorts();
  const create = { op: 'create', collection: 'options', values: { group: 'a' } } as const;
  for (let n = 0; n < 3; n += 1)
    await ports.store.commit([{ ...create, values: { ...create.values, key: `k${n}` } }]);
  const [first] = (await ports.store.changes({ after: { options: 0 }, limit: 1 })).changes;
  const { signal } = new AbortController();
  const startOf = async (): Promise<unknown> => (await ports.changes.starts())['options'];
  await trimLog({ ...ports, now: () => (first?.at ?? 0) + 29 * 86_400_000 }, signal);
  assert.is(await startOf(), 0);
  await trimLog({ ...ports, now: () => (first?.at ?? 0) + 31 * 86_400_000 }, signal);
  assert.is(await startOf(), 3);
});

trim('keeps as many days and bytes as the site wants', async () => {
  const { signal } = new AbortController();
  const left = async (limits: LogLimits, after: number): Promise<unknown> => {
    const ports = createTestPorts();
    for (let n = 0; n < 3; n += 1)
      await ports.store.commit([
        { op: 'create', collection: 'options', values: { group: 'a', key: `k${n}` } },
      ]);
    const [first] = (await ports.store.changes({ after: { options: 0 }, limit: 1 })).changes;
    await trimLog({ ...ports, now: () => (first?.at ?? 0) + after * 86_400_000 }, signal, limits);
    return 3 - Number((await ports.changes.starts())['options']);
  };
  assert.equal(
    [await left({ days: 2 }, 3), await left({ days: 90 }, 60), await left({ bytes: 1 }, 0)],
    [0, 3, 0],
  );
});

trim.run();
