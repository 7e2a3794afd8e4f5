import { quoteName } from '../../sql/dialect.ts';
import { sqliteDialect } from '../dialect.ts';
import { PROGRESS, toPending, toWords, type TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';

/** Whether all records are in the index. */
export function isComplete(session: Session, { name }: TextIndex): boolean {
  return session.number(`SELECT "next" >= "last" FROM ${PROGRESS} WHERE "name" = ?`, [name]) === 1;
}

/**
 * Most characters that are added at once: everything else waits meanwhile, and a million of different words take a second. A record that has
 * more is added by itself.
 */
const MOST_CHARACTERS = 100_000;

/** The first ids of rows of (id, number of characters) whose texts may be added at once. */
function toPortion(rows: readonly (readonly unknown[])[]): readonly number[] {
  let characters = 0;
  const end = rows.findIndex(([, length], at) => (characters += Number(length)) > MOST_CHARACTERS && at > 0);
  return (end === -1 ? rows : rows.slice(0, end)).map(([id]) => Number(id));
}

/** What was added in a step. `isMore`: more records wait. */
interface Added {
  readonly count: number;
  readonly isMore: boolean;
}

/** Brings up to `most` listed records in the index to their present state. Must run inside a transaction. */
export function addPending(session: Session, { name, table, textOf }: TextIndex, most: number): Added {
  const [records, pending] = [quoteName(table), toPending(name)];
  const rows = session.all(
    `SELECT p."record", coalesce(length(${textOf('r')}), 0) FROM (SELECT "record" FROM ${pending} LIMIT ?) AS p LEFT JOIN ${records} AS r ON r."id" = p."record"`,
    [most],
  );
  const ids = toPortion(rows);
  if (ids.length === 0) return { count: 0, isMore: false };
  const list = [JSON.stringify(ids)];
  const among = (column: string): string => sqliteDialect.inList(column, '?', 'integer');
  for (const part of [quoteName(name), toWords(name)]) {
    session.run(`DELETE FROM ${part} WHERE ${among('rowid')}`, list);
    session.run(
      `INSERT INTO ${part} (rowid, "text") SELECT "id", ${textOf(records)} FROM ${records} WHERE ${among('"id"')}`,
      list,
    );
  }
  session.run(`DELETE FROM ${pending} WHERE ${among('"record"')}`, list);
  return { count: ids.length, isMore: rows.length === most || ids.length < rows.length };
}

/** Adds up to `most` records that were there before the index. Must run inside a transaction. @returns whether more may be left */
export function addExisting(session: Session, { name, table, textOf }: TextIndex, most: number): boolean {
  const [next, last] = (
    session.get(`SELECT "next", "last" FROM ${PROGRESS} WHERE "name" = ?`, [name]) ?? [0, 0]
  ).map(Number) as [number, number];
  if (next >= last) return false;
  const records = quoteName(table);
  const end =
    toPortion(
      session.all(
        `SELECT "id", length(${textOf(records)}) FROM ${records} WHERE "id" > ? AND "id" <= ? ORDER BY "id" LIMIT ?`,
        [next, last, most],
      ),
    ).at(-1) ?? 0;
  // A record that was changed meanwhile may be there already.
  for (const part of end > 0 ? [quoteName(name), toWords(name)] : []) {
    session.run(
      `INSERT OR REPLACE INTO ${part} (rowid, "text") SELECT "id", ${textOf(records)} FROM ${records} WHERE "id" > ? AND "id" <= ?`,
      [next, end],
    );
  }
  session.run(`UPDATE ${PROGRESS} SET "next" = ? WHERE "name" = ?`, [end > 0 ? end : last, name]);
  return true;
}
