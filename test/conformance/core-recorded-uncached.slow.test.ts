import { openMemory } from '../support/store-factories.ts';
import { coreSuite } from './core-run.ts';

coreSuite('memory without cached responses', openMemory, { cache: false });
