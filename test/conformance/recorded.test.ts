import { STORES } from '../support/store-factories.ts';
import { recordedSuite } from './recorded-run.ts';

for (const [name, open] of Object.entries(STORES)) recordedSuite(name, open, 2);
