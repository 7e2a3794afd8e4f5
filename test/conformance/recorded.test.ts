import { openMemory } from '../support/store-factories.ts';
import { recordedSuite } from './recorded-run.ts';

recordedSuite('memory', openMemory, { runs: 1 });
