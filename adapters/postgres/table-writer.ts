import type { Json } from '../../lib/schema/schema-dialect.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import { quoteName, type SqlValue } from '../sql/dialect.ts';
import { createRecordReader } from '../sql/record-columns.ts';
import { toColumnValue, type TableShape } from '../sql/tables.ts';
import { PostgresFailure, type Connection } from './connections.ts';
import { columnType, idKeyName } from './dialect.ts';
import { TAKEN } from './failures.ts';

type FieldValues = Readonly<Record<string, Json>>;

/** The id and the values of a record to insert. */
export interface NewRecord {
  readonly id: number;
  readonly values: FieldValues;
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

  /** Inserts new records with one statement. @throws StoreError `unique` */
  async insert(connection: Connection, records: readonly NewRecord[]): Promise<void> {
    const columns = this.table.columns.map((column) => column.name);
    const names = ['id', 'version', ...columns];
    const rows = records.map((_, row) => `(${names.map((_, column) => `$${row * names.length + column + 1}`).join(', ')})`);
    const text = `INSERT INTO ${this.#name} (${names.map(quoteName).join(', ')}) VALUES ${rows.join(', ')}`;
    const params = records.flatMap(({ id, values }) => [id, 1, ...this.#toParams(columns, values)]);
    await this.#guardKeys(() => connection.query(text, params, ...(records.length === 1 ? [`insert ${this.table.name}`] : [])));
    await this.#writeLists(connection, records);
  }

  /** Writes the changed fields. @returns the record as it is now. @throws StoreError `unique` */
  async update(connection: Connection, before: StoredRecord, changes: FieldValues): Promise<StoredRecord> {
    const after: StoredRecord = { ...before, ...changes, version: before.version + 1 };
    const columns = this.table.columns.filter((column) => Object.hasOwn(changes, column.field)).map((column) => column.name);
    const set = ['version', ...columns].map((name, index) => `${quoteName(name)} = $${index + 2}`).join(', ');
    await this.#guardKeys(() => connection.query(`UPDATE ${this.#name} SET ${set} WHERE "id" = $1`, [before.id, after.version, ...this.#toParams(columns, after)]));
    await this.#removeLists(connection, [before.id], (field) => Object.hasOwn(changes, field));
    await this.#writeLists(connection, [{ id: before.id, values: changes }]);
    return after;
  }

  async remove(connection: Connection, ids: readonly number[]): Promise<void> {
    await connection.query(`DELETE FROM ${this.#name} WHERE "id" = ANY($1::bigint[])`, [ids]);
    await this.#removeLists(connection, ids, () => true);
  }

  #toParams(names: readonly string[], values: FieldValues): readonly SqlValue[] {
    const wanted = new Set(names);
    return this.table.columns.filter((column) => wanted.has(column.name)).map((column) => toColumnValue(column, values[column.field] ?? null));
  }

  async #writeLists(connection: Connection, records: readonly NewRecord[]): Promise<void> {
    for (const { name, field, type } of this.table.lists) {
      const rows = records.flatMap(({ id, values }) => [...new Set((values[field] ?? []) as readonly (string | number)[])].map((value) => ({ id, value })));
      if (rows.length === 0) continue;
      await connection.query(`INSERT INTO ${quoteName(name)} ("value", "record") SELECT * FROM unnest($1::${columnType(type)}[], $2::bigint[])`, [rows.map((row) => row.value), rows.map((row) => row.id)]);
    }
  }

  async #removeLists(connection: Connection, ids: readonly number[], isMeant: (field: string) => boolean): Promise<void> {
    for (const { name, field } of this.table.lists) {
      if (isMeant(field)) await connection.query(`DELETE FROM ${quoteName(name)} WHERE "record" = ANY($1::bigint[])`, [ids]);
    }
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
