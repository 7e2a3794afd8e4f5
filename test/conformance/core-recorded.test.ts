import { openMemory } from '../support/store-factories.ts';
import { coreSuite } from './core-run.ts';

coreSuite('memory', openMemory);
