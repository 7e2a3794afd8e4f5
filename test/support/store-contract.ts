import { suite } from 'uvu';
import { type OutcomeCase, outcomeCases, storeCases } from '../../adapters/store-contract.ts';
import type { OpenStore } from '../../adapters/stores/contract/cases.ts';

export type { OpenStore as CreateStore } from '../../adapters/stores/contract/cases.ts';

/** Runs the contract of stores on a store. */
export function storeContract(name: string, openStore: OpenStore): void {
  const test = suite(`${name}: contract`);
  for (const { name: what, run } of storeCases) test(what, () => run(openStore));
  test.run();
}

/** Runs the cases of the contract that need a storage that fails. */
export function outcomeContract(name: string, openFragile: Parameters<OutcomeCase['run']>[0]): void {
  const test = suite(`${name}: outcomes`);
  for (const { name: what, run } of outcomeCases) test(what, () => run(openFragile));
  test.run();
}
