import type { StoreCase } from './stores/contract/cases.ts';
import { atomicity, uniqueKeys } from './stores/contract/commits.ts';
import { concurrent } from './stores/contract/concurrent.ts';
import { life } from './stores/contract/life.ts';
import { log } from './stores/contract/log.ts';
import { longTexts } from './stores/contract/long-texts.ts';
import { deepPages } from './stores/contract/pages.ts';
import { mistakes, reads } from './stores/contract/queries.ts';
import { changes, ids, records } from './stores/contract/records.ts';

export type { OpenStore, StoreCase } from './stores/contract/cases.ts';
export { outcomeCases } from './stores/contract/outcomes.ts';
export type { Fault, FragileStore, OutcomeCase } from './stores/contract/outcomes.ts';

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
  log,
  life,
].flat();
