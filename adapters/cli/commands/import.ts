import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import cliProgress from 'cli-progress';
import type { ContentDefinition, Outbound } from '../../../registry/site.ts';
import {
  ContentSuggestion,
  type FileTarget,
  findContentFault,
  findFormat,
  importItems,
  type ImportSource,
  loadReadContext,
  openRest,
  type ReadContext,
  type ReadFormat,
  writeReport,
} from '../../../registry/transfer/index.ts';
import { createMediaTarget } from '../../media-target.ts';
import { defineCommand } from '../frame/command.ts';
import { UsageError } from '../frame/options.ts';
import { JSON_SWITCH, note, print, printJson } from '../frame/output.ts';
import { readPassword } from '../frame/prompt.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';
import { keepHeapLean } from '../transfer/lean-heap.ts';
import {
  createImportOutbound,
  createPrivateOutbound,
  isPrivateHost,
  openSource,
  toRoles,
  toStatuses,
} from '../transfer/open-source.ts';

const OPTIONS = {
  ...SITE_OPTIONS,
  as: {
    value: 'NAME',
    help: 'Name of the source, for a newer export of it. Default: the address in the file, else its name.',
  },
  role: {
    value: 'ROLES',
    default: 'subscriber',
    help: 'Role of users whose source does not show it, and of single logins: author,ada=editor.',
  },
  status: {
    value: 'PAIRS',
    help: 'Statuses of the site for those that it does not have: wc-completed=publish.',
  },
  'dry-run': { help: 'Write nothing, and report what an import would do.' },
  suggest: {
    value: 'FILE',
    help: 'Write a configuration that declares what the site does not have, with guessed types: check them.',
  },
  uploads: {
    value: 'DIRECTORY',
    help: 'A copy of wp-content/uploads of the old site, from which files are copied to --media.',
  },
  fetch: {
    help: 'Fetch other files from their public addresses.',
  },
  media: { value: 'DIRECTORY', help: 'Directory of the media library. Without it, no files are stored.' },
  user: {
    value: 'LOGIN',
    help: 'An administrator or editor of a live site. Without it, only what is published is read.',
  },
  password: {
    value: 'PASSWORD',
    help: 'Application password of --user. Default: asked for, or read from standard input.',
  },
  private: {
    help: 'The host of the live site may be in a private network; redirects and files elsewhere may not.',
  },
  credentials: {
    help: 'Take over passwords of users whom the site has already: the author of the file can then log in as them.',
  },
  report: { value: 'FILE', help: 'Write the report to this file as JSON.' },
  json: JSON_SWITCH,
} as const;

async function writeSuggestion(
  file: string,
  suggestion: ContentSuggestion,
  definition: ContentDefinition,
): Promise<void> {
  const { content, impossible } = suggestion.finish(definition);
  await writeFile(file, `${JSON.stringify({ content }, null, 2)}\n`);
  note(
    `note: check ${file}, and put its member "content" in place of that of your configuration (routebook.json) before you import`,
  );
  if (impossible.length > 0) note(`note: the site cannot have ${impossible.join(', ')}`);
}

type Values = Parameters<
  Parameters<typeof defineCommand<typeof OPTIONS, Record<never, never>>>[0]['run']
>[0]['values'];

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

/** @throws UsageError */
function checkAddress(url: string): void {
  if (!URL.canParse(url) || /[?#@]/.test(url))
    throw new UsageError(
      `${url}: must be an address such as https://old.example/wp-json. A login belongs to --user and --password`,
    );
}

/** The way to the old site and its files. @throws UsageError */
async function toOutbound({ private: isPrivate }: Values, source: string): Promise<Outbound> {
  if (isAddress(source)) {
    checkAddress(source);
    return isPrivate ? createPrivateOutbound(source) : createImportOutbound(source);
  }
  if (isPrivate)
    throw new UsageError(
      '--private needs the address of a live site: it allows private addresses of the host of that site only. Copy files of a private network, and give --uploads.',
    );
  return createImportOutbound();
}

/** Stores no file, for a reason or because it need not. */
const toNowhere = (reason?: string): FileTarget => ({ put: () => Promise.resolve(reason) });

/** @throws UsageError */
function toFiles({ media, uploads, fetch, 'dry-run': isDry }: Values, outbound: Outbound): FileTarget {
  if (media === undefined && (uploads !== undefined || fetch))
    throw new UsageError('--uploads and --fetch need --media, the directory that the files are copied to.');
  if (media === undefined)
    return toNowhere('it is not stored, because no directory for files is given (--media)');
  if (isDry) return toNowhere();
  return createMediaTarget({
    directory: media,
    from: uploads,
    outbound: fetch ? outbound : undefined,
    findFault: findContentFault,
  });
}

/** Opens a source that can be imported, and tells how far it was read. */
type OpenImport = (
  context: ReadContext,
  signal: AbortSignal,
) => Promise<ImportSource & { readonly total: number; readonly done: () => number }>;

/** @throws UsageError */
async function openAddress(url: string, values: Values, outbound: Outbound): Promise<OpenImport> {
  if (values.user === undefined && values.password !== undefined)
    throw new UsageError('--password needs --user.');
  const authorization =
    values.user === undefined
      ? undefined
      : `Basic ${Buffer.from(`${values.user}:${await readPassword(values.password)}`).toString('base64')}`;
  return (context, signal) =>
    openRest({ url, authorization, outbound, signal }, context).catch(async (error: unknown) => {
      if (signal.aborted)
        throw new Error(`${url}: stopped before the first record; nothing is imported`, { cause: error });
      if (!values.private && error instanceof Error && (await isPrivateHost(url)))
        throw new Error(`${error.message}. --private allows it for the host of the site`, { cause: error });
      throw error;
    });
}

/** Stops after the commit that is under way. A second signal ends the program at once. */
function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      note('stopping after the current commit; run the import again to continue');
      stop.abort();
    });
  }
  return stop.signal;
}

