import { quoteName } from '../../sql/dialect.ts';
import { foldedName, toDigest } from '../../sql/names.ts';
import type { TableShape } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import { SqliteFailure } from '../driver.ts';
import type { Session } from '../session.ts';
import { transact } from './migrate.ts';

/**
 * The index of the searched texts of a collection: an FTS5 table that maps each trigram to the records that contain it, and a smaller one
 * that maps each word to them.
 */
export interface TextIndex {
  readonly name: string;
  readonly table: string;
  /** The indexed fields. */
  readonly fields: readonly string[];
  /** SQL for the indexed text of the record `row`, which may be a table, or `new` in a trigger. */
  readonly textOf: (row: string) => string;
}

// No collection has a hyphen in its name, so these names are free. Programs without text indexes leave them alone.
const PREFIX = 'text-index:';
/** The table of the records that the index does not have in their present state. */
export const toPending = (name: string): string => quoteName(`${name} pending`);
/** The table of words. All records with a word that begins with the searched one match, so they need not be tested. */
export const toWords = (name: string): string => quoteName(`${name} words`);
/** A view of the trigrams, with the records of each. */
export const toTerms = (name: string): string => quoteName(`${name} terms`);
// Other records are tested afterwards, so the index keeps neither texts nor positions. The texts are already folded.
const PLAIN = "content='', contentless_delete=1, detail=none";
const OPTIONS = `${PLAIN}, tokenize='trigram case_sensitive 1'`;
// A word is a run of ASCII letters, digits and any other characters beyond ASCII.
const WORDS = `${PLAIN}, tokenize='ascii'`;

/**
 * Triggers list the records whose texts are new, changed or gone, for every writer, including a program version that does not
 * have the index. Adding some records to the index at once takes a quarter of the time that adding each by itself takes.
 */
function describeTriggers(
  { name, table }: TextIndex,
  columns: readonly string[],
): ReadonlyMap<string, string> {
  const records = quoteName(table);
  const list = (row: string): string =>
    `BEGIN INSERT OR IGNORE INTO ${toPending(name)} VALUES (${row}."id"); END`;
  const isOther = columns.map((column) => `old.${column} <> new.${column}`).join(' OR ');
  return new Map([
    [`${name} added`, `AFTER INSERT ON ${records} ${list('new')}`],
    [`${name} changed`, `AFTER UPDATE OF ${columns.join(', ')} ON ${records} WHEN ${isOther} ${list('new')}`],
    [`${name} removed`, `AFTER DELETE ON ${records} ${list('old')}`],
  ]);
}

function describe({ name, search }: { readonly name: string; readonly search: readonly string[] }): {
  readonly index: TextIndex;
  readonly triggers: ReadonlyMap<string, string>;
} {
  const columns = search.map((field) => quoteName(foldedName(field)));
  // Each text ends with a line feed, so that the last two letters of a text begin a trigram too.
  const textOf = (row: string): string =>
    columns.map((column) => `${row}.${column} || char(10)`).join(' || ');
  const plain: TextIndex = { name: '', table: name, fields: search, textOf };
  // An index must get a new name when its definition changes.
  const index = {
    ...plain,
    name: `${PREFIX}${name}:${toDigest([OPTIONS, WORDS, textOf(''), ...describeTriggers(plain, columns)])}`,
  };
  return { index, triggers: describeTriggers(index, columns) };
}

function isSupported(session: Session): boolean {
  try {
    session.connection.exec(
      `CREATE VIRTUAL TABLE temp."text-index" USING fts5("text", ${OPTIONS}); DROP TABLE temp."text-index"`,
    );
    return true;
  } catch (error) {
    if (error instanceof SqliteFailure) return false;
    throw error;
  }
}

/** The tables and triggers of text indexes in the file. */
interface Existing {
  readonly table: readonly string[];
  readonly trigger: readonly string[];
}

function listExisting(session: Session): Existing {
  const rows = session.all('SELECT type, name FROM sqlite_schema WHERE name GLOB ?', [`${PREFIX}*`]);
  // FTS5 has further tables, whose names continue after the digest.
  const listNames = (wanted: string, form: RegExp): readonly string[] =>
    rows.map(([type, name]) => (type === wanted ? String(name) : '')).filter((name) => form.test(name));
  return { table: listNames('table', /:[0-9a-f]{12}$/), trigger: listNames('trigger', / /) };
}

function drop(session: Session, type: 'table' | 'trigger', names: readonly string[]): void {
  for (const name of names) {
    session.connection.exec(`DROP ${type} ${quoteName(name)}`);
    for (const part of type === 'table' ? [toTerms(name), toWords(name), toPending(name)] : [])
      session.connection.exec(`DROP TABLE IF EXISTS ${part}`);
  }
}

/**
 * By itself FTS5 merges within commits, at 100,000 posts for more than a second. Here it merges only when told to, some pages at a time.
 * Entries of changed records are removed once they are `deletemerge` percent of a part.
 */
const SETTINGS = { automerge: 0, crisismerge: 2000, deletemerge: 30 } as const;

/** Creates an index. Its records are listed, so that searches find them at once. */
function create(session: Session, { name, table }: TextIndex, triggers: ReadonlyMap<string, string>): void {
  const [records, pending] = [quoteName(table), toPending(name)];
  session.connection.exec(
    `CREATE TABLE ${pending} ("record" INTEGER PRIMARY KEY) STRICT; INSERT INTO ${pending} SELECT "id" FROM ${records}`,
  );
  for (const [part, options] of [
    [quoteName(name), OPTIONS],
    [toWords(name), WORDS],
  ] as const) {
    session.connection.exec(`CREATE VIRTUAL TABLE ${part} USING fts5("text", ${options})`);
    for (const [setting, value] of Object.entries(SETTINGS))
      session.connection.exec(`INSERT INTO ${part} (${part}, rank) VALUES ('${setting}', ${value})`);
  }
  session.connection.exec(
    `CREATE VIRTUAL TABLE ${toTerms(name)} USING fts5vocab(${quoteName(name)}, instance)`,
  );
  for (const [trigger, text] of triggers)
    session.connection.exec(`CREATE TRIGGER ${quoteName(trigger)} ${text}`);
}

