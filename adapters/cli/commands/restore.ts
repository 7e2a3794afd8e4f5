import { collectionsOf, createContentModel } from '../../../registry/site.ts';
import { defineCommand } from '../frame/command.ts';
import { note, print } from '../frame/output.ts';
import { isMissing } from '../site/open-store.ts';
import { readSite } from '../site/read-site.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';
import type { Counts } from '../transfer/copies.ts';
import { restoreFile, restoreInto, verifyBackup } from '../transfer/restore.ts';

const FILE = 'file:';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Bring a site back from a backup',
  description: [
    'Stop the server before: what was written after the backup is lost. A database must be empty: restore into another schema and serve that.',
  ],
  operands: { source: { help: 'Directory that backup wrote.' } },
  options: { ...SITE_OPTIONS, replace: { help: 'Replace the content of a directory that holds a site.' } },
  examples: [
    ['routebook restore /backups/monday --store file:./data --replace', 'the site as it was on Monday'],
  ],
  async run({ values, operands: { source } }) {
    const { store } = values;
    const site = await readSite(values);
    const collections = collectionsOf(createContentModel(site.content), site.plugins);
    const backup = await verifyBackup(source);
    const restoreTo = async (): Promise<Counts> => {
      if (!store.startsWith(FILE)) return withStore(values, (opened) => restoreInto(backup, opened));
      if (!isMissing(store) && !values.replace)
        throw new TypeError(`--store "${store}" holds a site. Add --replace to replace it`);
      return restoreFile(backup, store.slice(FILE.length), { ...site, collections });
    };
    const counts = await restoreTo();
    print(`Restored ${[...counts.values()].reduce((sum, count) => sum + count, 0)} records.`);
    if (!backup.hasSum)
      note(
        `${backup.path} has no SHA-256 beside it, as backups of earlier versions: a text that changed since was not noticed.`,
      );
  },
});
