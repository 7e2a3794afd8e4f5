import type { Item, Source } from './item.ts';
import type { ReadContext } from './read-context.ts';
import { readFixtureItems } from './read-fixture.ts';
import { isNdjson, readNdjson, writeNdjson } from './ndjson.ts';
import { readWxr } from './wxr/read-wxr.ts';

/** A format that can be imported. */
export interface ReadFormat {
  readonly name: string;
  /** Whether a file of this format begins with these bytes. */
  readonly matches: (start: Uint8Array) => boolean;
  readonly read: (bytes: AsyncIterable<Uint8Array>, context: ReadContext) => Omit<Source, 'name'>;
}

const START_BYTES = 4096;

/** The beginning as text. NULs are those of UTF-16. */
function toText(start: Uint8Array): string {
  return Buffer.from(start.subarray(0, START_BYTES)).toString('latin1').replaceAll('\0', '').replace(/^(?:ï»¿|ÿþ|þÿ)/, '').trimStart();
}

/** The formats that can be imported. */
export const READ_FORMATS: readonly ReadFormat[] = [
  { name: 'wxr', matches: (start) => /^<(?:\?xml|!--|!DOCTYPE|rss)/i.test(toText(start)), read: (bytes, context) => ({ found: readWxr(bytes, context) }) },
  { name: 'ndjson', matches: (start) => isNdjson(toText(start)), read: (bytes) => ({ found: readNdjson(bytes), keepsIds: true }) },
  { name: 'fixture', matches: (start) => toText(start).startsWith('{'), read: (bytes, context) => ({ found: readFixtureItems(bytes, context), keepsIds: true }) },
];

/** The format of a file by its first bytes; undefined if it is not known. */
export function findFormat(start: Uint8Array): ReadFormat | undefined {
  return READ_FORMATS.find(({ matches }) => matches(start));
}

/** What writes a format. */
export type WriteFormat = (items: AsyncIterable<Item>) => AsyncIterable<string>;

/** The formats that content can be exported to, by name. */
export const WRITE_FORMATS: ReadonlyMap<string, WriteFormat> = new Map([['ndjson', writeNdjson]]);
