import { openSqlite } from '../support/store-factories.ts';
import { coreSuite } from './core-run.ts';

coreSuite('SQLite', openSqlite);
