import { findPostgres, skipPostgres } from '../support/postgres.ts';
import { openPostgres } from '../support/store-factories.ts';
import { recordedSuite } from './recorded-run.ts';

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('the recorded cases on postgres');
else recordedSuite('postgres', () => openPostgres(server.url), { runs: 1 });
