import { oneOf, type RestError, type Store, type StoredRecord } from '../../../../lib/index.ts';
import { createPause, isObject, pause, retryRaces, slicesOf, toWrite } from '../../../plugin.ts';
import { mlError } from '../records/errors.ts';
import { checkSpace, findEntryFault, MAX_ENTRIES, toLine, toValues, type Wanted } from './glossary-routes.ts';

/** A record of a CSV file. `line`: where it begins, counted from 1. */
interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that is not CSV. `line`: where the fault is. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Most cells of a record: far more than a site has columns. */
const MOST_CELLS = 1000;
const SEPARATORS = [',', ';', '\t'] as const;
/** A first line for Excel, which names the separator. */
const NAMED = /^"?sep=([^\s\w"]|\t)"?(?:\r\n?|\n|$)/i;

/** The separator of the first line: spreadsheets write what the language of the user wants. */
function findSeparator(text: string): string {
  const [head = ''] = /[^\r\n]+/.exec(text) ?? [];
  const counts = SEPARATORS.map((separator) => head.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A quoted cell between blanks, any other cell, and what ends a cell. Nothing can be matched in two ways, so that a fault takes no longer. */
function toPattern(separator: string): RegExp {
  const own = `\\${separator}`;
  const blanks = separator === '\t' ? ' *' : '[ \\t]*';
  return new RegExp(
    `(?:${blanks}"([^"]*(?:""[^"]*)*)"${blanks}|(${blanks}(?:[^" \\t\\r\\n${own}][^\\r\\n${own}]*)?))(${own}|\\r\\n?|\\n|$)`,
    'y',
  );
}

const countLines = (text: string): number => text.split(/\r\n?|\n/).length - 1;

/** The records of a CSV file (RFC 4180), also blank ones. Lines end with LF, CRLF or CR. The separator is a comma, a semicolon, a tab, or what `sep=X` names. @throws CsvError */
export function* readCsv(file: string): Generator<CsvRecord> {
  const text = file.replace(/^\uFEFF/, '');
  const named = NAMED.exec(text);
  const pattern = toPattern(named?.[1] ?? findSeparator(text));
  const first = named === null ? 1 : 2;
  let [line, begin, cells] = [first, first, [] as string[]];
  for (let at = named?.[0].length ?? 0; at < text.length || cells.length > 0; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null)
      throw new CsvError(
        line,
        'a quotation mark is not closed, or text follows a quoted cell; inside of one, quotation marks are written twice',
      );
    const [whole, quoted, plain = '', end = ''] = match;
    if (cells.length === MOST_CELLS) throw new CsvError(line, `there are more than ${MOST_CELLS} cells`);
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += countLines(whole);
    if (end !== '' && !/[\r\n]/.test(end)) continue;
    yield { line: begin, cells };
    [begin, cells] = [line, []];
  }
}

/** How many entries were made, and how many were replaced. */
type Imported = { readonly created: number; readonly updated: number };

interface Fault {
  readonly line: number;
  readonly message: string;
}

/** What the file is read for. `source`: language of terms whose record names none. */
interface Reading {
  readonly languages: readonly string[];
  readonly source: string;
}

const COLUMNS = ['term', 'source_language', 'translate', 'case_sensitive', 'note'];
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);
const MAX_FAULTS = 100;
const AT_ONCE = 100;

const refuse = (errors: readonly Fault[]) =>
  mlError('ml_glossary_file_invalid', { data: { errors: errors.slice(0, MAX_FAULTS) } });

/** @throws RestError `ml_glossary_file_invalid` */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse([{ line: 1, message: 'the file is not UTF-8' }]);
  }
}

const isBlank = ({ cells }: CsvRecord): boolean => cells.every((cell) => cell.trim() === '');