/** What a file holds. Its mistakes are told with its name. @throws TypeError */
async function* inFile(
  file: string,
  found: ImportSource['found'],
): ImportSource['found'] extends AsyncIterable<infer T> ? AsyncGenerator<T> : never {
  try {
    yield* found;
  } catch (error) {
    throw error instanceof TypeError || error instanceof SyntaxError
      ? new TypeError(`${file}: ${error.message}`, { cause: error })
      : error;
  }
}

/** Opens the file and recognises its format. @throws TypeError */
async function openFile(file: string, { uploads, fetch }: Values): Promise<OpenImport> {
  const opened = await openSource(file);
  const format: ReadFormat | undefined = findFormat(opened.start);
  if (format === undefined)
    throw new TypeError(`${file}: is not an export of WordPress (WXR), NDJSON or a fixture`);
  if (format.name !== 'wxr' && (uploads !== undefined || fetch))
    throw new UsageError(
      `--uploads and --fetch are for exports of WordPress and live sites: a file of the format ${format.name} does not name files. Copy the directory of the media library.`,
    );
  return async (context) => {
    const source = format.read(opened.bytes, context);
    return {
      ...source,
      name: format.origin(opened.start) ?? basename(file),
      found: inFile(file, source.found),
      total: opened.size,
      done: opened.done,
    };
  };
}

/** Shows how far a source was read, on a terminal only. */
interface ProgressBar {
  /** `read`: bytes or records of the source; `stored`: records that are stored. */
  update(read: number, stored: number): void;
  stop(): void;
}

const SILENT: ProgressBar = { update: () => undefined, stop: () => undefined };
const SECOND = 1000;

/** `total`: what `read` will be at the end; 0 if it is not known. */
function createProgressBar(total: number): ProgressBar {
  if (process.stderr.isTTY !== true || total === 0) return SILENT;
  const started = performance.now();
  const bar = new cliProgress.SingleBar(
    {
      format: '{bar} {percentage}% | {stored} records, {rate}/s | {eta_formatted} left',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0, { stored: 0, rate: 0 });
  return {
    update: (read, stored) =>
      bar.update(Math.min(read, total), {
        stored,
        rate: Math.round((stored * SECOND) / Math.max(performance.now() - started, 1)),
      }),
    stop: () => bar.stop(),
  };
}

const importCommand = defineCommand({
  description: [
    'A second import of the same file changes nothing but what the site has declared since, and continues one that was interrupted. The report names everything that was left out (docs/move-from-wordpress.md).',
  ],
  operands: {
    source: {
      help: 'A file, - for standard input, or the REST address of a live site: https://old.example/wp-json.',
    },
  },
  options: OPTIONS,
  examples: [
    ['routebook import dump.xml --content core', 'the posts, pages and comments of a WordPress site'],
    [
      'routebook import https://old.example/wp-json --content core --user ada',
      'a live site, with its drafts',
    ],
    [
      'routebook import dump.xml --content core --uploads old/uploads --media ./uploads',
      'the same with its files',
    ],
    [
      'routebook import dump.xml --content core --dry-run --suggest site.json',
      'what would be stored, and what the site would have to declare',
    ],
  ],
  exitCodes: { 3: 'something was left out; the report says what and why' },
  async run({ values, operands }) {
    const outbound = await toOutbound(values, operands.source);
    const files = toFiles(values, outbound);
    const { role, roles } = toRoles(values.role);
    const statuses = toStatuses(values.status);
    const suggestion = new ContentSuggestion();
    const open = await (isAddress(operands.source)
      ? openAddress(operands.source, values, outbound)
      : openFile(operands.source, values));
    return withStore(
      values,
      async ({ store, collections, languages, prefixes, content: definition, model: content }) => {
        const signal = stopOnSignal();
        const { total, done, ...source } = await open(
          await loadReadContext(store, { content, languages, language: prefixes?.[0], role, statuses }),
          signal,
        );
        const bar = createProgressBar(total);
        const collect = keepHeapLean();
        const report = await importItems(
          { ...source, name: values.as ?? source.name },
          {
            store,
            collections,
            content,
            files,
            role,
            roles,
            dryRun: values['dry-run'],
            onUndeclared: (each) => suggestion.add(each),
            credentials: values.credentials,
            signal,
            onProgress: (stored) => {
              collect();
              bar.update(done(), stored);
            },
          },
        ).finally(() => bar.stop());
        if (values.report !== undefined)
          await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
        if (values.suggest !== undefined) await writeSuggestion(values.suggest, suggestion, definition);
        if (values.json) printJson(report);
        else print(writeReport(report));
        if (!report.complete) return 1;
        return report.leftOut.length > 0 ? 3 : 0;
      },
      { creates: true, leaves: values['dry-run'] },
    );
  },
});

export { importCommand as import };
