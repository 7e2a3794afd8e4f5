import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportItems, readOrigin, WRITE_FORMATS } from '../../../registry/transfer/index.ts';
import { defineCommand } from '../command.ts';
import { toWord, UsageError } from '../options.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;
const MIDNIGHT = 'T00:00:00';

/** @throws UsageError */
function toDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!DATE.test(text) || Number.isNaN(Date.parse(text))) throw new UsageError(`--since "${text}": must be a date such as 2026-01-31 or 2026-01-31T12:00:00, in GMT`);
  return text.includes('T') ? text : `${text}${MIDNIGHT}`;
}

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write the content of a site to a file or to standard output',
  description: ['The site may be in use: the export is one state of it. It contains the hashes of passwords, so keep it as carefully as the store.'],
  operands: {},
  options: {
    ...SITE_OPTIONS,
    format: { value: 'FORMAT', default: 'ndjson', help: `${[...WRITE_FORMATS.keys()].join(', ')}.` },
    types: { value: 'NAMES', help: 'Comma-separated types, taxonomies and collections, such as post,category,users. Default: everything.' },
    since: { value: 'DATE', help: 'Only records that changed on this day or later, in GMT. Records without a date are always part.' },
    output: { value: 'FILE', help: 'File to write. Default: standard output.' },
  },
  examples: [['routebook export --store file:./data | routebook import - --store postgres://db.example/site', 'moves a site to another store']],
  async run({ values }) {
    const format = toWord('format', values.format, [...WRITE_FORMATS.keys()]);
    const since = toDate(values.since);
    await withStore(values, async ({ store, collections }) => {
      const items = exportItems(store, { collections, types: values.types?.split(',').map((name) => name.trim()), since });
      const text = Readable.from(WRITE_FORMATS.get(format)?.(items, { origin: await readOrigin(store) }) ?? []);
      if (values.output === undefined) await pipeline(text, process.stdout, { end: false });
      else await pipeline(text, createWriteStream(values.output, { flags: 'wx', mode: 0o600 }));
    });
  },
});
