import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { contractCollections as collections } from '../../../../adapters/stores/contract/collections.ts';
import { chooseDriver } from '../../../../adapters/stores/sqlite/drivers.ts';
import { isSafeForMany } from '../../../../adapters/stores/sqlite/schema/ownership.ts';
import { checkManyWriters, PROCESSES, runWriter, toCommits } from '../../../support/many-writers.ts';
import { inFolder } from '../../../support/temporary.ts';

const COMMITS = toCommits(100);

const { engine } = await chooseDriver();

const write = (directory: string, number: number) => runWriter(directory, number, COMMITS);

const processes = suite('sqlite: several processes');
if (isSafeForMany(engine)) {
  processes(
    `${PROCESSES} of them write at once: nothing is lost, ids and slugs are unique, every write is acknowledged`,
    () =>
      inFolder(async (directory) => {
        const store = await createSqliteStore({ directory, collections });
        await checkManyWriters(store, COMMITS, (number) => write(directory, number));
        await store.close();
      }),
  );
} else {
  processes(`a second one is refused, because SQLite ${engine} could lose its commits`, () =>
    inFolder(async (directory) => {
      const store = await createSqliteStore({ directory, collections });
      const refused = await write(directory, 1).then(
        () => '',
        (error: { readonly stderr?: string }) => String(error.stderr),
      );
      assert.match(refused, new RegExp(`in use by another process \\(${process.pid}\\)`));
      await store.commit([{ op: 'create', collection: 'articles', values: {} }]);
      await store.close();
    }),
  );
}
processes.run();
