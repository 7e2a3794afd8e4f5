import { findPostgres, skipPostgres } from '../support/postgres.ts';
import { openPostgres } from '../support/store-factories.ts';
import { coreSuite } from './core-run.ts';

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('the recorded core cases on postgres');
else coreSuite('postgres', (collections) => openPostgres(server.url, collections));
