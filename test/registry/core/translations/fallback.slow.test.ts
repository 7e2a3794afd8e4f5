// Fallback languages against a model that reads everything, on every store.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareFallback, compareFileFallback } from '../../../support/fallback-model.ts';
import { isLong } from '../../../support/long-mode.ts';
import { findPostgres, skipPostgres } from '../../../support/postgres.ts';
import { openPostgres, STORES, type OpenStore } from '../../../support/store-factories.ts';

const QUESTIONS = isLong ? 20_000 : 1000;

const generated = suite('many generated questions with fallback languages');

const server = await findPostgres({ fsync: false });
const stores: readonly (readonly [string, OpenStore])[] = [
  ...Object.entries(STORES),
  ...(server === null
    ? []
    : [['PostgreSQL', () => openPostgres(server.url)] satisfies readonly [string, OpenStore]]),
];
if (server === null) skipPostgres('fallback languages');

for (const [what, compare] of Object.entries({ posts: compareFallback, files: compareFileFallback }))
  for (const [name, open] of stores)
    generated(`${name}: pages and totals of ${what} are those of the model`, async () => {
      const { different } = await compare(open, { questions: QUESTIONS, seed: 11 });
      assert.equal(different, []);
    });

generated.run();
