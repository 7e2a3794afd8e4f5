import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';
import type { Params } from '../../sql/compile-where.ts';
import { quoteName, type SqlValue } from '../../sql/dialect.ts';
import { RECORD_ID } from '../../sql/names.ts';
import { createRecordReader } from '../../sql/record-columns.ts';
import { type Column, type ListTable, type TableShape, toColumnValue } from '../../sql/tables.ts';
import type { Connection, SqlRow } from '../connections.ts';
import { columnType, idKeyName } from '../dialect.ts';
import type { Write } from './write-set.ts';

type FieldValues = Readonly<Record<string, Json>>;

/** The id and the values of a record to insert. */
interface NewRecord {
  readonly id: number;
  readonly values: FieldValues;
}

function insertList({ name, field, type }: ListTable, records: readonly NewRecord[], params: Params): string {
  const rows = records.flatMap(({ id, values }) =>
    [...new Set((values[field] ?? []) as readonly (string | number)[])].map((value) => ({ id, value })),
  );
  return `INSERT INTO ${quoteName(name)} ("value", "record") SELECT * FROM unnest(${params.add(rows.map((row) => row.value))}::${columnType(type)}[], ${params.add(rows.map((row) => row.id))}::bigint[])`;
}

function toParams(columns: readonly Column[], values: FieldValues): readonly SqlValue[] {
  return columns.map((column) => toColumnValue(column, values[column.field] ?? null));
}

function insertRows(name: string, columns: readonly string[], rows: readonly string[]): string {
  return `INSERT INTO ${quoteName(name)} (${columns.map(quoteName).join(', ')}) VALUES ${rows.join(', ')}`;
}

/** Reads single records of one collection, and describes how they are written. */
export class TableWriter {
  readonly table: TableShape;
  readonly #name: string;
  readonly #fields: readonly string[];
  /** Fields of unique keys, and those that decide whether a key counts. */
  readonly #keyFields: readonly string[];
  readonly #read: ReturnType<typeof createRecordReader>;

