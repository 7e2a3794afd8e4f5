import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createContentModel, ROLES } from '../../../registry/index.ts';
import { findFormat, importItems, loadReadContext, writeReport, type FileTarget, type ReadFormat, type Source } from '../../../registry/transfer/index.ts';
import { createMediaTarget } from '../../media-target.ts';
import { createOutbound } from '../../outbound.ts';
import { defineCommand } from '../command.ts';
import { toWord, UsageError } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';
import { openSource, type OpenedSource } from '../transfer/open-source.ts';
import { createProgressBar } from '../transfer/progress-bar.ts';

const OPTIONS = {
  ...SITE_OPTIONS,
  as: { value: 'NAME', help: 'Name of the source, so that a newer export of the same site continues an earlier import. Default: the address of the site, where the file names it; otherwise the name of the file.' },
  role: { value: 'ROLE', default: 'subscriber', help: 'Role of the imported users. Exports of WordPress do not name any.' },
  uploads: { value: 'DIRECTORY', help: 'A copy of wp-content/uploads of the old site. Its files are copied to --media.' },
  fetch: { help: 'Fetch files that are not in --uploads from their addresses. Only public addresses are fetched.' },
  media: { value: 'DIRECTORY', help: 'Directory of the media library, as in "directories" of --config. Without it, no files are stored.' },
  report: { value: 'FILE', help: 'Write the report to this file as JSON.' },
  json: { help: 'Print the report as JSON.' },
} as const;

type Values = Parameters<Parameters<typeof defineCommand<typeof OPTIONS, Record<never, never>>>[0]['run']>[0]['values'];

function toFiles({ media, uploads, fetch }: Values): FileTarget | undefined {
  if (media === undefined && (uploads !== undefined || fetch)) throw new UsageError('--uploads and --fetch need --media, the directory that the files are copied to.');
  return media === undefined ? undefined : createMediaTarget({ directory: media, from: uploads, outbound: fetch ? createOutbound() : undefined });
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

/** Opens the file and recognises its format. @throws TypeError */
async function openFile(file: string): Promise<OpenedSource & { readonly format: ReadFormat }> {
  const opened = await openSource(file);
  const format = findFormat(opened.start);
  if (format === undefined) throw new TypeError(`${file}: is not an export of WordPress (WXR), NDJSON or a fixture`);
  return { ...opened, format };
}

export const importCommand = defineCommand({
  name: 'import',
  summary: 'Bring content in: an export of WordPress, NDJSON, or a fixture',
  description: [
    'Ids are kept where they are free. A second import of the same file changes nothing, and an import that was interrupted continues when it is run again. An item that cannot be read costs itself only; the report names everything that was left out.',
  ],
  operands: { file: { help: 'The file; - for standard input.' } },
  options: OPTIONS,
  examples: [
    ['routebook import dump.xml --content core', 'the posts, pages and comments of a WordPress site'],
    ['routebook import dump.xml --content core --uploads old/uploads --media ./uploads', 'the same with its files'],
  ],
  exitCodes: { 3: 'something was left out; the report says what and why' },
  async run({ values, operands }) {
    const files = toFiles(values);
    const role = toWord('role', values.role, Object.keys(ROLES));
    const file = await openFile(operands.file);
    return withStore(values, async ({ store, collections, languages, prefixes, content: definition }) => {
      const content = createContentModel(definition);
      const context = await loadReadContext(store, { content, languages, language: prefixes?.[0], role });
      const source: Source = { name: values.as ?? file.format.origin(file.start) ?? basename(operands.file), ...file.format.read(file.bytes, context) };
      const bar = createProgressBar(file.size);
      const report = await importItems(source, {
        store, collections, content, files, signal: stopOnSignal(), onProgress: (stored) => bar.update(file.done(), stored),
      }).finally(() => bar.stop());
      if (values.report !== undefined) await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
      if (values.json) printJson(report);
      else print(writeReport(report));
      if (!report.complete) return 1;
      return report.leftOut.length > 0 ? 3 : 0;
    }, { creates: true });
  },
});
