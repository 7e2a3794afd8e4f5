import { openMemory, openSqlite } from '../support/store-factories.ts';
import { recordedSuite } from './recorded-run.ts';

// The second run meets what the first one has left on the server.
recordedSuite('SQLite', openSqlite, { runs: 2 });
recordedSuite('memory without cached responses', openMemory, { runs: 1, cache: false });
