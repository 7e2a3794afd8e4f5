import type { Json } from '../../lib/schema-dialect.ts';
import { StoreError, type StoredRecord } from '../../lib/store.ts';
import { quoteName, type SqlValue } from '../sql/dialect.ts';
import { createRecordReader } from '../sql/record-columns.ts';
import { toColumnValue, type TableShape } from '../sql/tables.ts';
import { sqliteDialect } from './dialect.ts';
import { RESULT, SqliteFailure } from './driver.ts';
import type { Session } from './session.ts';

type FieldValues = Readonly<Record<string, Json>>;

/** Reads and writes single records of one collection. Used inside a transaction. */
export class TableWriter {
  readonly table: TableShape;
  readonly #session: Session;
  readonly #name: string;
  readonly #fields: readonly string[];
  readonly #read: ReturnType<typeof createRecordReader>;
  readonly #selectVersion: string;

  constructor(session: Session, table: TableShape) {
    this.table = table;
    this.#session = session;
    this.#name = quoteName(table.name);
    this.#fields = Object.keys(table.collection.fields);
    this.#read = createRecordReader(table);
    this.#selectVersion = `SELECT "version" FROM ${this.#name} WHERE "id" = ?`;
  }

  get(id: number): StoredRecord | null {
    const columns = ['id', 'version', ...this.#fields].map(quoteName).join(', ');
    const [row] = this.#session.all(`SELECT ${columns} FROM ${this.#name} WHERE "id" = ?`, [id]);
    return row === undefined ? null : this.#read(row, this.#fields);
  }

  /** Version of a record; 0 when it is not there. */
  version(id: number): number {
    return this.#session.number(this.#selectVersion, [id]);
  }

  /** @returns the new record. @throws StoreError `unique` */
  insert(id: number | undefined, values: FieldValues): StoredRecord {
    const { columns } = this.table;
    const names = [...(id === undefined ? [] : ['id']), 'version', ...columns.map((column) => column.name)];
    const given = [...(id === undefined ? [] : [id]), 1, ...this.#toParams(columns.map((column) => column.name), values)];
    const text = `INSERT INTO ${this.#name} (${names.map(quoteName).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const made = this.#guardKeys({ id: id ?? 0, values, isNew: true }, () => this.#session.run(text, given));
    this.#writeLists(made, values);
    return { id: made, version: 1, ...values };
  }

  /** Writes the changed fields. @returns the record as it is now. @throws StoreError `unique` */
  update(before: StoredRecord, changes: FieldValues): StoredRecord {
    const after: StoredRecord = { ...before, ...changes, version: before.version + 1 };
    const columns = this.table.columns.filter((column) => Object.hasOwn(changes, column.field)).map((column) => column.name);
    const text = `UPDATE ${this.#name} SET ${['version', ...columns].map((name) => `${quoteName(name)} = ?`).join(', ')} WHERE "id" = ?`;
    this.#guardKeys({ id: before.id, values: after, isNew: false }, () => this.#session.run(text, [after.version, ...this.#toParams(columns, after), before.id]));
    this.#writeLists(before.id, changes, true);
    return after;
  }

  remove(id: number): void {
    this.#session.run(`DELETE FROM ${this.#name} WHERE "id" = ?`, [id]);
    for (const list of this.table.lists) this.#session.run(`DELETE FROM ${quoteName(list.name)} WHERE "record" = ?`, [id]);
  }

  #toParams(names: readonly string[], values: FieldValues): readonly SqlValue[] {
    const wanted = new Set(names);
    return this.table.columns.filter((column) => wanted.has(column.name)).map((column) => {
      const value = toColumnValue(column, values[column.field] ?? null);
      return typeof value === 'boolean' ? Number(value) : value;
    });
  }

  #writeLists(id: number, values: FieldValues, replace = false): void {
    for (const { name, field } of this.table.lists) {
      if (!Object.hasOwn(values, field)) continue;
      if (replace) this.#session.run(`DELETE FROM ${quoteName(name)} WHERE "record" = ?`, [id]);
      for (const value of new Set(values[field] as readonly (string | number)[])) this.#session.run(`INSERT INTO ${quoteName(name)} ("value", "record") VALUES (?, ?)`, [value, id]);
    }
  }

  #guardKeys<T>(written: { readonly id: number; readonly values: FieldValues; readonly isNew: boolean }, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof SqliteFailure) || error.code !== RESULT.constraint) throw error;
      const taken = this.#findTaken(written);
      throw new StoreError('unique', `Another record of ${this.table.name} has the same ${taken.join(', ')}.`, { fields: taken, cause: error });
    }
  }

  /** Which key is taken: asked after the failure, in the order of the descriptor, because the engine names any of several. */
  #findTaken({ id, values, isNew }: { readonly id: number; readonly values: FieldValues; readonly isNew: boolean }): readonly string[] {
    if (isNew && id > 0 && this.#session.number(`SELECT count(*) FROM ${this.#name} WHERE "id" = ?`, [id]) > 0) return ['id'];
    const keys = (this.table.collection.unique ?? []).filter(({ except }) => except === undefined || !Object.entries(except).every(([field, value]) => values[field] === value));
    const found = keys.find(({ fields }) => {
      const text = `SELECT count(*) FROM ${this.#name} WHERE ${fields.map((field) => `${quoteName(field)} = ?`).join(' AND ')} AND "id" <> ?`;
      return this.#session.number(text, [...fields.map((field) => sqliteDialect.toParam(values[field] as string | number | boolean)), id]) > 0;
    });
    return found?.fields ?? [];
  }
}
