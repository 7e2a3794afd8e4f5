import { renameMeta } from '../../../registry/site.ts';
import { defineCommand } from '../frame/command.ts';
import { print } from '../frame/output.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { withStore } from '../site/with-store.ts';

export const metaRename = defineCommand({
  description: [
    'For a key that the configuration declares under a new name. A record that has a value under the new name keeps it. Revisions keep the old name.',
  ],
  operands: {
    of: { help: 'A type, a taxonomy, user or comment.' },
    from: { help: 'Name under which the values are stored.' },
    to: { help: 'New name.' },
  },
  options: SITE_OPTIONS,
  examples: [['routebook meta rename recipe serves servings', 'the values of serves are those of servings']],
  async run({ operands, values }) {
    const count = await withStore(values, ({ store, model }) => renameMeta(store, model, operands));
    print(
      `Renamed ${operands.from} of ${operands.of} to ${operands.to} in ${count} ${count === 1 ? 'record' : 'records'}.`,
    );
  },
});
