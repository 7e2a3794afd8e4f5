import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeSource } from '../../../../lib/store/change.ts';
import type { CheckedOperation } from '../../../../lib/store/check-operations.ts';
import type { Durability, StoredRecord } from '../../../../lib/store/store.ts';
import { quoteName } from '../../sql/dialect.ts';
import { listTables } from '../../sql/tables.ts';
import type { Connection, Connections } from '../connections.ts';
import { ATTEMPTS, isOwnFault, isWorthAnother } from '../errors.ts';
import { CrashNoticed } from '../server-epoch.ts';
import { applyChange, applyCreates, type CommitState, type Create, type Progress } from './apply.ts';
import { hold, nameLocked, type Tables } from './begin-commit.ts';
import { endCommit } from './end-commit.ts';
import { Undecided, WriteSet } from './write-set.ts';

/** What a commit of a group has led to. */
export type Outcome = { readonly results: readonly (StoredRecord | null)[] } | { readonly error: unknown };

interface Transaction {
  readonly connection: Connection;
  readonly held: ReadonlyMap<string, CommitState>;
}

/** Most rows in one statement. A statement may have 65,535 parameters. */
const MOST_ROWS = 100;
/** A commit is an import if it creates this many records and at least as many as existed before. */
const IMPORT = 500;

/** One commit of a group: the ids of its labelled records, and the results of its operations so far. */
interface Part {
  readonly operations: readonly CheckedOperation[];
  readonly source: ChangeSource;
  readonly ids: Map<string, number>;
  readonly results: (StoredRecord | null)[];
}

interface Entry<T extends CheckedOperation = CheckedOperation> {
  readonly operation: T;
  readonly part: Part;
}
type Change = Exclude<CheckedOperation, Create>;
type Step = { readonly collection: string } & (
  | { readonly creates: Entry<Create>[] }
  | { readonly change: Entry<Change> }
);

const isCreate = (entry: Entry): entry is Entry<Create> => entry.operation.op === 'create';

/** The operations in order; those of commits that only create: the first of each commit, then the second of each. */
function listEntries(parts: readonly Part[]): readonly Entry[] {
  if (parts.some(({ operations }) => operations.some(({ op }) => op !== 'create')))
    return parts.flatMap((part) => part.operations.map((operation) => ({ operation, part })));
  const longest = Math.max(...parts.map(({ operations }) => operations.length));
  return Array.from({ length: longest }, (_each, at) =>
    parts.flatMap((part) => part.operations.slice(at, at + 1).map((operation) => ({ operation, part }))),
  ).flat();
}

/** Groups consecutive creates of one collection into one step, so that they do not need a round trip per record. */
function toSteps(entries: readonly Entry[]): readonly Step[] {
  const steps: Step[] = [];
  for (const entry of entries) {
    const collection = entry.operation.collection.name;
    const last = steps.at(-1);
    if (!isCreate(entry)) steps.push({ collection, change: entry as Entry<Change> });
    else if (
      last !== undefined &&
      'creates' in last &&
      last.collection === collection &&
      last.creates.length < MOST_ROWS
    )
      last.creates.push(entry);
    else steps.push({ collection, creates: [entry] });
  }
  return steps;
}

/** Updates the planner's statistics after an import. The server does this within a minute; until then it would read whole tables for each page of a list. */
async function analyzeImports(
  { connection, held }: Transaction,
  operations: readonly CheckedOperation[],
  writes: WriteSet,
): Promise<void> {
  const imported = [...held.values()].filter(({ writer: { table }, lastId }) => {
    const made = operations.filter(
      ({ op, collection }) => op === 'create' && collection.name === table.name,
    ).length;
    return made >= IMPORT && made >= lastId / 2;
  });
  if (imported.length > 0) await writes.flush();
  for (const {
    writer: { table },
  } of imported) {
    await connection.script(`ANALYZE ${listTables(table).map(quoteName).join(', ')}`);
  }
}

async function applyParts(
  { connection, held }: Transaction,
  parts: readonly Part[],
  writes: WriteSet,
): Promise<void> {
  for (const step of toSteps(listEntries(parts)))
    await applyStep(held.get(step.collection) as CommitState, step, { connection, writes });
}

async function applyStep(
  held: CommitState,
  step: Step,
  { connection, writes }: Pick<Progress, 'connection' | 'writes'>,
): Promise<void> {
  if ('creates' in step) {
    const made = await applyCreates(
      held,
      step.creates.map(({ operation, part: { ids, source } }) => ({ operation, ids, source })),
      writes,
    );
    for (const [at, record] of made.entries()) step.creates[at]?.part.results.push(record);
  } else {
    const {
      operation,
      part: { ids, source, results },
    } = step.change;
    results.push(await applyChange(held, operation, { connection, writes, ids, source }));
  }
}

