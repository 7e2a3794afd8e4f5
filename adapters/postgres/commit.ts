import { setTimeout as pause } from 'node:timers/promises';
import type { CheckedOperation } from '../../lib/store/check-operations.ts';
import { StoreError, type Durability, type StoredRecord } from '../../lib/store/store.ts';
import { quoteConstant, quoteName } from '../sql/dialect.ts';
import { applyChange, applyCreates, type Create, type Held } from './apply.ts';
import type { Connection, Connections } from './connections.ts';
import { ATTEMPTS, isOwnFault, isWorthAnother } from './failures.ts';
import { hold, type OpenTable, type Tables, type Writers } from './hold.ts';
import { CrashNoticed } from './life.ts';
import { PostgresFailure } from './postgres-failure.ts';

/** What a commit of a group has led to. */
export type Outcome = { readonly results: readonly (StoredRecord | null)[] } | { readonly error: unknown };

interface Transaction { readonly connection: Connection; readonly held: ReadonlyMap<string, Held> }

/** Most rows in one statement. A statement may have 65,535 parameters. */
const MOST_ROWS = 100;
/** A commit is an import if it creates this many records and at least as many as existed before. */
const IMPORT = 500;

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

/** One commit of a group: the ids of its labelled records, and the results of its operations so far. */
interface Part {
  readonly operations: readonly CheckedOperation[];
  readonly ids: Map<string, number>;
  readonly results: (StoredRecord | null)[];
}

interface Entry<T extends CheckedOperation = CheckedOperation> { readonly operation: T; readonly part: Part }
type Change = Exclude<CheckedOperation, Create>;
type Step = { readonly collection: string } & ({ readonly creates: Entry<Create>[] } | { readonly change: Entry<Change> });

const isCreate = (entry: Entry): entry is Entry<Create> => entry.operation.op === 'create';

/** The operations in order: the first of each commit, then the second of each. */
function listEntries(parts: readonly Part[]): readonly Entry[] {
  const longest = Math.max(...parts.map(({ operations }) => operations.length));
  return Array.from({ length: longest }, (_each, at) => parts.flatMap((part) => part.operations.slice(at, at + 1).map((operation) => ({ operation, part })))).flat();
}

/** Groups consecutive creates of one collection into one step, so that they do not need a round trip per record. */
function toSteps(entries: readonly Entry[]): readonly Step[] {
  const steps: Step[] = [];
  for (const entry of entries) {
    const collection = entry.operation.collection.name;
    const last = steps.at(-1);
    if (!isCreate(entry)) steps.push({ collection, change: entry as Entry<Change> });
    else if (last !== undefined && 'creates' in last && last.collection === collection && last.creates.length < MOST_ROWS) last.creates.push(entry);
    else steps.push({ collection, creates: [entry] });
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

async function applyParts({ connection, held }: Transaction, parts: readonly Part[]): Promise<void> {
  for (const step of toSteps(listEntries(parts))) {
    try {
      await applyStep(connection, held.get(step.collection) as Held, step);
    } catch (error) {
      if (error instanceof PostgresFailure) error.collections = [step.collection];
      throw error;
    }
  }
}

async function applyStep(connection: Connection, held: Held, step: Step): Promise<void> {
  if ('creates' in step) {
    const made = await applyCreates(held, step.creates.map(({ operation, part: { ids } }) => ({ operation, ids })), connection);
    for (const [at, record] of made.entries()) step.creates[at]?.part.results.push(record);
  } else {
    const { operation, part: { ids, results } } = step.change;
    results.push(await applyChange(held, operation, { connection, ids }));
  }
}

/** Applies each commit as a savepoint of its own. A failed one has not changed anything, neither in the database nor in what is held. */
async function applyApart(transaction: Transaction, parts: readonly Part[]): Promise<readonly Outcome[]> {
  const { connection, held } = transaction;
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    await connection.script(outcomes.length === 0 ? 'SAVEPOINT part' : 'RELEASE SAVEPOINT part; SAVEPOINT part');
    const before = [...held.values()].map((own) => ({ own, state: { ...own, changes: own.changes === null ? null : [...own.changes] } }));
    try {
      await applyParts(transaction, [part]);
      outcomes.push({ results: part.results });
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      await connection.script('ROLLBACK TO SAVEPOINT part');
      for (const { own, state } of before) Object.assign(own, state);
      outcomes.push({ error });
    }
  }
  return outcomes;
}

async function applyTogether(transaction: Transaction, parts: readonly Part[]): Promise<readonly Outcome[]> {
  await applyParts(transaction, parts);
  return parts.map(({ results }) => ({ results }));
}

function listNames(operations: readonly CheckedOperation[]): readonly string[] {
  return [...new Set(operations.map(({ collection }) => collection.name))];
}

/** Commits that share a transaction, and whether it waits for the disk. */
export interface Group {
  readonly commits: readonly (readonly CheckedOperation[])[];
  readonly durability: Durability;
}

async function applyGroup({ connection, tables, apply }: { readonly connection: Connection; readonly tables: Tables; readonly apply: typeof applyApart }, { commits, durability: asked }: Group): Promise<readonly Outcome[]> {
  const operations = commits.flat();
  const { later } = tables;
  const durability = later.hasRoomFor(operations.length) ? asked : 'now';
  const { held, life } = await hold(connection, tables, { names: listNames(operations), durability });
  const outcomes = await apply({ connection, held }, commits.map((each) => ({ operations: each, ids: new Map(), results: [] })));
  if (operations.length >= IMPORT) await analyzeImports(connection, held, operations);
  const { mark } = later;
  await endKnown(connection, tables.writers, held);
  if (durability === 'now') later.cover(life, mark);
  else later.note(life, operations.length);
  return outcomes;
}

/**
 * Runs commits in one transaction. Commits that only create records share their statements; if one of them fails, and where
 * there are other commits, each becomes a savepoint of its own.
 * @returns the outcome of each commit. @throws StoreError, PostgresFailure when none was made
 */
export async function commitGroup(connections: Connections, tables: Tables, group: Group): Promise<readonly Outcome[]> {
  const started = performance.now();
  const { commits } = group;
  const operations = commits.flat();
  let apply = commits.length === 1 || operations.every(({ op }) => op === 'create') ? applyTogether : applyApart;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tables.locks.run(listNames(operations), () => connections.use((connection) => applyGroup({ connection, tables, apply }, group)));
    } catch (error) {
      if (commits.length > 1 && apply === applyTogether && isOwnFault(error)) apply = applyApart;
      else if (error instanceof CrashNoticed && attempt < ATTEMPTS) await tables.life.begin();
      else if (isWorthAnother(error, { attempt, started })) await pause(Math.random() * 10 * attempt);
      else throw error;
    }
  }
}
