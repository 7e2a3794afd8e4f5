import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { toStoreLog } from '../../../../adapters/stores/sql/store-log.ts';
import { inFolder } from '../../../support/temporary.ts';
import { countUnhandled } from '../../../support/unhandled.ts';

const logs = suite('the log of a store');

logs('gets the message and what failed', () => {
  const noted: unknown[] = [];
  const log = toStoreLog((message, error) => {
    noted.push([message, error]);
  });
  const failure = new Error('disk');
  log('a note');
  log('a failure', failure);
  assert.equal(noted, [
    ['a note', undefined],
    ['a failure', failure],
  ]);
  assert.is(toStoreLog()('nobody listens'), undefined);
});

for (const [title, log] of [
  [
    'throws',
    () => {
      throw new Error('no log');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('no log');
    },
  ],
] as const) {
  logs(`that ${title} does not keep a store from working`, () =>
    inFolder(async (directory) => {
      const { error } = console;
      const lines: unknown[] = [];
      console.error = (line: unknown) => {
        lines.push(line);
      };
      try {
        assert.is(
          await countUnhandled(async () => {
            const store = await createSqliteStore({
              directory,
              collections: [{ name: 'things', fields: { name: { type: 'text' } } }],
              log: log as () => never,
            });
            assert.is(
              (await store.commit([{ op: 'create', collection: 'things', values: { name: 'a' } }])).length,
              1,
            );
            await store.close();
          }),
          0,
        );
      } finally {
        console.error = error;
      }
      assert.match(lines.join('\n'), /the log failed: Error: no log/);
    }),
  );
}

logs.run();
