import type { StoreCase } from './stores/contract/cases.ts';
import { atomicity, concurrent, uniqueKeys } from './stores/contract/commits.ts';
import { life, log } from './stores/contract/life.ts';
import { deepPages, longTexts } from './stores/contract/pages.ts';
import { mistakes, reads } from './stores/contract/queries.ts';
import { changes, ids, records } from './stores/contract/records.ts';

export type { OpenStore, StoreCase } from './stores/contract/cases.ts';
export { type Fault, type FragileStore, type OutcomeCase, outcomeCases } from './stores/contract/commits.ts';

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
