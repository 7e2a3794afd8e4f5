import { setTimeout as pause } from 'node:timers/promises';
import type { CheckedOperation } from '../../lib/store/check-operations.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import { quoteConstant, quoteName } from '../sql/dialect.ts';
import { applyChange, applyCreates, type Create, type Held } from './apply.ts';
import { PostgresFailure, type Connection, type Connections } from './connections.ts';
import { isWorthAnother } from './failures.ts';
import type { TableWriter } from './table-writer.ts';
import type { Totals } from './totals.ts';

type Results = readonly (StoredRecord | null)[];
/** What commits need of each collection. */
export interface OpenTable {
  readonly writer: TableWriter;
  readonly totals: Totals;
}

export type Writers = ReadonlyMap<string, OpenTable>;

/** Most rows in one statement. A statement may have 65,535 parameters. */
const MOST_ROWS = 100;
/** A commit is an import if it creates this many records and at least as many as existed before. */
const IMPORT = 500;

/**
 * Begins a transaction and locks the rows of the collections, which hold the next ids and the revisions. Only the holder of
 * the locks may change the collections, across all processes. Locks are always taken in the same order.
 */
async function hold(connection: Connection, writers: Writers, names: readonly string[]): Promise<ReadonlyMap<string, Held>> {
  const { rows } = await connection.script(`BEGIN ISOLATION LEVEL READ COMMITTED; SELECT "collection", "last_id", "revision" FROM "store:collections" WHERE "collection" IN (${names.map(quoteConstant).join(', ')}) ORDER BY "collection" FOR UPDATE`);
  return new Map(rows.map((row) => {
    const name = String(row['collection']);
    return [name, { writer: (writers.get(name) as OpenTable).writer, lastId: Number(row['last_id']), revision: Number(row['revision']), touched: false, changes: [] }];
  }));
}

async function end(connection: Connection, held: ReadonlyMap<string, Held>): Promise<void> {
  const updates = [...held].filter(([, { touched }]) => touched).map(([name, { lastId }]) => `UPDATE "store:collections" SET "revision" = "revision" + 1, "last_id" = ${lastId} WHERE "collection" = ${quoteConstant(name)}; `);
  try {
    const { tag } = await connection.script(`${updates.join('')}COMMIT`);
    if (tag !== 'COMMIT') throw new StoreError('unavailable', 'The server did not commit. Nothing was changed.');
  } catch (error) {
    if (!(error instanceof PostgresFailure) || !error.isLost) throw error;
    throw new StoreError('unavailable', 'The connection was lost during the commit. It is not known whether the change was made.', { cause: error });
  }
}

/** Ends the transaction, and tells the totals what it changed. */
async function endKnown(connection: Connection, writers: Writers, held: ReadonlyMap<string, Held>): Promise<void> {
  const touched = [...held].filter(([, own]) => own.touched).map(([name, { revision, changes }]) => {
    const settle = (writers.get(name) as OpenTable).totals.expect();
    return { fail: () => settle(null), succeed: () => settle(changes === null ? null : { from: revision, changes }) };
  });
  try {
    await end(connection, held);
  } catch (error) {
    for (const { fail } of touched) fail();
    throw error;
  }
  for (const { succeed } of touched) succeed();
}

type Step = { readonly collection: string } & ({ readonly creates: Create[] } | { readonly change: Exclude<CheckedOperation, Create> });

/** Groups consecutive creates of one collection into one step, so that an import does not need a round trip per record. */
function toSteps(operations: readonly CheckedOperation[]): readonly Step[] {
  const steps: Step[] = [];
  for (const operation of operations) {
    const collection = operation.collection.name;
    const last = steps.at(-1);
    if (operation.op !== 'create') steps.push({ collection, change: operation });
    else if (last !== undefined && 'creates' in last && last.collection === collection && last.creates.length < MOST_ROWS) last.creates.push(operation);
    else steps.push({ collection, creates: [operation] });
  }
  return steps;
}

/** Updates the planner's statistics after an import. The server does this within a minute; until then it would read whole tables for each page of a list. */
async function analyzeImports(connection: Connection, held: ReadonlyMap<string, Held>, operations: readonly CheckedOperation[]): Promise<void> {
  const imported = [...held.values()].filter(({ writer: { table }, lastId }) => {
    const made = operations.filter(({ op, collection }) => op === 'create' && collection.name === table.name).length;
    return made >= IMPORT && made >= lastId / 2;
  });
  for (const { writer: { table } } of imported) {
    const names = [table.name, ...table.lists.map((list) => list.name)];
    await connection.script(`ANALYZE ${names.map(quoteName).join(', ')}`);
  }
}

async function applyAll(connection: Connection, writers: Writers, operations: readonly CheckedOperation[]): Promise<Results> {
  const names = [...new Set(operations.map((operation) => operation.collection.name))];
  const held = await hold(connection, writers, names);
  const progress = { connection, ids: new Map<string, number>() };
  const results: (StoredRecord | null)[] = [];
  for (const step of toSteps(operations)) {
    const own = held.get(step.collection) as Held;
    if ('creates' in step) results.push(...await applyCreates(own, step.creates, progress));
    else results.push(await applyChange(own, step.change, progress));
  }
  if (operations.length >= IMPORT) await analyzeImports(connection, held, operations);
  await endKnown(connection, writers, held);
  return results;
}

/** Runs one commit in one transaction. @throws StoreError, PostgresFailure */
export async function commitOperations(connections: Connections, writers: Writers, operations: readonly CheckedOperation[]): Promise<Results> {
  const started = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connections.use((connection) => applyAll(connection, writers, operations));
    } catch (error) {
      if (!isWorthAnother(error, { attempt, started })) throw error;
      await pause(Math.random() * 10 * attempt);
    }
  }
}
