import { createWriteStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import type { ContentModel } from '../../../registry/site.ts';
import {
  countOmissions,
  type ExportedItems,
  listExported,
  type Omission,
  openExport,
  readExportedSite,
  WRITE_FORMATS,
  type WriteFormat,
} from '../../../registry/transfer/index.ts';
import { defineCommand } from '../frame/command.ts';
import { splitList, toWord, UsageError } from '../frame/options.ts';
import { note } from '../frame/output.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { type CommandStore, withStore } from '../site/with-store.ts';
import { keepHeapLean } from '../transfer/lean-heap.ts';

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;
const MIDNIGHT = 'T00:00:00';

/** @throws UsageError */
function toDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!DATE.test(text) || Number.isNaN(Date.parse(text)))
    throw new UsageError(
      `--since "${text}": must be a date such as 2026-01-31 or 2026-01-31T12:00:00, in GMT`,
    );
  return text.includes('T') ? text : `${text}${MIDNIGHT}`;
}

/** @throws UsageError */
function toAddress(text: string | undefined): string | undefined {
  if (text !== undefined && (!/^https?:\/\//.test(text) || !URL.canParse(text)))
    throw new UsageError(`--url "${text}": must be an address such as https://site.example`);
  return text;
}

const ATTACHMENT = 'attachment';

/** The types and taxonomies that records have, whether the site declares them or not. */
async function listStored({ store, collections }: CommandStore): Promise<readonly string[]> {
  const items = await openExport(store, { collections });
  const found = new Set<string>();
  try {
    for (const [collection, field] of [
      ['posts', 'type'],
      ['terms', 'taxonomy'],
    ] as const)
      for await (const { values } of items.of(collection)) found.add(String(values[field]));
  } finally {
    await items.close();
  }
  return [...found];
}

/** The names of `--types`. @throws UsageError for a name that neither the site nor a record has */
async function toTypes(
  text: string | undefined,
  opened: CommandStore,
): Promise<readonly string[] | undefined> {
  if (text === undefined) return undefined;
  const names = splitList(text);
  const { types, taxonomies } = opened.model;
  const [declared, collections] = [
    [...types.keys(), ATTACHMENT, ...taxonomies.keys()],
    listExported(opened.collections),
  ];
  if (names.every((name) => declared.includes(name) || collections.includes(name))) return names;
  const kinds = [...new Set([...declared, ...(await listStored(opened))])];
  const known = [...kinds, ...collections];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `--types "${unknown}": is not a type, a taxonomy or a collection of the site.${suggest(unknown, known)} Types and taxonomies: ${kinds.join(', ')}. Collections: ${collections.join(', ')}.`,
    );
  return names;
}

/** The option must name a new file: an export is never written over another one. @throws UsageError */
function checkOutput(file: string | undefined): void {
  if (file !== undefined && existsSync(file))
    throw new UsageError(
      `--output "${file}": the file exists already, and is not replaced. Name another one, or remove it first`,
    );
}

const toList = (omissions: readonly Omission[]): string =>
  omissions.map(({ what, count }) => `${count} ${what}`).join(', ');

/** Tells what is not in the file. */
async function noteOmissions(
  items: ExportedItems,
  { omits }: WriteFormat,
  { format, content }: { readonly format: string; readonly content: ContentModel },
): Promise<void> {
  const omissions = omits === null ? [] : await countOmissions(items, omits, content);
  const [unknown, others] = [
    omissions.filter(({ isUnknown }) => isUnknown),
    omissions.filter(({ isUnknown }) => !isUnknown),
  ];
  if (unknown.length > 0)
    note(
      `warning: left out with their revisions and comments: ${toList(unknown)}. The site does not declare them: give the --config of its server.`,
    );
  if (others.length > 0)
    note(`note: the format ${format} does not contain ${toList(others)}. The format ndjson is complete.`);
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

const exportCommand = defineCommand({
  description: [
    'ndjson is complete, with the hashes of passwords. wxr is what WordPress imports: no settings, roles, passwords or revisions. fixture is one JSON document without passwords (docs/fixtures.md).',
  ],
  operands: {},
  options: {
    ...SITE_OPTIONS,
    format: { value: 'FORMAT', default: 'ndjson', help: `${[...WRITE_FORMATS.keys()].join(', ')}.` },
    types: {
      value: 'NAMES',
      help: 'Comma-separated types, taxonomies and collections: post,category,users. Default: everything.',
    },
    since: {
      value: 'DATE',
      help: 'Only records that changed on this day or later (GMT), and those without a date.',
    },
    url: {
      value: 'ADDRESS',
      help: 'Address of the site, for links and files of wxr. Default: one that nobody has.',
    },
    output: { value: 'FILE', help: 'File to write. Default: standard output.' },
  },
  examples: [
    [
      'routebook export --format wxr --url https://site.example --output site.xml',
      'an export that WordPress imports',
    ],
    [
      'routebook export --store file:./data | routebook import - --store postgres://db.example/site',
      'moves a site to another store',
    ],
  ],
  async run({ values }) {
    const format = toWord('format', values.format, [...WRITE_FORMATS.keys()]);
    const since = toDate(values.since);
    const writing = WRITE_FORMATS.get(format) as WriteFormat;
    checkOutput(values.output);
    await withStore(values, async (opened) => {
      const { store, collections, model: content } = opened;
      const types = await toTypes(values.types, opened);
      const site = await readExportedSite(store, { content, url: toAddress(values.url) });
      const items = await openExport(store, { collections, types, since, first: writing.first });
      try {
        const text = Readable.from(inPieces(writing.write(items, site)));
        if (values.output === undefined) await pipeline(text, process.stdout, { end: false });
        else await pipeline(text, createWriteStream(values.output, { flags: 'wx', mode: 0o600 }));
        await noteOmissions(items, writing, { format, content });
      } finally {
        await items.close();
      }
    });
  },
});

export { exportCommand as export };
