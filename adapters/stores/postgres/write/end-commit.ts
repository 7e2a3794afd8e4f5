import { CHANGE_COLUMNS, type ChangeRow, isLogged, toChangeRow } from '../../../../lib/store/change-rows.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { CHANGE_TABLE, insertChanges } from '../../sql/change-log.ts';
import { quoteConstant } from '../../sql/dialect.ts';
import { PostgresFailure } from '../errors.ts';
import type { CommitState } from './apply.ts';
import type { OpenTable, Writers } from './begin-commit.ts';
import type { Write, WriteSet } from './write-set.ts';

/** The revision after the commit. Each change of a collection with a log counts, so that each has a revision of its own. */
function nextRevision({ revision, changes, writer: { table } }: CommitState): number {
  return revision + (isLogged(table.collection) ? (changes?.length ?? 0) : 1);
}

/** The changes of the commit as rows of the log. */
function listRows(held: ReadonlyMap<string, CommitState>): readonly ChangeRow[] {
  const at = Date.now();
  return [...held.values()].flatMap(({ writer: { table }, revision, changes }) =>
    isLogged(table.collection)
      ? (changes ?? []).map(({ source, ...change }, index) =>
          toChangeRow(table.collection, change, { revision: revision + index + 1, source, at }),
        )
      : [],
  );
}

/** Most rows of the log in one statement. */
const MOST_ROWS = 200;

/** Writes rows of the log. */
function describeRows(rows: readonly ChangeRow[]): Write {
  return {
    table: CHANGE_TABLE,
    ids: [],
    name: rows.length === 1 ? 'insert change' : null,
    params: rows.length * CHANGE_COLUMNS.length,
    takes: false,
    releases: false,
    compile: (params) => [
      insertChanges(rows.map((row) => `(${row.map((value) => params.add(value)).join(', ')})`)),
    ],
    keyOf: () => null,
  };
}

/** Counts the revisions of the touched collections up. */
function describeCounts(held: ReadonlyMap<string, CommitState>): readonly string[] {
  const touched = [...held]
    .filter(([, own]) => own.touched)
    .map(([name, own]) => ({ name: quoteConstant(name), lastId: own.lastId, revision: nextRevision(own) }));
  if (touched.length === 0) return [];
  const revisions = touched.map(({ name, revision }) => `WHEN ${name} THEN ${revision}`).join(' ');
  const lastIds = touched.map(({ name, lastId }) => `WHEN ${name} THEN ${lastId}`).join(' ');
  return [
    `UPDATE "store:collections" SET "revision" = CASE "collection" ${revisions} END, "newest_id" = CASE "collection" ${lastIds} END WHERE "collection" IN (${touched.map(({ name }) => name).join(', ')})`,
  ];
}

async function end(writes: WriteSet, held: ReadonlyMap<string, CommitState>): Promise<void> {
  try {
    const tag = await writes.finish([...describeCounts(held), 'COMMIT']);
    if (tag !== 'COMMIT')
      throw new StoreError('unavailable', 'The server did not commit. Nothing was changed.');
  } catch (error) {
    if (!(error instanceof PostgresFailure) || !error.isLost) throw error;
    throw new StoreError(
      'unknown',
      'The server did not confirm the commit. It is not known whether the change was made.',
      { cause: error },
    );
  }
}

/**
 * Sends the last writes together with the end of the transaction, and tells the totals what it changed. After a failed write the
 * server neither counts nor commits. @throws StoreError `unknown`, `unavailable`; the errors of the writes
 */
export async function endCommit(
  writes: WriteSet,
  writers: Writers,
  held: ReadonlyMap<string, CommitState>,
): Promise<void> {
  const touched = [...held]
    .filter(([, own]) => own.touched)
    .map(([name, own]) => {
      const { revision, changes } = own;
      const settle = (writers.get(name) as OpenTable).totals.expect();
      return {
        fail: () => settle(null),
        succeed: () => settle(changes === null ? null : { from: revision, to: nextRevision(own), changes }),
      };
    });
  try {
    const rows = listRows(held);
    for (let first = 0; first < rows.length; first += MOST_ROWS)
      await writes.add(describeRows(rows.slice(first, first + MOST_ROWS)));
    await end(writes, held);
  } catch (error) {
    for (const { fail } of touched) fail();
    throw error;
  }
  for (const { succeed } of touched) succeed();
}