interface Planning {
  readonly canIndex: boolean;
  readonly existing: Existing;
  readonly log: (message: string) => void;
}

/** The text index of a table in the file, and what must be done so that the file has exactly that one. */
function plan(
  session: Session,
  { name, collection: { search } }: TableShape,
  { canIndex, existing: all, log }: Planning,
): { readonly index: TextIndex | null; readonly change: (() => void) | null } {
  const isOwn = (each: string): boolean => each.startsWith(`${PREFIX}${name}:`);
  const [tables, existing] = [all.table.filter(isOwn), all.trigger.filter(isOwn)];
  const wanted = search === undefined || !canIndex ? null : describe({ name, search });
  const isKept =
    wanted !== null &&
    tables.includes(wanted.index.name) &&
    [...wanted.triggers.keys()].every((trigger) => existing.includes(trigger));
  if (isKept && tables.length === 1) return { index: wanted.index, change: null };
  if (wanted === null && existing.length === 0 && (tables.length === 0 || !canIndex))
    return { index: null, change: null };
  const own = isKept ? wanted.index.name : '';
  return {
    index: wanted?.index ?? null,
    change: () => {
      drop(
        session,
        'trigger',
        existing.filter((each) => own === '' || !each.startsWith(own)),
      );
      // Without the module, its tables cannot be dropped. Without its triggers, an index is made again once the module is there.
      if (canIndex)
        drop(
          session,
          'table',
          tables.filter((each) => each !== own),
        );
      if (wanted === null || isKept) return;
      log(`The index for searches in ${name} is being built. Until then searches read more records.`);
      create(session, wanted.index, wanted.triggers);
    },
  };
}

/**
 * Gives each table the text index that its collection declares, still empty where there are records, and drops others.
 * @returns the indexes by collection
 */
export function prepareTextIndexes(
  session: Session,
  tables: readonly TableShape[],
  log: (message: string) => void,
): ReadonlyMap<string, TextIndex> {
  const isWanted = tables.some(({ collection }) => collection.search !== undefined);
  const canIndex = (isWanted || listExisting(session).table.length > 0) && isSupported(session);
  if (isWanted && !canIndex)
    log(
      'This SQLite has no FTS5 with trigrams and contentless_delete (3.43 or newer). Searches read every record.',
    );
  const planAll = (): readonly ReturnType<typeof plan>[] => {
    const existing = listExisting(session);
    return tables.map((table) => plan(session, table, { canIndex, existing, log }));
  };
  const plans = planAll();
  if (plans.some(({ change }) => change !== null)) {
    transact(session, () => {
      // Read again, because another process may have changed the file before this transaction.
      for (const { change } of planAll()) change?.();
    });
  }
  return new Map(plans.flatMap(({ index }) => (index === null ? [] : [[index.table, index] as const])));
}

/** Most records, and about how many characters, that are added at once. Everything else waits meanwhile. A longer record is added by itself. */
const STEP = { records: 500, characters: 60_000 } as const;

/** The first ids of rows of (id, number of characters) whose texts may be added at once. */
function toPortion(rows: readonly (readonly unknown[])[]): readonly number[] {
  let characters = 0;
  const end = rows.findIndex(([, length], at) => (characters += Number(length)) > STEP.characters && at > 0);
  return (end === -1 ? rows : rows.slice(0, end)).map(([id]) => Number(id));
}

/** Brings some listed records in the index to their present state. Must run inside a transaction. @returns whether more records may wait */
export function addPending(
  session: Session,
  { name, table, textOf }: TextIndex,
  most: number = STEP.records,
): boolean {
  const [records, pending] = [quoteName(table), toPending(name)];
  const rows = session.all(
    `SELECT p."record", coalesce(length(${textOf('r')}), 0) FROM (SELECT "record" FROM ${pending} LIMIT ?) AS p LEFT JOIN ${records} AS r ON r."id" = p."record"`,
    [most],
  );
  const ids = toPortion(rows);
  const list = [JSON.stringify(ids)];
  const among = (column: string): string => sqliteDialect.inList(column, '?', 'integer');
  for (const part of ids.length === 0 ? [] : [quoteName(name), toWords(name)]) {
    session.run(`DELETE FROM ${part} WHERE ${among('rowid')}`, list);
    session.run(
      `INSERT INTO ${part} (rowid, "text") SELECT "id", ${textOf(records)} FROM ${records} WHERE ${among('"id"')}`,
      list,
    );
  }
  if (ids.length > 0) session.run(`DELETE FROM ${pending} WHERE ${among('"record"')}`, list);
  return rows.length === most || ids.length < rows.length;
}

/** About how many pages of an index are merged at once. */
const PAGES = 100;

/** Merges parts of the index, so that searches have fewer to look up. Must run inside a transaction. @returns whether there was something to merge */
export function mergeSome(session: Session, { name }: TextIndex, pages = PAGES): boolean {
  const countChanges = (): number => session.number('SELECT total_changes()');
  return [quoteName(name), toWords(name)].some((table) => {
    const before = countChanges();
    session.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', CAST(? AS INTEGER))`, [pages]);
    // The statement itself counts as one change (sqlite.org/fts5.html, the merge command).
    return countChanges() - before > 1;
  });
}
