import type { Json } from '../../lib/schema-dialect.ts';
import { StoreError, type StoredRecord } from '../../lib/store.ts';
import { quoteName, type SqlValue } from '../sql/dialect.ts';
import { createRecordReader } from '../sql/record-columns.ts';
import { toColumnValue, type TableShape } from '../sql/tables.ts';
import { PostgresFailure, type Connection } from './connections.ts';
import { columnType, idKeyName } from './dialect.ts';
import { TAKEN } from './failures.ts';

type FieldValues = Readonly<Record<string, Json>>;

const toPlaceholders = (names: readonly unknown[]): string => names.map((_, index) => `$${index + 1}`).join(', ');

/** Reads and writes single records of one collection. Writes inside a transaction. */
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
    return row === undefined ? null : this.#read(row, this.#fields);
  }

  /** @returns the new record. @throws StoreError `unique` */
  async insert(connection: Connection, id: number, values: FieldValues): Promise<StoredRecord> {
    const { columns } = this.table;
    const names = ['id', 'version', ...columns.map((column) => column.name)];
    const text = `INSERT INTO ${this.#name} (${names.map(quoteName).join(', ')}) VALUES (${toPlaceholders(names)})`;
    await this.#guardKeys(() => connection.query(text, [id, 1, ...this.#toParams(columns.map((column) => column.name), values)], `insert ${this.table.name}`));
    await this.#writeLists(connection, { id, values, isNew: true });
    return { id, version: 1, ...values };
  }

  /** Writes the changed fields. @returns the record as it is now. @throws StoreError `unique` */
  async update(connection: Connection, before: StoredRecord, changes: FieldValues): Promise<StoredRecord> {
    const after: StoredRecord = { ...before, ...changes, version: before.version + 1 };
    const columns = this.table.columns.filter((column) => Object.hasOwn(changes, column.field)).map((column) => column.name);
    const set = ['version', ...columns].map((name, index) => `${quoteName(name)} = $${index + 2}`).join(', ');
    await this.#guardKeys(() => connection.query(`UPDATE ${this.#name} SET ${set} WHERE "id" = $1`, [before.id, after.version, ...this.#toParams(columns, after)]));
    await this.#writeLists(connection, { id: before.id, values: changes, isNew: false });
    return after;
  }

  async remove(connection: Connection, ids: readonly number[]): Promise<void> {
    await connection.query(`DELETE FROM ${this.#name} WHERE "id" = ANY($1::bigint[])`, [ids]);
    for (const list of this.table.lists) await connection.query(`DELETE FROM ${quoteName(list.name)} WHERE "record" = ANY($1::bigint[])`, [ids]);
  }

  #toParams(names: readonly string[], values: FieldValues): readonly SqlValue[] {
    const wanted = new Set(names);
    return this.table.columns.filter((column) => wanted.has(column.name)).map((column) => toColumnValue(column, values[column.field] ?? null));
  }

  async #writeLists(connection: Connection, { id, values, isNew }: { readonly id: number; readonly values: FieldValues; readonly isNew: boolean }): Promise<void> {
    for (const { name, field, type } of this.table.lists) {
      if (!Object.hasOwn(values, field)) continue;
      const list = [...new Set(values[field] as readonly (string | number)[])];
      if (!isNew) await connection.query(`DELETE FROM ${quoteName(name)} WHERE "record" = $1`, [id]);
      if (list.length > 0) await connection.query(`INSERT INTO ${quoteName(name)} ("value", "record") SELECT each, $2 FROM unnest($1::${columnType(type)}[]) AS each`, [list, id]);
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
