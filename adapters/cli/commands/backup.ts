import { defineCommand } from '../command.ts';
import { print, printJson } from '../output.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';
import { backUp } from '../transfer/back-up.ts';

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy a site into a directory while it is in use, and check the copy',
  description: [
    'The copy is one state of the site and is checked before it replaces an older copy in the directory. Its SHA-256 is written beside it. Files of the media library are not part of it: copy their directory as well.',
    'Beside a running server, the store must allow several processes: PostgreSQL, or SQLite 3.51.3 or newer. On Node 20 a directory belongs to the server (docs/back-up.md).',
  ],
  operands: { target: { help: 'Directory for the copy. It is created if it does not exist.' } },
  options: { ...SITE_OPTIONS, json: { help: 'Print the number of records by collection as JSON.' } },
  examples: [['routebook backup /backups/monday', 'a copy that restore reads']],
  async run({ values, operands: { target } }) {
    const counts = await withStore(values, (opened) => backUp(opened, target));
    if (values.json) printJson(Object.fromEntries(counts));
    else print(`Copied and checked ${[...counts.values()].reduce((sum, count) => sum + count, 0)} records.`);
  },
});
