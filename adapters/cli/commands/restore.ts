import { collectionsOf, createContentModel } from '../../../registry/index.ts';
import { defineCommand } from '../command.ts';
import { print } from '../output.ts';
import { isMissing } from '../site/open-store.ts';
import { readSite } from '../site/read-site.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';
import { checkBackup, restoreFile, restoreInto } from '../transfer/copies.ts';

const FILE = 'file:';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Bring a site back from a backup',
  description: [
    'The backup is checked first. Stop the server before: what was written after the backup is lost. A directory is replaced in one step, so that an interrupted restore leaves it as it was. A database must be empty: restore into another schema and serve that.',
  ],
  operands: { source: { help: 'Directory that backup wrote.' } },
  options: { ...SITE_OPTIONS, replace: { help: 'Replace the content of a directory that holds a site.' } },
  examples: [['routebook restore /backups/monday --store file:./data --replace', 'the site as it was on Monday']],
  async run({ values, operands: { source } }) {
    const { store } = values;
    const site = await readSite(values);
    const collections = collectionsOf(createContentModel(site.content));
    const counts = await checkBackup(source, { collections });
    if (store.startsWith(FILE)) {
      if (!isMissing(store) && !values.replace) throw new TypeError(`--store "${store}" holds a site. Add --replace to replace it`);
      await restoreFile(source, store.slice(FILE.length), { ...site, collections });
    } else {
      await withStore(values, (opened) => restoreInto(source, opened));
    }
    print(`Restored ${[...counts.values()].reduce((sum, count) => sum + count, 0)} records.`);
  },
});
