import { openMemory, STORES } from '../support/store-factories.ts';
import { recordedSuite } from './recorded-run.ts';

for (const [name, open] of Object.entries(STORES)) recordedSuite(name, open, { runs: 2 });
recordedSuite('memory without cached responses', openMemory, { runs: 1, cache: false });
