import { openSqlite } from '../support/store-factories.ts';
import { ownTypeSuite } from './own-type-run.ts';

ownTypeSuite('sqlite', openSqlite);
