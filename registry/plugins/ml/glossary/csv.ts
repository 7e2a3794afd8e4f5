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
