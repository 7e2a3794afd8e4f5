import { isObject, own } from '../../lib/core/objects.ts';
import { readFixtureItems } from './fixture/fixture.ts';
import { writeFixture } from './fixture/write-fixture.ts';
import type { ExportedItems } from './items/export-items.ts';
import { type ExportedSite, type ImportSource, type Item, toSourceName } from './items/item.ts';
import { findNdjsonOrigin, isNdjson, readNdjson, writeNdjson } from './items/ndjson.ts';
import type { ReadContext } from './items/read-context.ts';
import { type Omits, toOmits } from './items/report.ts';
import { readWxr } from './wxr/read-wxr.ts';
import { writeWxr } from './wxr/write-wxr.ts';

/** The paths of a media record in the library: its file and its smaller copies, which are in the same folder. */
export function listMediaPaths({ collection, values }: Item): readonly string[] {
  const file = own(values, 'file');
  if (collection !== 'media' || typeof file !== 'string' || file === '' || /^https?:\/\//.test(file))
    return [];
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const sizes = own(values, 'sizes');
  const copies = isObject(sizes)
    ? Object.values(sizes).flatMap((size) =>
        isObject(size) && typeof size['file'] === 'string' ? [`${folder}${size['file']}`] : [],
      )
    : [];
  return [file, ...copies];
}

// The public entry of content in and out: readers and writers of formats, and the import into a store.
export { importItems, type FileTarget, type ImportOptions } from './import-items.ts';
export { STORED_STATUSES } from '../core/schemas/post-args.ts';
export { findContentFault } from '../core/files/library-file.ts';
export type {
  ExportedSite,
  ReadResult,
  Item,
  ItemFile,
  LeftOut,
  ImportSource,
  Undeclared,
} from './items/item.ts';
export { ContentSuggestion, type SuggestedContent } from './items/suggest-content.ts';
export { listUnknownRoles } from './items/known-roles.ts';
export { loadReadContext, type ReadContext } from './items/read-context.ts';
export { writeReport, type ImportReport } from './items/report.ts';
export { findDangling, type Dangling } from './plan/references.ts';
export { Parents } from './plan/same-record.ts';
export {
  exportItems,
  listExported,
  openExport,
  readExportedSite,
  type ExportedItems,
  type ExportOptions,
} from './items/export-items.ts';
export { countOmissions, type Omission, type Omits } from './items/report.ts';
export { openRest, type OpenedRest } from './rest/read-rest.ts';
export type { RestSource } from './rest/rest-client.ts';
export { readNdjson, writeNdjson } from './items/ndjson.ts';
export { readWxr } from './wxr/read-wxr.ts';

/** A format that can be imported. */
export interface ReadFormat {
  /** Name of the format: `wxr`, `ndjson`, `fixture`. */
  readonly name: string;
  /** Whether a file of this format begins with these bytes. */
  readonly matches: (start: Uint8Array) => boolean;
  /** What the file says of the site that it comes from; undefined if it says nothing. */
  readonly origin: (start: Uint8Array) => string | undefined;
  /** Reads a file piece by piece. */
  readonly read: (bytes: AsyncIterable<Uint8Array>, context: ReadContext) => Omit<ImportSource, 'name'>;
}

/** Bytes of a file by which its format and its origin are known. */
export const START_BYTES = 65_536;

/** The beginning as text. NULs are those of UTF-16. */
function toText(start: Uint8Array): string {
  return Buffer.from(start.subarray(0, START_BYTES))
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:ï»¿|ÿþ|þÿ)/, '')
    .trimStart();
}

/** The elements of WXR that name the site, in the order in which they are asked. */
const ORIGINS: readonly RegExp[] = ['base_blog_url', 'base_site_url', 'link'].map(
  (name) => new RegExp(String.raw`<(?:[\w.-]+:)?${name}>\s*(?:<!\[CDATA\[\s*)?(https?://[^\s<\]]+)`),
);

/** The channel names the site before its items. An item has a link as well. */
function findWxrOrigin(start: Uint8Array): string | undefined {
  const [head = ''] = toText(start).split('<item');
  const address = ORIGINS.map((pattern) => pattern.exec(head)?.[1]).find((found) => found !== undefined);
  return address === undefined ? undefined : toSourceName(address);
}

/** The formats that can be imported. */
export const READ_FORMATS: readonly ReadFormat[] = [
  {
    name: 'wxr',
    matches: (start) => /^<(?:\?xml|!--|!DOCTYPE|rss)/i.test(toText(start)),
    origin: findWxrOrigin,
    read: (bytes, context) => ({ found: readWxr(bytes, context) }),
  },
  {
    name: 'ndjson',
    matches: (start) => isNdjson(toText(start)),
    origin: (start) => findNdjsonOrigin(toText(start)),
    read: (bytes) => ({ found: readNdjson(bytes), keepsIds: true }),
  },
  {
    name: 'fixture',
    matches: (start) => toText(start).startsWith('{'),
    origin: () => undefined,
    read: (bytes, context) => ({ found: readFixtureItems(bytes, context), keepsIds: true }),
  },
];

/** The format of a file by its first bytes; undefined if it is not known. */
export function findFormat(start: Uint8Array): ReadFormat | undefined {
  return READ_FORMATS.find(({ matches }) => matches(start));
}

/** A format that content can be exported to. */
export interface WriteFormat {
  /** Writes the items of a site piece by piece. */
  readonly write: (items: ExportedItems, site: ExportedSite) => AsyncIterable<string>;
  /** Collections that come first, whatever types are chosen, because records are written with parts of them. */
  readonly first: readonly string[];
  /** Which records the format leaves out. null: it is complete. */
  readonly omits: Omits | null;
}

/** The formats that content can be exported to, by name. */
export const WRITE_FORMATS: ReadonlyMap<string, WriteFormat> = new Map([
  ['ndjson', { write: writeNdjson, first: [], omits: null }],
  [
    'wxr',
    {
      write: writeWxr,
      first: ['users', 'terms', 'comments'],
      omits: toOmits(['users', 'terms', 'comments', 'media', 'posts'], { needsTypes: false }),
    },
  ],
  [
    'fixture',
    {
      write: writeFixture,
      first: ['terms'],
      omits: toOmits(['options', 'users', 'terms', 'media', 'posts', 'revisions', 'comments'], {
        needsTypes: true,
      }),
    },
  ],
]);
