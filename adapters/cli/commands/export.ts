import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createContentModel } from '../../../registry/index.ts';
import { openExport, readExportedSite, WRITE_FORMATS, type WriteFormat } from '../../../registry/transfer/index.ts';
import { defineCommand } from '../command.ts';
import { toWord, UsageError } from '../options.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';
import { keepHeapLean } from '../transfer/lean-heap.ts';

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;
const MIDNIGHT = 'T00:00:00';

/** @throws UsageError */
function toDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!DATE.test(text) || Number.isNaN(Date.parse(text))) throw new UsageError(`--since "${text}": must be a date such as 2026-01-31 or 2026-01-31T12:00:00, in GMT`);
  return text.includes('T') ? text : `${text}${MIDNIGHT}`;
}

/** @throws UsageError */
function toAddress(text: string | undefined): string | undefined {
  if (text !== undefined && (!/^https?:\/\//.test(text) || !URL.canParse(text))) throw new UsageError(`--url "${text}": must be an address such as https://site.example`);
  return text;
}

/** Characters that are written together. */
const PIECE = 64 * 1024;
/** Bytes. An export has few records in memory, so that little else would count. */
const MOST_GARBAGE = 16 * 1024 * 1024;

/** Joins small parts, and keeps garbage from gathering. */
async function* inPieces(parts: AsyncIterable<string>): AsyncGenerator<string> {
  const collect = keepHeapLean(MOST_GARBAGE);
  let waiting: string[] = [];
  let length = 0;
  for await (const part of parts) {
    waiting.push(part);
    length += part.length;
    if (length < PIECE) continue;
    yield waiting.join('');
    [waiting, length] = [[], 0];
    collect();
  }
  if (length > 0) yield waiting.join('');
}

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write the content of a site to a file or to standard output',
  description: ['The site may be in use: the export is one state of it. NDJSON is complete. It contains the hashes of passwords, so keep it as carefully as the store. WXR has what the importer of WordPress reads: no settings, roles, passwords or revisions. A fixture (docs/fixtures.md) is one JSON document for tests and small sites, without passwords.'],
  operands: {},
  options: {
    ...SITE_OPTIONS,
    format: { value: 'FORMAT', default: 'ndjson', help: `${[...WRITE_FORMATS.keys()].join(', ')}.` },
    types: { value: 'NAMES', help: 'Comma-separated types, taxonomies and collections, such as post,category,users. Default: everything.' },
    since: { value: 'DATE', help: 'Only records that changed on this day or later, in GMT. Records without a date are always part.' },
    url: { value: 'ADDRESS', help: 'Address of the site, for the links of wxr and the addresses of its files. Default: one that nobody has.' },
    output: { value: 'FILE', help: 'File to write. Default: standard output.' },
  },
  examples: [['routebook export --format wxr --url https://site.example --output site.xml', 'an export that WordPress imports'], ['routebook export --store file:./data | routebook import - --store postgres://db.example/site', 'moves a site to another store']],
  async run({ values }) {
    const format = toWord('format', values.format, [...WRITE_FORMATS.keys()]);
    const since = toDate(values.since);
    const { write, first } = WRITE_FORMATS.get(format) as WriteFormat;
    await withStore(values, async ({ store, collections, content }) => {
      const site = await readExportedSite(store, { content: createContentModel(content), url: toAddress(values.url) });
      const items = await openExport(store, { collections, types: values.types?.split(',').map((name) => name.trim()), since, first });
      try {
        const text = Readable.from(inPieces(write(items, site)));
        if (values.output === undefined) await pipeline(text, process.stdout, { end: false });
        else await pipeline(text, createWriteStream(values.output, { flags: 'wx', mode: 0o600 }));
      } finally {
        await items.close();
      }
    });
  },
});