/** The records that are not blank. @throws RestError `ml_glossary_file_invalid`, `ml_glossary_full` */
async function readRecords(file: string): Promise<readonly CsvRecord[]> {
  const records: CsvRecord[] = [];
  const wait = createPause();
  try {
    for (const record of readCsv(file)) {
      await wait();
      if (isBlank(record)) continue;
      if (records.length > MAX_ENTRIES) throw mlError('ml_glossary_full', { data: { limit: MAX_ENTRIES } });
      records.push(record);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuse([{ line: error.line, message: error.message }]);
  }
  return records;
}

/** @throws RestError `ml_glossary_file_invalid` */
function readHead(record: CsvRecord | undefined, { languages }: Reading): readonly string[] {
  const { line, cells } = record ?? { line: 1, cells: [] };
  const names = cells.map((cell) => cell.trim());
  const unknown = names.find((name) => !COLUMNS.includes(name) && !languages.includes(name));
  if (unknown !== undefined)
    throw refuse([
      { line, message: `unknown column "${unknown}"; known are ${[...COLUMNS, ...languages].join(', ')}` },
    ]);
  if (!names.includes('term'))
    throw refuse([{ line, message: 'the first line must name the columns, and one of them must be "term"' }]);
  if (new Set(names).size < names.length) throw refuse([{ line, message: 'two columns have the same name' }]);
  return names;
}

/** The entry of a record. @throws TypeError that says what is wrong */
function readEntry(cells: ReadonlyMap<string, string>, { languages, source }: Reading): Wanted {
  const read = (name: string): string => (cells.get(name) ?? '').trim();
  const isSet = (name: string, preset: boolean): boolean => {
    const flag = read(name) === '' ? preset : FLAGS.get(read(name).toLowerCase());
    if (flag === undefined) throw new TypeError(`${name} must be true or false, not "${read(name)}"`);
    return flag;
  };
  const language = read('source_language') || source;
  if (language === '') throw new TypeError('source_language is missing: it must be a column or a parameter');
  return {
    term: toLine(read('term')),
    source_language: language,
    translate: isSet('translate', true),
    case_sensitive: isSet('case_sensitive', false),
    note: read('note'),
    targets: Object.fromEntries(
      languages.map((language) => [language, read(language)]).filter(([, text]) => text !== ''),
    ),
  };
}

/** The reason under the name of the parameter, or that of the whole error. */
function explain({ data, message }: RestError): string {
  const [reason] = isObject(data?.['params']) ? Object.values(data['params']) : [];
  return typeof reason === 'string' ? reason : message;
}

/** The entries of a file by key. @throws RestError `ml_glossary_file_invalid` with all faults */
async function readEntries(
  file: string,
  reading: Reading,
): Promise<ReadonlyMap<string, ReturnType<typeof toValues>>> {
  const [head, ...records] = await readRecords(file);
  const wait = createPause();
  const names = readHead(head, reading);
  const faults: Fault[] = [];
  const entries = new Map<string, ReturnType<typeof toValues>>();
  for (const { line, cells } of records) {
    await wait();
    try {
      if (cells.length > names.length)
        throw new TypeError(`there are ${cells.length} cells for ${names.length} columns`);
      const wanted = readEntry(new Map(names.map((name, index) => [name, cells[index] ?? ''])), reading);
      const fault = findEntryFault(reading.languages, wanted);
      if (fault !== null) throw new TypeError(explain(fault));
      const values = toValues(wanted);
      if (entries.has(values.key)) throw new TypeError(`the file has the term "${wanted.term}" twice`);
      entries.set(values.key, values);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      faults.push({ line, message: error.message });
    }
  }
  if (faults.length > 0) throw refuse(faults);
  return entries;
}

async function findKnown(store: Store, keys: readonly string[]): Promise<ReadonlyMap<unknown, StoredRecord>> {
  const known = new Map<unknown, StoredRecord>();
  for (const part of slicesOf(keys, AT_ONCE)) {
    const { records } = await store.find({
      collection: 'ml_glossary',
      where: oneOf('key', part),
      fields: ['key'],
    });
    for (const record of records) known.set(record['key'], record);
  }
  return known;
}

/**
 * Stores the entries of a CSV file, in place of those that the glossary has for the same terms. A file with a fault changes nothing.
 * @throws RestError `ml_glossary_file_invalid` with `data.errors`, `ml_glossary_full`
 */
export async function importCsv(store: Store, bytes: Uint8Array, reading: Reading): Promise<Imported> {
  const entries = [...(await readEntries(decode(bytes), reading)).values()];
  const before = await findKnown(
    store,
    entries.map(({ key }) => key),
  );
  await checkSpace(store, entries.length - before.size);
  for (const part of slicesOf(entries, AT_ONCE)) {
    await pause();
    await retryRaces(async () => {
      const known = await findKnown(
        store,
        part.map(({ key }) => key),
      );
      return store.commit(part.map((values) => toWrite('ml_glossary', known.get(values.key), values)));
    });
  }
  return { created: entries.length - before.size, updated: before.size };
}
