import { openMemory, STORES } from '../support/store-factories.ts';
import { coreSuite } from './core-run.ts';

for (const [name, open] of Object.entries(STORES)) coreSuite(name, open);
coreSuite('memory without cached responses', openMemory, { cache: false });
