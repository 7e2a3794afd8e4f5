import { suite } from 'uvu';
import type { OpenStore } from '../../adapters/contract/cases.ts';
import { storeCases } from '../../adapters/store-contract.ts';

export type { OpenStore as CreateStore } from '../../adapters/contract/cases.ts';

/** Runs the contract of stores on a store. */
export function storeContract(name: string, openStore: OpenStore): void {
  const test = suite(`${name}: contract`);
  for (const { name: what, run } of storeCases) test(what, () => run(openStore));
  test.run();
}
