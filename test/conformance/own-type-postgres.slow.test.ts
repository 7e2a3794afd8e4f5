import { findPostgres, skipPostgres } from '../support/postgres.ts';
import { openPostgres } from '../support/store-factories.ts';
import { ownTypeSuite } from './own-type-run.ts';

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('a type of ones own with the recorded cases of posts on postgres');
else ownTypeSuite('postgres', (collections) => openPostgres(server.url, collections));
