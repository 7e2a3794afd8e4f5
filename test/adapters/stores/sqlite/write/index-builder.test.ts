import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../../adapters/sqlite-store.ts';
import { RESULT } from '../../../../../adapters/stores/sqlite/driver.ts';
import { createFaultyDriver, fault } from '../../../../support/faulty-driver.ts';
import { inFolder } from '../../../../support/temporary.ts';

const collections = [
  { name: 'notes', fields: { text: { type: 'text', folded: true } }, search: ['text'] },
] as const;
const BEGIN = 'BEGIN IMMEDIATE';

const builder = suite('IndexBuilder');
builder('tries about once a second while another process writes, because each attempt blocks this one', () =>
  inFolder(async (directory) => {
    const driver = await createFaultyDriver();
    const store = await createSqliteStore({ directory, collections, driver });
    await store.prepared?.();
    await store.commit([{ op: 'create', collection: 'notes', values: { text: 'lamp' } }]);
    driver.before = (sql) => {
      if (sql === BEGIN) throw fault(RESULT.busy);
    };
    driver.log.length = 0;
    const countAttempts = (): number => driver.log.filter((sql) => sql === BEGIN).length;
    while (countAttempts() === 0) await pause(20);
    const began = performance.now();
    await pause(1500);
    const most = 2 + Math.floor((performance.now() - began) / 1000);
    assert.ok(countAttempts() <= most, `${countAttempts()} attempts`);
    driver.before = () => undefined;
    await store.close();
  }),
);
builder.run();
