/** A record of a CSV file. `line`: where it begins, counted from 1. */
export interface CsvRecord {
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

/** The separator of the first line: spreadsheets write what the language of the user wants. */
function findSeparator(text: string): string {
  const [head = ''] = text.split(/\r?\n/, 1);
  const counts = SEPARATORS.map((separator) => head.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A quoted cell, any other cell, and what ends a cell. */
const toPattern = (separator: string): RegExp => new RegExp(`(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}][^\\r\\n${separator}]*|))(${separator}|\\r?\\n|$)`, 'y');

const countLines = (text: string): number => text.split('\n').length - 1;

/** The records of a CSV file (RFC 4180), also blank ones. The separator is a comma, a semicolon or a tab. @throws CsvError */
export function* readCsv(file: string): Generator<CsvRecord> {
  const text = file.replace(/^\uFEFF/, '');
  const pattern = toPattern(findSeparator(text));
  let [line, begin, cells] = [1, 1, [] as string[]];
  for (let at = 0; at < text.length || cells.length > 0; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw new CsvError(line, 'the quotation marks are not those of CSV');
    const [whole, quoted, plain = '', end = ''] = match;
    if (cells.length === MOST_CELLS) throw new CsvError(line, `there are more than ${MOST_CELLS} cells`);
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += countLines(whole);
    if (end !== '' && !end.endsWith('\n')) continue;
    yield { line: begin, cells };
    [begin, cells] = [line, []];
  }
}
