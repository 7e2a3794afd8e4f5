import type { Json } from '../../lib/schema/schema-dialect.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import { Params } from '../sql/compile-where.ts';
import { quoteName, type SqlValue } from '../sql/dialect.ts';
import { createRecordReader } from '../sql/record-columns.ts';
import { toColumnValue, type ListTable, type TableShape } from '../sql/tables.ts';
import type { Connection } from './connections.ts';
import { PostgresFailure } from './postgres-failure.ts';
import { columnType, idKeyName, postgresDialect } from './dialect.ts';
import { TAKEN } from './failures.ts';

type FieldValues = Readonly<Record<string, Json>>;

/** The id and the values of a record to insert. */
export interface NewRecord {
  readonly id: number;
  readonly values: FieldValues;
}

/** Puts statements before another one, so that all of them take one round trip. They do not see each other's changes. */
function toWith(statements: readonly string[]): string {
  return statements.length === 0 ? '' : `WITH ${statements.map((text, at) => `"part${at}" AS (${text})`).join(', ')} `;
}

function insertList({ name, field, type }: ListTable, records: readonly NewRecord[], params: Params): string {
  const rows = records.flatMap(({ id, values }) => [...new Set((values[field] ?? []) as readonly (string | number)[])].map((value) => ({ id, value })));
  return `INSERT INTO ${quoteName(name)} ("value", "record") SELECT * FROM unnest(${params.add(rows.map((row) => row.value))}::${columnType(type)}[], ${params.add(rows.map((row) => row.id))}::bigint[])`;
}

/** Reads and writes single records of one collection. Writes must run inside a transaction. */
export class TableWriter {
  readonly table: TableShape;
  readonly #name: string;
  readonly #fields: readonly string[];
  readonly #read: ReturnType<typeof createRecordReader>;

  constructor(table: TableShape) {
    this.table = table;
    this.#name = quoteName(table.name);
    this.#fields = Object.keys(table.collection.fields);
    this.#read = createRecordReader(table);
  }

  async get(connection: Connection, id: number): Promise<StoredRecord | null> {
    const columns = ['id', 'version', ...this.#fields].map(quoteName).join(', ');
    const [row] = await connection.query(`SELECT ${columns} FROM ${this.#name} WHERE "id" = $1`, [id], `get ${this.table.name}`);
    return row === undefined ? null : this.#read(Object.values(row), this.#fields);
  }

  /** Inserts new records and their lists with one statement. @throws StoreError `unique` */
  async insert(connection: Connection, records: readonly NewRecord[]): Promise<void> {
    const columns = this.table.columns.map((column) => column.name);
    const params = new Params(postgresDialect);
    const rows = records.map(({ id, values }) => `(${[id, 1, ...this.#toParams(columns, values)].map((value) => params.add(value)).join(', ')})`);
    const lists = this.table.lists.map((list) => insertList(list, records, params));
    const text = `${toWith(lists)}INSERT INTO ${this.#name} (${['id', 'version', ...columns].map(quoteName).join(', ')}) VALUES ${rows.join(', ')}`;
    await this.#guardKeys(() => connection.query(text, params.values, ...(records.length === 1 ? [`insert ${this.table.name}`] : [])));
  }

  /** Writes the changed fields. @returns the record as it is now. @throws StoreError `unique` */
  async update(connection: Connection, before: StoredRecord, changes: FieldValues): Promise<StoredRecord> {
    const after: StoredRecord = { ...before, ...changes, version: before.version + 1 };
    const isChanged = ({ field }: { readonly field: string }): boolean => Object.hasOwn(changes, field);
    const columns = this.table.columns.filter(isChanged).map((column) => column.name);
    const params = new Params(postgresDialect);
    const id = params.add(before.id);
    const names = ['version', ...columns].map(quoteName);
    const set = [after.version, ...this.#toParams(columns, after)].map((value, at) => `${names[at] ?? ''} = ${params.add(value)}`).join(', ');
    const lists = this.table.lists.filter(isChanged).flatMap((list) => [
      `DELETE FROM ${quoteName(list.name)} WHERE "record" = ${id}`, insertList(list, [{ id: before.id, values: changes }], params),
    ]);
    await this.#guardKeys(() => connection.query(`${toWith(lists)}UPDATE ${this.#name} SET ${set} WHERE "id" = ${id}`, params.values));
    return after;
  }

  async remove(connection: Connection, ids: readonly number[]): Promise<void> {
    const lists = this.table.lists.map(({ name }) => `DELETE FROM ${quoteName(name)} WHERE "record" = ANY($1::bigint[])`);
    await connection.query(`${toWith(lists)}DELETE FROM ${this.#name} WHERE "id" = ANY($1::bigint[])`, [ids]);
  }

  #toParams(names: readonly string[], values: FieldValues): readonly SqlValue[] {
    const wanted = new Set(names);
    return this.table.columns.filter((column) => wanted.has(column.name)).map((column) => toColumnValue(column, values[column.field] ?? null));
  }

  async #guardKeys(run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof PostgresFailure) || error.state !== TAKEN) throw error;
      const fields = error.constraint === idKeyName(this.table.name) ? ['id'] : this.table.indexes.find((index) => index.name === error.constraint)?.fields ?? [];
      throw new StoreError('unique', `Another record of ${this.table.name} has the same ${fields.join(', ')}.`, { fields, cause: error });
    }
  }
}
