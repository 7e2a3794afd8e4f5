import { defineCommand } from '../frame/command.ts';
import { print, printJson } from '../frame/output.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';
import { backUp } from '../transfer/back-up.ts';

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy a site into a directory while it is in use, and check the copy',
  description: [
    'It replaces an older copy only when it is sound. Copy the directory of the media library as well.',
    'Beside a running server, the store must be PostgreSQL or a recent SQLite (docs/stores.md).',
  ],
  operands: { target: { help: 'Directory for the copy.' } },
  options: { ...SITE_OPTIONS, json: { help: 'Print the number of records by collection as JSON.' } },
  examples: [['routebook backup /backups/monday', 'a copy that restore reads']],
  async run({ values, operands: { target } }) {
    const counts = await withStore(values, (opened) => backUp(opened, target));
    if (values.json) printJson(Object.fromEntries(counts));
    else print(`Copied and checked ${[...counts.values()].reduce((sum, count) => sum + count, 0)} records.`);
  },
});
