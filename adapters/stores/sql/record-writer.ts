import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import { and, asc, eq, not, type Predicate } from '../../../lib/store/query.ts';
import { type StoredRecord, StoreError } from '../../../lib/store/store.ts';
import { compileFind, PLAIN_ACCESS } from './compile-query.ts';
import { Params } from './compile-where.ts';
import type { SqlSession } from './database.ts';
import { type Dialect, quoteName, type SqlValue } from './dialect.ts';
import { createRecordReader } from './record-columns.ts';
import { type Column, type TableShape, toColumnValue } from './tables.ts';

type Values = Readonly<Record<string, Json>>;

/** Reads and writes the rows of a collection, one record at a time. Nobody else may change the collection meanwhile. */
export class RecordWriter {
  readonly table: TableShape;
  readonly #dialect: Dialect;
  readonly #read: ReturnType<typeof createRecordReader>;

  constructor(dialect: Dialect, table: TableShape) {
    this.table = table;
    this.#dialect = dialect;
    this.#read = createRecordReader(table);
  }

  /** All matches. */
  async find(session: SqlSession, where: Predicate): Promise<readonly StoredRecord[]> {
    const { collection } = this.table;
    const query: CheckedQuery = {
      collection,
      where,
      order: [asc('id')],
      limit: Infinity,
      offset: 0,
      fields: Object.keys(collection.fields),
      total: false,
      omitted: null,
    };
    const rows = await session.run(compileFind(this.#dialect, query, PLAIN_ACCESS));
    return rows.map((row) => this.#read(row, query.fields));
  }

  /** @throws StoreError `unique` */
  async insert(session: SqlSession, id: number, values: Values): Promise<StoredRecord> {
    const taken = await this.find(session, eq('id', id));
    if (taken.length > 0)
      throw new StoreError('unique', `There is already a ${this.table.name} ${id}.`, { fields: ['id'] });
    await this.#checkKeys(session, id, values);
    const params = new Params(this.#dialect);
    const cells = [id, 1, ...this.table.columns.map((column) => this.#toCell(column, values))].map((value) =>
      params.add(value),
    );
    const names = ['id', 'version', ...this.table.columns.map(({ name }) => name)].map(quoteName);
    await session.run({
      text: `INSERT INTO ${quoteName(this.table.name)} (${names.join(', ')}) VALUES (${cells.join(', ')})`,
      values: params.values,
    });
    await this.#insertLists(session, id, values);
    return { id, version: 1, ...values };
  }

  /** @throws StoreError `unique` */
  async update(session: SqlSession, { id, version }: StoredRecord, values: Values): Promise<StoredRecord> {
    await this.#checkKeys(session, id, values);
    const params = new Params(this.#dialect);
    const next = params.add(version + 1);
    const changes = this.table.columns.map(
      (column) => `${quoteName(column.name)} = ${params.add(this.#toCell(column, values))}`,
    );
    await session.run({
      text: `UPDATE ${quoteName(this.table.name)} SET "version" = ${next}, ${changes.join(', ')} WHERE "id" = ${params.add(id)}`,
      values: params.values,
    });
    await this.#removeLists(session, id);
    await this.#insertLists(session, id, values);
    return { id, version: version + 1, ...values };
  }

  async remove(session: SqlSession, id: number): Promise<void> {
    await this.#removeLists(session, id);
    await session.run({
      text: `DELETE FROM ${quoteName(this.table.name)} WHERE "id" = ${this.#dialect.placeholder(1)}`,
      values: [id],
    });
  }

  #toCell(column: Column, values: Values): SqlValue {
    return this.#dialect.toParam(toColumnValue(column, values[column.field] ?? null));
  }

  /** The keys are tested before the write, in the order of the descriptor, so that the first one is named in every database. */
  async #checkKeys(session: SqlSession, id: number, values: Values): Promise<void> {
    for (const { fields, except = {} } of this.table.collection.unique ?? []) {
      const isExcept =
        Object.keys(except).length > 0 &&
        Object.entries(except).every(([field, value]) => values[field] === value);
      if (isExcept) continue;
      const same = fields.map((field) => eq(field, values[field] as string | number | boolean));
      if ((await this.find(session, and(...same, not(eq('id', id))))).length > 0)
        throw new StoreError('unique', `Another ${this.table.name} has the same ${fields.join(' and ')}.`, {
          fields,
        });
    }
  }

  async #removeLists(session: SqlSession, id: number): Promise<void> {
    for (const { name } of this.table.lists)
      await session.run({
        text: `DELETE FROM ${quoteName(name)} WHERE "record" = ${this.#dialect.placeholder(1)}`,
        values: [id],
      });
  }

  async #insertLists(session: SqlSession, id: number, values: Values): Promise<void> {
    for (const { name, field } of this.table.lists) {
      const items = [...new Set(values[field] as readonly (string | number)[])];
      if (items.length === 0) continue;
      const params = new Params(this.#dialect);
      await session.run({
        text: `INSERT INTO ${quoteName(name)} ("value", "record") VALUES ${items.map((item) => `(${params.add(item)}, ${params.add(id)})`).join(', ')}`,
        values: params.values,
      });
    }
  }
}
