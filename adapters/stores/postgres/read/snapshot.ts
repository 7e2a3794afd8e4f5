import { collectionOf, type Collections } from '../../../../lib/store/check-collections.ts';
import type { Snapshot, StoredRecord } from '../../../../lib/store/store.ts';
import { createRecordReader, compilePage } from '../../sql/record-columns.ts';
import { toTable } from '../../sql/tables.ts';
import type { Connection, Connections } from '../connections.ts';
import { postgresDialect } from '../dialect.ts';
import { guard } from '../errors.ts';

/** A connection that is lent until `end` is called. */
async function borrow(
  connections: Connections,
): Promise<{ readonly connection: Connection; readonly end: () => Promise<void> }> {
  let giveBack = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    giveBack = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  const connection = await new Promise<Connection>((resolve, reject) => {
    done = connections.use(async (lent) => {
      resolve(lent);
      await ended;
      await lent.script('ROLLBACK');
    });
    done.catch(reject);
  });
  return {
    connection,
    end: async () => {
      giveBack();
      await done;
    },
  };
}

/** Takes a snapshot: a transaction of its own that sees one state of the database. `open`: connections for it alone. */
export async function takeSnapshot(
  open: () => Promise<Connections>,
  collections: Collections,
): Promise<Snapshot> {
  const connections = await open();
  return guard(async () => {
    try {
      const { connection, end } = await borrow(connections);
      // The transaction sees the state of its first query. A pool of transactions has begun it already.
      await connection.script('BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT 1');
      return {
        read: (name, after, limit): Promise<readonly StoredRecord[]> =>
          guard(async () => {
            const table = toTable(collectionOf(collections, name), postgresDialect);
            const rows = await connection.query(
              compilePage(postgresDialect, table),
              [after, limit],
              `page ${name}`,
            );
            const [read, fields] = [createRecordReader(table), Object.keys(table.collection.fields)];
            return rows.map((row) => read(Object.values(row), fields));
          }),
        close: async () => {
          await end();
          await connections.close();
        },
      };
    } catch (error) {
      await connections.close();
      throw error;
    }
  });
}
