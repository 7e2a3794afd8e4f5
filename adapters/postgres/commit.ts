import { setTimeout as pause } from 'node:timers/promises';
import type { CheckedOperation } from '../../lib/store/check-operations.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import { quoteConstant, quoteName } from '../sql/dialect.ts';
import { applyChange, applyCreates, type Create, type Held } from './apply.ts';
import { PostgresFailure, type Connection, type Connections } from './connections.ts';
import { isWorthAnother } from './failures.ts';
import type { TableWriter } from './table-writer.ts';

type Results = readonly (StoredRecord | null)[];
export type Writers = ReadonlyMap<string, TableWriter>;

/** Rows of one statement, which may have 65,535 parameters. */
const MOST_ROWS = 100;
/** So many new records, and at least as many as there were before, are an import. */
const IMPORT = 500;

/**
 * Begins a transaction that holds the collections: their rows tell the next ids and the revisions, and whoever has them
 * locked is the only one to change the collections, in this process or another. Always taken in the same order.
 */
async function hold(connection: Connection, writers: Writers, names: readonly string[]): Promise<ReadonlyMap<string, Held>> {
  const { rows } = await connection.script(`BEGIN ISOLATION LEVEL READ COMMITTED; SELECT "collection", "last_id" FROM "store:collections" WHERE "collection" IN (${names.map(quoteConstant).join(', ')}) ORDER BY "collection" FOR UPDATE`);
  return new Map(rows.map((row) => {
    const name = String(row['collection']);
    return [name, { writer: writers.get(name) as TableWriter, lastId: Number(row['last_id']), touched: false }];
  }));
}

async function end(connection: Connection, held: ReadonlyMap<string, Held>): Promise<void> {
  const updates = [...held].filter(([, { touched }]) => touched).map(([name, { lastId }]) => `UPDATE "store:collections" SET "revision" = "revision" + 1, "last_id" = ${lastId} WHERE "collection" = ${quoteConstant(name)}; `);
  try {
    const { tag } = await connection.script(`${updates.join('')}COMMIT`);
    if (tag !== 'COMMIT') throw new StoreError('unavailable', 'The server did not commit: nothing was changed.');
  } catch (error) {
    if (!(error instanceof PostgresFailure) || !error.isLost) throw error;
    throw new StoreError('unavailable', 'The connection was lost while the change was on its way: whether it happened is not known.', { cause: error });
  }
}

type Step = { readonly collection: string } & ({ readonly creates: Create[] } | { readonly change: Exclude<CheckedOperation, Create> });

/** Creates of one collection that follow each other become one step, so that an import does not ask the server once for each record. */
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

/** Tells the planner how many rows an import has made. The server does that by itself within a minute; until then it would read whole tables for every page of a list. */
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
  await end(connection, held);
  return results;
}

/** One commit, one transaction. @throws StoreError, PostgresFailure */
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
