// Fallback languages against a model that reads everything, on every store.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareFallback } from '../../../support/fallback-model.ts';
import { isLong } from '../../../support/long-mode.ts';
import { POSTGRES_URL } from '../../../support/postgres.ts';
import { openPostgres, STORES } from '../../../support/store-factories.ts';

const QUESTIONS = isLong ? 20_000 : 1000;

const generated = suite('many generated questions with fallback languages');

const stores = { ...STORES, PostgreSQL: () => openPostgres(POSTGRES_URL) };
for (const [name, open] of Object.entries(stores))
  generated(`${name}: pages and totals are those of the model`, async () => {
    const { different } = await compareFallback(open, { questions: QUESTIONS, seed: 11 });
    assert.equal(different, []);
  });

generated.run();
