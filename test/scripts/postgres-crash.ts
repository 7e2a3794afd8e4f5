import { crashServer } from '../support/postgres-crash.ts';
// Stops a PostgreSQL server of its own under write load, as a crash would, and looks at what is left.
// `npm run build && node dist/test/scripts/postgres-crash.js [ROUNDS]`; exits with 1 when something acknowledged is lost.
import { startCluster } from '../support/postgres.ts';

const server = await startCluster({ fsync: true });
const outcome = await crashServer(server, Number(process.argv[2] ?? 20));
await server.control.remove();
console.log(JSON.stringify(outcome, null, 2));
process.exitCode = outcome.lost + outcome.half + outcome.surprises.length === 0 ? 0 : 1;
