import type { StoreCase } from './contract/cases.ts';
import { atomicity, uniqueKeys } from './contract/commits.ts';
import { concurrent } from './contract/concurrent.ts';
import { life } from './contract/life.ts';
import { longTexts } from './contract/long-texts.ts';
import { deepPages } from './contract/pages.ts';
import { mistakes, reads } from './contract/queries.ts';
import { changes, ids, records } from './contract/records.ts';

export type { OpenStore, StoreCase } from './contract/cases.ts';
export { outcomeCases } from './contract/outcomes.ts';
export type { Fault, FragileStore, OutcomeCase } from './contract/outcomes.ts';

/**
 * The contract of stores, as cases for any test runner. Stores that pass all of them are interchangeable. What they cannot show is
 * that an acknowledged commit survives a crash.
 */
export const storeCases: readonly StoreCase[] = [
  records,
  changes,
  concurrent,
  ids,
  atomicity,
  uniqueKeys,
  longTexts,
  reads,
  deepPages,
  mistakes,
  life,
].flat();
