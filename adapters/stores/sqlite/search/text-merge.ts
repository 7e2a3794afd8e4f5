import { quoteName } from '../../sql/dialect.ts';
import { toWords, type TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';

/**
 * By itself FTS5 merges within commits, at 100,000 posts for more than a second. Here it merges only when told to, some pages at a time.
 * `crisismerge` is for a program version that does not do that. Entries of changed records are removed once they are `deletemerge` percent of a part.
 */
const SETTINGS = { automerge: 0, crisismerge: 200, deletemerge: 30 } as const;

/** Keeps FTS5 from merging by itself. Must run inside a transaction. */
export function stopOwnMerges(session: Session, { name }: Pick<TextIndex, 'name'>): void {
  for (const part of [name, `${name} words`]) {
    const table = quoteName(part);
    for (const [setting, value] of Object.entries(SETTINGS)) {
      if (session.get(`SELECT v FROM ${quoteName(`${part}_config`)} WHERE k = ?`, [setting])?.[0] === value)
        continue;
      session.run(`INSERT INTO ${table} (${table}, rank) VALUES (?, CAST(? AS INTEGER))`, [setting, value]);
    }
  }
}

/** Merges parts of the index, so that searches have fewer to look up, until about `pages` pages are written. Must run inside a transaction. @returns whether there was something to merge */
export function mergeSome(session: Session, { name }: Pick<TextIndex, 'name'>, pages: number): boolean {
  const countChanges = (): number => session.number('SELECT total_changes()');
  return [quoteName(name), toWords(name)].some((table) => {
    const before = countChanges();
    session.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', CAST(? AS INTEGER))`, [pages]);
    // The statement itself counts as one change (sqlite.org/fts5.html, the merge command).
    return countChanges() - before > 1;
  });
}
