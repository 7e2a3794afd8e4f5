import { StringDecoder } from 'node:string_decoder';
import { isObject, own } from '../../../lib/core/objects.ts';
import { found, type Item, leftOut, type ReadResult } from './item.ts';

/** The first line of a file: the format and its version. The last line has the number of records. */
const HEAD = { routebook: 'export', version: 1 } as const;
/** Longest line, in characters. */
const MOST_LINE = 64 * 1024 * 1024;

/** Whether a text begins as such a file does, or as one whose first line is missing: that is refused with a reason. */
export function isNdjson(start: string): boolean {
  return /^\{\s*"(?:routebook"\s*:\s*"export"|(?:collection|id|values|end)"\s*:)/.test(start);
}

/** The site that a file says it comes from. */
export function findNdjsonOrigin(start: string): string | undefined {
  const [line = ''] = start.split('\n');
  const origin = own(parse(line) ?? {}, 'origin');
  return typeof origin === 'string' && origin !== '' ? origin : undefined;
}

/** Writes items as lines of JSON: a head, one line for each record, and an end with their number. `origin`: identifies the site. */
export async function* writeNdjson(
  items: AsyncIterable<Item>,
  { origin }: { readonly origin?: string | undefined } = {},
): AsyncGenerator<string> {
  let count = 0;
  yield `${JSON.stringify({ ...HEAD, origin })}\n`;
  for await (const { collection, id, values } of items) {
    count += 1;
    yield `${JSON.stringify({ collection, id, values })}\n`;
  }
  yield `${JSON.stringify({ end: count })}\n`;
}

/** The lines of a file without their ends. A line that is too long is cut, so that it is not valid. */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    if (length < MOST_LINE) parts.push(text);
    length += text.length;
  };
  for await (const chunk of bytes) {
    const [first = '', ...others] = decoder
      .write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
      .split('\n');
    add(first);
    for (const next of others) {
      yield parts.join('');
      [parts, length] = [[], 0];
      add(next);
    }
  }
  if (length > 0) yield parts.join('');
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    // The line is reported by its number; the parser's position in it would not help.
    return null;
  }
}

function toFound(value: Readonly<Record<string, unknown>> | null, place: string): ReadResult {
  const { collection, id, values } = value ?? {};
  if (typeof collection !== 'string' || !Number.isSafeInteger(id) || id === 0 || !isObject(values))
    return leftOut(place, 'line', 'it is not a record: {"collection", "id", "values"}');
  return found({
    place: `${place}, ${collection} ${String(id)}`,
    collection,
    id: Number(id),
    values: values as Item['values'],
  });
}

/** Reads a file that `writeNdjson` wrote, line by line. A line that cannot be read is left out. @throws TypeError for a newer version */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadResult> {
  let [line, count, end] = [0, 0, -1];
  for await (const text of readLines(bytes)) {
    line += 1;
    const value = text.trim() === '' ? undefined : parse(text);
    if (value === undefined) continue;
    if (line === 1) {
      if (value === null || own(value, 'routebook') !== HEAD.routebook)
        throw new TypeError(`line 1 must be the header ${JSON.stringify(HEAD)}`);
      const version = own(value, 'version');
      if (version !== HEAD.version)
        throw new TypeError(
          `the file has version ${JSON.stringify(version)}, and this program reads version ${HEAD.version}`,
        );
    } else if (value !== null && typeof own(value, 'end') === 'number') {
      end = Number(own(value, 'end'));
    } else {
      count += 1;
      yield toFound(value, `line ${line}`);
    }
  }
  if (end !== count)
    yield leftOut(
      'end of the file',
      'the rest of the file',
      end === -1 ? 'the file was cut off' : `it has ${count} records and was written with ${end}`,
    );
}