  constructor(table: TableShape) {
    this.table = table;
    this.#name = quoteName(table.name);
    this.#fields = Object.keys(table.collection.fields);
    this.#keyFields = [
      ...new Set(
        (table.collection.unique ?? []).flatMap(({ fields, except = {} }) =>
          fields.concat(Object.keys(except)),
        ),
      ),
    ];
    this.#read = createRecordReader(table);
  }

  /** Selects the records with these ids. */
  describeGet(ids: readonly number[]): string {
    return `${this.#select()} WHERE "id" IN (${ids.join(', ')})`;
  }

  /** A record from a row of `describeGet`. */
  read(row: SqlRow): StoredRecord {
    return this.#read(Object.values(row), this.#fields);
  }

  async get(connection: Connection, id: number): Promise<StoredRecord | null> {
    const [row] = await connection.query(`${this.#select()} WHERE "id" = $1`, [id], `get ${this.table.name}`);
    return row === undefined ? null : this.read(row);
  }

  /** Inserts new records, their lists and their texts. */
  insert(records: readonly NewRecord[]): Write {
    const { columns, lists, texts, name } = this.table;
    const compile = (params: Params): readonly string[] => {
      const toRow = (values: readonly SqlValue[]): string =>
        `(${values.map((value) => params.add(value)).join(', ')})`;
      const rows = records.map(({ id, values }) => toRow([id, 1, ...toParams(columns, values)]));
      const apart =
        texts === null
          ? []
          : [
              insertRows(
                texts.name,
                [RECORD_ID, ...texts.columns.map((column) => column.name)],
                records.map(({ id, values }) => toRow([id, ...toParams(texts.columns, values)])),
              ),
            ];
      return [
        ...lists.map((list) => insertList(list, records, params)),
        ...apart,
        insertRows(name, ['id', 'version', ...columns.map((column) => column.name)], rows),
      ];
    };
    return this.#toWrite(
      records.map(({ id }) => id),
      {
        compile,
        takes: true,
        releases: false,
        name: records.length === 1 ? `insert ${this.table.name}` : null,
      },
    );
  }

  /** Writes the changed fields. `after`: the record as it is then. `leastVersion`: its version is not smaller. */
  update(
    before: StoredRecord,
    changes: FieldValues,
    leastVersion = 0,
  ): { readonly write: Write; readonly after: StoredRecord } {
    const after: StoredRecord = {
      ...before,
      ...changes,
      version: Math.max(before.version + 1, leastVersion),
    };
    const isChanged = ({ field }: { readonly field: string }): boolean => Object.hasOwn(changes, field);
    const columns = this.table.columns.filter(isChanged);
    // A text that stays the same must not be written: every write of its row adds all its entries to the index for searches.
    const texts = (this.table.texts?.columns ?? []).filter(({ field }) => before[field] !== after[field]);
    const compile = (params: Params): readonly string[] => {
      const id = params.add(before.id);
      const set = (names: readonly string[], values: readonly SqlValue[]): string =>
        values.map((value, at) => `${quoteName(names[at] ?? '')} = ${params.add(value)}`).join(', ');
      const lists = this.table.lists
        .filter(isChanged)
        .flatMap((list) => [
          `DELETE FROM ${quoteName(list.name)} WHERE "record" = ${id}`,
          insertList(list, [{ id: before.id, values: changes }], params),
        ]);
      const apart =
        texts.length === 0
          ? []
          : [
              `UPDATE ${quoteName(this.table.texts?.name ?? '')} SET ${set(
                texts.map(({ name }) => name),
                toParams(texts, after),
              )} WHERE ${quoteName(RECORD_ID)} = ${id}`,
            ];
      return [
        ...lists,
        ...apart,
        `UPDATE ${this.#name} SET ${set(['version', ...columns.map(({ name }) => name)], [after.version, ...toParams(columns, after)])} WHERE "id" = ${id}`,
      ];
    };
    const movesKey = this.#keyFields.some((field) => before[field] !== after[field]);
    return {
      after,
      write: this.#toWrite([before.id], { compile, takes: movesKey, releases: movesKey, name: null }),
    };
  }

  remove(ids: readonly number[]): Write {
    const compile = (params: Params): readonly string[] => {
      const all = params.add(ids);
      const removeFrom = (name: string, key: string): string =>
        `DELETE FROM ${quoteName(name)} WHERE ${quoteName(key)} = ANY(${all}::bigint[])`;
      const { name: own, lists, texts } = this.table;
      return [
        ...lists.map(({ name }) => removeFrom(name, 'record')),
        ...(texts === null ? [] : [removeFrom(texts.name, RECORD_ID)]),
        removeFrom(own, 'id'),
      ];
    };
    return this.#toWrite(ids, { compile, takes: false, releases: true, name: null });
  }

  /** The columns of a complete record, as `read` takes them. */
  get columns(): string {
    return ['id', 'version', ...this.#fields].map(quoteName).join(', ');
  }

  #select(): string {
    return `SELECT ${this.columns} FROM ${this.#name}`;
  }

  #toWrite(ids: readonly number[], what: Pick<Write, 'compile' | 'takes' | 'releases' | 'name'>): Write {
    const { columns, lists, texts } = this.table;
    // The ids and the version have no column here; a list takes its values and their ids.
    const params =
      ids.length * (columns.length + 2 + (texts === null ? 0 : texts.columns.length + 1)) + 2 * lists.length;
    return { table: this.table.name, ids, params, keyOf: (constraint) => this.#keyOf(constraint), ...what };
  }

  #keyOf(constraint: string): readonly string[] | null {
    return constraint === idKeyName(this.table.name)
      ? ['id']
      : (this.table.indexes.find((index) => index.name === constraint)?.fields ?? null);
  }
}
