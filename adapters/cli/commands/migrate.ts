import { defineCommand } from '../frame/command.ts';
import { print } from '../frame/output.ts';
import { logAll } from '../site/open-store.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';

export const migrate = defineCommand({
  description: [
    'A server does the same at its start. Run it before several servers of the new version share a database. Make a backup first.',
    'A directory must not be in use, unless its SQLite allows several processes (docs/stores.md).',
  ],
  operands: {},
  options: { ...SITE_OPTIONS },
  examples: [
    [
      'routebook migrate --store postgres://routebook@db.example.org/routebook',
      'before servers of the new version are started',
    ],
  ],
  async run({ values }) {
    await withStore(
      values,
      async ({ store }) => {
        await store.prepared?.();
      },
      { log: logAll },
    );
    print('The store is up to date.');
  },
});
