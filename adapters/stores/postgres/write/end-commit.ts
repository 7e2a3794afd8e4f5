import { StoreError } from '../../../../lib/store/store.ts';
import { quoteConstant } from '../../sql/dialect.ts';
import { PostgresFailure } from '../postgres-failure.ts';
import type { Held } from './apply.ts';
import type { OpenTable, Writers } from './begin-commit.ts';
import type { WriteSet } from './write-set.ts';

/** Counts the revisions of the touched collections up. */
function describeCounts(held: ReadonlyMap<string, Held>): readonly string[] {
  const touched = [...held]
    .filter(([, own]) => own.touched)
    .map(([name, { lastId }]) => ({ name: quoteConstant(name), lastId }));
  if (touched.length === 0) return [];
  const lastIds = touched.map(({ name, lastId }) => `WHEN ${name} THEN ${lastId}`).join(' ');
  return [
    `UPDATE "store:collections" SET "revision" = "revision" + 1, "highest_id" = CASE "collection" ${lastIds} END WHERE "collection" IN (${touched.map(({ name }) => name).join(', ')})`,
  ];
}

async function end(writes: WriteSet, held: ReadonlyMap<string, Held>): Promise<void> {
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
  held: ReadonlyMap<string, Held>,
): Promise<void> {
  const touched = [...held]
    .filter(([, own]) => own.touched)
    .map(([name, { revision, changes }]) => {
      const settle = (writers.get(name) as OpenTable).totals.expect();
      return {
        fail: () => settle(null),
        succeed: () => settle(changes === null ? null : { from: revision, changes }),
      };
    });
  try {
    await end(writes, held);
  } catch (error) {
    for (const { fail } of touched) fail();
    throw error;
  }
  for (const { succeed } of touched) succeed();
}
