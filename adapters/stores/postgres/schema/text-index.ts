import { quoteName } from '../../sql/dialect.ts';
import { toDigest } from '../../sql/names.ts';
import type { StoreLog } from '../../sql/store-log.ts';
import type { TableShape } from '../../sql/tables.ts';
import type { Connection } from '../connections.ts';
import { PostgresFailure } from '../errors.ts';

// Indexes of other kinds have the name of their table first. A program without text indexes would drop those that it does not know.
const PREFIX = 'text-index:';

/** Every search reads the entries that wait to be sorted into the index. With the server's default of 4 MB that takes longer than the search itself. */
const PENDING_KB = 256;

interface TextIndex {
  readonly name: string;
  readonly collection: string;
  readonly table: string;
  readonly columns: readonly string[];
}

function toTextIndex({ name, texts }: TableShape): TextIndex | null {
  if (texts === null) return null;
  const columns = texts.columns.map((column) => column.name);
  return {
    name: `${PREFIX}${name}`.slice(0, 50) + `:${toDigest([texts.name, columns])}`,
    collection: name,
    table: texts.name,
    columns,
  };
}

/** The schema of the extension pg_trgm, which is created if it is missing; null if it cannot be. */
async function findExtension(connection: Connection, log: StoreLog): Promise<string | null> {
  const find = async (): Promise<string | null> => {
    const [row] = await connection.query(
      "SELECT n.nspname AS name FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'",
      [],
    );
    return row === undefined ? null : String(row['name']);
  };
  const found = await find();
  if (found !== null) return found;
  try {
    // Not in the schema of the store, because other schemas of the database use it too.
    await connection.script('SAVEPOINT extension; CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');
  } catch (error) {
    if (!(error instanceof PostgresFailure) || error.isLost) throw error;
    await connection.script('ROLLBACK TO extension');
    // Another process may have created it at the same time.
    const made = await find();
    if (made === null)
      log(
        'The extension pg_trgm is missing and cannot be created, so searches read every record. Let an administrator run: CREATE EXTENSION pg_trgm',
        error,
      );
    return made;
  }
  return find();
}

/** The schema of the tables, and where notes go. */
interface Surroundings {
  readonly schema: string;
  readonly log: StoreLog;
}

interface Found {
  readonly name: string;
  readonly isValid: boolean;
  readonly isGrowing: boolean;
}

async function listFound(connection: Connection): Promise<readonly Found[]> {
  const rows = await connection.query(
    `SELECT c.relname AS name, i.indisvalid AS valid, EXISTS (SELECT 1 FROM pg_stat_progress_create_index AS p WHERE p.index_relid = c.oid) AS growing
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND starts_with(c.relname, $1)`,
    [PREFIX],
  );
  return rows.map((row) => ({
    name: String(row['name']),
    isValid: row['valid'] === true,
    isGrowing: row['growing'] === true,
  }));
}

async function hasRecords(connection: Connection, { table }: TextIndex): Promise<boolean> {
  const [row] = await connection.query(`SELECT EXISTS (SELECT 1 FROM ${quoteName(table)}) AS found`, []);
  return row?.['found'] === true;
}

/** The schemas of the tables and of the extension. */
interface Schemas {
  readonly own: string;
  readonly extension: string;
}

function describe(
  { name, table, columns }: TextIndex,
  { own, extension }: Schemas,
  how: '' | 'CONCURRENTLY ',
): string {
  return `CREATE INDEX ${how}IF NOT EXISTS ${quoteName(name)} ON ${quoteName(own)}.${quoteName(table)} USING gin (${columns.map((column) => `${quoteName(column)} ${quoteName(extension)}.gin_trgm_ops`).join(', ')}) WITH (gin_pending_list_limit = ${PENDING_KB})`;
}

/** The indexes that are not wanted or not valid, and those that are missing. */
async function compare(
  connection: Connection,
  tables: readonly TableShape[],
): Promise<{ readonly dropped: readonly string[]; readonly missing: readonly TextIndex[] }> {
  const found = await listFound(connection);
  const wanted = tables.map(toTextIndex).filter((index) => index !== null);
  // An index that is not valid was left by a process that ended while it was building.
  const dropped = found
    .filter(
      ({ name, isValid, isGrowing }) =>
        !isGrowing && (!isValid || !wanted.some((index) => index.name === name)),
    )
    .map(({ name }) => name);
  return {
    dropped,
    missing: wanted.filter(({ name }) => dropped.includes(name) || !found.some((each) => each.name === name)),
  };
}

/** Creates the indexes of empty tables. @returns those of other tables, and the schema of the extension; null when nothing can be created */
async function change(
  connection: Connection,
  tables: readonly TableShape[],
  { schema, log }: Surroundings,
): Promise<{ readonly large: readonly TextIndex[]; readonly schemas: Schemas } | null> {
  const { dropped, missing } = await compare(connection, tables);
  for (const name of dropped) await connection.script(`DROP INDEX IF EXISTS ${quoteName(name)}`);
  const extension = missing.length === 0 ? null : await findExtension(connection, log);
  if (extension === null) return null;
  const schemas = { own: schema, extension };
  const large: TextIndex[] = [];
  for (const index of missing) {
    if (await hasRecords(connection, index)) large.push(index);
    else await connection.script(describe(index, schemas, ''));
  }
  return { large, schemas };
}

/**
 * Gives the collections their text indexes. Those of empty tables are created at once.
 * @returns work that builds the others while the tables are in use, which may take minutes; null when there is none.
 */
export async function prepareTextIndexes(
  connection: Connection,
  tables: readonly TableShape[],
  { schema, log }: Surroundings,
): Promise<((connection: Connection) => Promise<void>) | null> {
  const { dropped, missing } = await compare(connection, tables);
  if (dropped.length + missing.length === 0) return null;
  // Processes that start at the same time do this one after the other.
  await connection.script(
    "BEGIN; SELECT pg_advisory_xact_lock(hashtext('routebook text-index ' || current_schema()))",
  );
  const left = await change(connection, tables, { schema, log });
  await connection.script('COMMIT');
  if (left === null || left.large.length === 0) return null;
  const { large, schemas } = left;
  return async (own) => {
    log(
      `The index for searches in ${large.map(({ collection }) => collection).join(', ')} is being built. Until then searches read every record.`,
    );
    for (const index of large) await own.script(describe(index, schemas, 'CONCURRENTLY '));
    log('The index for searches is complete.');
  };
}

/** Ends the building of text indexes on the server. */
export async function cancelIndexes(connection: Connection, schema: string): Promise<void> {
  await connection.query(
    `SELECT pg_cancel_backend(p.pid) FROM pg_stat_progress_create_index AS p JOIN pg_class AS c ON c.oid = p.index_relid
    JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND starts_with(c.relname, $2)`,
    [schema, PREFIX],
  );
}