/** The outcomes of the commits, and what is still to be written. */
interface Applied {
  readonly outcomes: readonly Outcome[];
  readonly writes: WriteSet;
}

/** Applies each commit as a savepoint of its own. A failed one has not changed anything, neither in the database nor in what is held. */
async function applyApart(transaction: Transaction, parts: readonly Part[]): Promise<Applied> {
  const { connection, held } = transaction;
  const writes = new WriteSet(connection, false);
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    await connection.script(
      outcomes.length === 0 ? 'SAVEPOINT part' : 'RELEASE SAVEPOINT part; SAVEPOINT part',
    );
    const before = [...held.values()].map((own) => ({
      own,
      state: { ...own, changes: own.changes === null ? null : [...own.changes] },
    }));
    try {
      await applyParts(transaction, [part], writes);
      outcomes.push({ results: part.results });
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      await connection.script('ROLLBACK TO SAVEPOINT part');
      for (const { own, state } of before) Object.assign(own, state);
      for (const { known } of held.values()) known.clear();
      outcomes.push({ error });
    }
  }
  return { outcomes, writes };
}

async function applyTogether(transaction: Transaction, parts: readonly Part[]): Promise<Applied> {
  const writes = new WriteSet(transaction.connection, true);
  await applyParts(transaction, parts, writes);
  return { outcomes: parts.map(({ results }) => ({ results })), writes };
}

function listNames(operations: readonly CheckedOperation[]): readonly string[] {
  return [...new Set(operations.map(({ collection }) => collection.name))];
}

/** The ids of the records that are changed or removed, by collection. */
function listTargets(operations: readonly CheckedOperation[]): ReadonlyMap<string, readonly number[]> {
  const targets = new Map<string, number[]>();
  for (const each of operations) {
    if (each.op === 'update' || each.op === 'remove')
      targets.set(each.collection.name, [...(targets.get(each.collection.name) ?? []), each.id]);
  }
  return targets;
}

/** The operations of a commit, and who makes it. */
interface SourcedCommit {
  readonly operations: readonly CheckedOperation[];
  readonly source: ChangeSource;
}

/** Commits that share a transaction, and whether it waits for the disk. */
export interface Group {
  readonly commits: readonly SourcedCommit[];
  readonly durability: Durability;
}

async function applyGroup(
  {
    connection,
    tables,
    apply,
  }: { readonly connection: Connection; readonly tables: Tables; readonly apply: typeof applyApart },
  { commits, durability: asked }: Group,
): Promise<readonly Outcome[]> {
  const operations = commits.flatMap((each) => each.operations);
  const { later } = tables;
  const durability = later.hasRoomFor(operations.length) ? asked : 'now';
  const names = listNames(operations);
  const { outcomes, life, mark } = await nameLocked(
    connection,
    { writers: tables.writers, names },
    async () => {
      const { held, life: ofServer } = await hold(connection, tables, {
        names,
        targets: listTargets(operations),
        durability,
      });
      const { outcomes: applied, writes } = await apply(
        { connection, held },
        commits.map((each) => ({ ...each, ids: new Map(), results: [] })),
      );
      if (operations.length >= IMPORT) await analyzeImports({ connection, held }, operations, writes);
      const covered = later.mark;
      await endCommit(writes, tables.writers, held);
      return { outcomes: applied, life: ofServer, mark: covered };
    },
  );
  if (durability === 'now') later.cover(life, mark);
  else later.note(life, operations.length);
  return outcomes;
}

/**
 * Runs commits in one transaction. They share their statements. If one of them fails and is not alone, or if it is not known why,
 * each becomes a savepoint of its own, with a statement for each write.
 * @returns the outcome of each commit. @throws StoreError, PostgresFailure when none was made
 */
export async function commitGroup(
  connections: Connections,
  tables: Tables,
  group: Group,
): Promise<readonly Outcome[]> {
  const started = performance.now();
  const { commits } = group;
  const operations = commits.flatMap((each) => each.operations);
  let apply = applyTogether;
  let made: readonly Outcome[] | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tables.locks.run(listNames(operations), () =>
        connections.use(
          async (connection) => (made = await applyGroup({ connection, tables, apply }, group)),
        ),
      );
    } catch (error) {
      // The commits were made, and only the connection broke afterwards.
      if (made !== null) return made;
      if (
        apply === applyTogether &&
        (error instanceof Undecided || (commits.length > 1 && isOwnFault(error)))
      )
        apply = applyApart;
      else if (error instanceof CrashNoticed && attempt < ATTEMPTS) await tables.life.begin();
      else if (isWorthAnother(error, { attempt, started })) await pause(Math.random() * 10 * attempt);
      else throw error;
    }
  }
}
