import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { type StoredRecord, StoreError } from '../../../../lib/store/store.ts';
import { quoteName, type SqlValue } from '../../sql/dialect.ts';
import { createRecordReader, type SqlValues } from '../../sql/record-columns.ts';
import { type Column, type TableShape, toColumnValue } from '../../sql/tables.ts';
import { describeHeld, sqliteDialect } from '../dialect.ts';
import { RESULT, SqliteFailure } from '../driver.ts';
import type { Session } from '../session.ts';

type FieldValues = Readonly<Record<string, Json>>;

function isSame(value: Json | undefined, other: Json | undefined): boolean {
  return value === other || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(other));
}

function toParams(columns: readonly Column[], values: FieldValues): readonly SqlValue[] {
  return columns.map((column) => {
    const value = toColumnValue(column, values[column.field] ?? null);
    return typeof value === 'boolean' ? Number(value) : value;
  });
}

function toInsert(name: string, names: readonly string[]): string {
  return `INSERT INTO ${name} (${names.map(quoteName).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}

/** Reads and writes single records of one collection. Must be used inside a transaction. */
export class TableWriter {
  readonly table: TableShape;
  readonly #session: Session;
  readonly #name: string;
  readonly #fields: readonly string[];
  readonly #read: ReturnType<typeof createRecordReader>;
  readonly #select: string;
  readonly #selectVersion: string;
  readonly #insert: string;
  readonly #insertWithId: string;
  /** The highest id and version that this writer gave. Some may have been rolled back. */
  readonly #given = { id: 0, version: 0 };
  /** Ids and versions up to these are not given again. */
  #skipped = { id: 0, version: 0 };
  /** The complete record that was read last, because a record is usually read in order to change it. */
  #kept: SqlValues | null = null;

  constructor(session: Session, table: TableShape) {
    this.table = table;
    this.#session = session;
    this.#name = quoteName(table.name);
    this.#fields = Object.keys(table.collection.fields);
    this.#read = createRecordReader(table);
    this.#select = `SELECT ${['id', 'version', ...this.#fields].map(quoteName).join(', ')} FROM ${this.#name} WHERE "id" = ?`;
    this.#selectVersion = `SELECT "version" FROM ${this.#name} WHERE "id" = ?`;
    const names = ['version', ...table.columns.map((column) => column.name)];
    this.#insert = toInsert(this.#name, names);
    this.#insertWithId = toInsert(this.#name, [...names, 'id']);
  }

  get(id: number): StoredRecord | null {
    const row = this.#session.get(this.#select, [id]);
    if (row === undefined) return null;
    this.keep(row);
    return this.#read(row, this.#fields);
  }

  /** Caches a complete record that was read: `id`, `version` and all fields. `forget` must be called after a rollback. */
  keep(row: SqlValues): void {
    this.#kept = row;
  }

  /** Like `get`, for a change inside a transaction. A record that was just read is not read again. */
  take(id: number): StoredRecord | null {
    const row = this.#kept?.[0] === id ? this.#kept : this.#session.get(this.#select, [id]);
    this.#kept = null;
    return row === undefined ? null : this.#read(row, this.#fields);
  }

  /** Must be called when records were changed other than through this writer. */
  forget(): void {
    this.#kept = null;
  }

  /** Never gives again what was given until now. Must be called when records were rolled back that others have seen and may refer to. */
  skipGiven(): void {
    this.#skipped = { ...this.#given };
  }

  /** The version of a record; 0 when it does not exist. */
  version(id: number): number {
    return this.#session.number(this.#selectVersion, [id]);
  }

  /** @returns the new record. @throws StoreError `unique` */
  insert(id: number | undefined, values: FieldValues): StoredRecord {
    const params = [1, ...toParams(this.table.columns, values)];
    const wanted = id ?? this.#idPastSkipped();
    const [text, given] =
      wanted === undefined ? [this.#insert, params] : [this.#insertWithId, [...params, wanted]];
    const made = this.#guardKeys({ id: wanted ?? 0, values, isNew: true }, () =>
      this.#session.run(text, given),
    );
    this.#given.id = Math.max(this.#given.id, made);
    for (const { name, field } of this.table.lists) this.#writeList(name, made, values[field]);
    return { id: made, version: 1, ...values };
  }

  /**
   * Sets only the changed columns, because SQLite rewrites every index entry of a column that is set, even to the same value.
   * @returns the record as it is now. @throws StoreError `unique`
   */
  update(before: StoredRecord, changes: FieldValues): StoredRecord {
    const after: StoredRecord = {
      ...before,
      ...changes,
      version: Math.max(before.version, this.#skipped.version) + 1,
    };
    this.#given.version = Math.max(this.#given.version, after.version);
    const changed = new Set(Object.keys(changes).filter((field) => !isSame(before[field], changes[field])));
    const columns = this.table.columns.filter((column) => changed.has(column.field));
    const text = `UPDATE ${this.#name} SET "version" = ?${columns.map(({ name }) => `, ${quoteName(name)} = ?`).join('')} WHERE "id" = ?`;
    this.#guardKeys({ id: before.id, values: after, isNew: false }, () =>
      this.#session.run(text, [after.version, ...toParams(columns, after), before.id]),
    );
    for (const { name, field } of this.table.lists) {
      if (!changed.has(field)) continue;
      this.#session.run(`DELETE FROM ${quoteName(name)} WHERE "record" = ?`, [before.id]);
      this.#writeList(name, before.id, after[field]);
    }
    return after;
  }

  remove(id: number): void {
    this.#session.run(`DELETE FROM ${this.#name} WHERE "id" = ?`, [id]);
    for (const list of this.table.lists)
      this.#session.run(`DELETE FROM ${quoteName(list.name)} WHERE "record" = ?`, [id]);
  }

  /** The next id, if the engine would give one that is to be skipped. */
  #idPastSkipped(): number | undefined {
    if (this.#skipped.id === 0) return undefined;
    const last = this.#session.number('SELECT "seq" FROM sqlite_sequence WHERE "name" = ?', [
      this.table.name,
    ]);
    return last < this.#skipped.id ? this.#skipped.id + 1 : undefined;
  }

  #writeList(name: string, id: number, values: Json | undefined): void {
    for (const value of new Set(values as readonly (string | number)[]))
      this.#session.run(`INSERT INTO ${quoteName(name)} ("value", "record") VALUES (?, ?)`, [value, id]);
  }

  #guardKeys<T>(
    written: { readonly id: number; readonly values: FieldValues; readonly isNew: boolean },
    run: () => T,
  ): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof SqliteFailure) || error.code !== RESULT.constraint) throw error;
      const taken = this.#findTaken(written);
      throw new StoreError(
        'unique',
        `Another record of ${this.table.name} has the same ${taken.join(', ')}.`,
        { fields: taken, cause: error },
      );
    }
  }

  /** Finds the key that is taken. Checked after the failure, in the order of the descriptor, because the engine may name any of several. */
  #findTaken({
    id,
    values,
    isNew,
  }: {
    readonly id: number;
    readonly values: FieldValues;
    readonly isNew: boolean;
  }): readonly string[] {
    if (
      isNew &&
      id > 0 &&
      this.#session.number(`SELECT count(*) FROM ${this.#name} WHERE "id" = ?`, [id]) > 0
    )
      return ['id'];
    const keys = (this.table.collection.unique ?? []).filter(
      ({ except }) =>
        except === undefined || !Object.entries(except).every(([field, value]) => values[field] === value),
    );
    const found = keys.find(({ fields, except }) => {
      const held = except === undefined ? '' : ` AND ${describeHeld(except)}`;
      const text = `SELECT count(*) FROM ${this.#name} WHERE ${fields.map((field) => `${quoteName(field)} = ?`).join(' AND ')} AND "id" <> ?${held}`;
      return (
        this.#session.number(text, [
          ...fields.map((field) => sqliteDialect.toParam(values[field] as string | number | boolean)),
          id,
        ]) > 0
      );
    });
    return found?.fields ?? [];
  }
}
