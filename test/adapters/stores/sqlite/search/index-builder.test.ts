import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../../adapters/sqlite-store.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/choose-driver.ts';
import { RESULT } from '../../../../../adapters/stores/sqlite/driver.ts';
import { FILE_NAME } from '../../../../../adapters/stores/sqlite/schema/open-file.ts';
import { prepareTextIndexes, toPending } from '../../../../../adapters/stores/sqlite/schema/text-index.ts';
import { IndexBuilder } from '../../../../../adapters/stores/sqlite/search/index-builder.ts';
import { Session } from '../../../../../adapters/stores/sqlite/session.ts';
import type { Transaction } from '../../../../../adapters/stores/sqlite/write/transaction.ts';
import type { Operation } from '../../../../../lib/store/store.ts';
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
builder('completes an index although records change faster than they are added', () =>
  inFolder(async (directory) => {
    const { search: _search, ...plain } = collections[0];
    const old = await createSqliteStore({ directory, collections: [plain], durability: 'relaxed' });
    await old.commit(
      Array.from({ length: 3000 }, (_each, at): Operation => ({
        op: 'create',
        collection: 'notes',
        values: { text: `lamp ${at}` },
      })),
    );
    await old.close();
    const session = new Session((await chooseDriver()).open(join(directory, FILE_NAME), 0));
    const [index] = prepareTextIndexes(session, [toTable(collections[0])], () => undefined).values();
    if (index === undefined) {
      assert.ok((await chooseDriver()).engine.startsWith('3.4'), 'only an old SQLite has no such index');
      return;
    }
    const transaction = {
      afterwards: (run: () => void) => run(),
      aside: (run: () => void) => {
        session.run(`INSERT OR IGNORE INTO ${toPending(index.name)} SELECT "id" FROM "notes"`);
        session.connection.exec('BEGIN IMMEDIATE');
        run();
        session.connection.exec('COMMIT');
      },
    } as Pick<Transaction, 'afterwards' | 'aside'> as Transaction;
    const each = new IndexBuilder({ session, transaction, log: () => undefined });
    each.start([index]);
    for (let waited = 0; !each.isComplete(index); waited += 1) {
      assert.ok(waited < 200, 'the index is not completed');
      await pause(100);
    }
    each.stop();
    session.close();
  }),
);
builder.run();
