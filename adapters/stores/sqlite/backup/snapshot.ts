import { collectionOf, type Collections } from '../../../../lib/store/check-collections.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import type { Snapshot } from '../../../../lib/store/store.ts';
import { createRecordReader, compilePage } from '../../sql/record-columns.ts';
import { toTable } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import type { SqliteDriver } from '../driver.ts';
import { guard } from '../errors.ts';
import { openReadSession } from '../session.ts';

/** How long the first read waits for a lock. Milliseconds. */
const BUSY_MS = 5000;

/** Takes a snapshot of a file: a read transaction on a connection of its own, which does not keep writers from writing. */
export function takeSnapshot(driver: SqliteDriver, path: string, collections: Collections): Snapshot {
  return guard(() => {
    const session = openReadSession(driver, path, BUSY_MS);
    const readers = new Map<
      CollectionDescriptor,
      (after: number, limit: number) => ReturnType<ReturnType<typeof createRecordReader>>[]
    >();
    const readerOf = (collection: CollectionDescriptor) => {
      const table = toTable(collection);
      const [read, text, fields] = [
        createRecordReader(table),
        compilePage(sqliteDialect, table),
        Object.keys(collection.fields),
      ];
      return (after: number, limit: number) =>
        session.all(text, [after, limit]).map((row) => read(row, fields));
    };
    for (const collection of collections.values()) readers.set(collection, readerOf(collection));
    session.connection.exec('BEGIN');
    // The transaction sees the state of its first read.
    session.get('SELECT count(*) FROM sqlite_schema');
    return {
      read: (name, after, limit) =>
        guard(() => readers.get(collectionOf(collections, name))?.(after, limit) ?? []),
      close: async () => session.close(),
    };
  });
}
