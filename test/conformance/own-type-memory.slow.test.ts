import { openMemory } from '../support/store-factories.ts';
import { ownTypeSuite } from './own-type-run.ts';

ownTypeSuite('memory', openMemory);
