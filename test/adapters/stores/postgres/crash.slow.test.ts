import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countRuns } from '../../../support/long-mode.ts';
import { crashServer } from '../../../support/postgres-crash.ts';
import { findPostgres, skipPostgres, startCluster } from '../../../support/postgres.ts';

const ROUNDS = countRuns(3, 20);

function run({ control, url }: Awaited<ReturnType<typeof startCluster>>): void {
  const crash = suite('postgres: the server crashes while it is written to');
  crash(
    `${ROUNDS} times: nothing acknowledged is lost, every commit gets an answer, the store is back`,
    async () => {
      const { acknowledged, undone, lost, happened, half, surprises } = await crashServer(
        { url, control },
        ROUNDS,
      );
      console.log(`${acknowledged} acknowledged commits, ${undone} undone before that`);
      assert.equal({ lost, happened, half, surprises }, { lost: 0, happened: 0, half: 0, surprises: [] });
      assert.ok(acknowledged >= ROUNDS);
      await control.remove();
    },
  );
  crash.run();
}

// The test crashes the server, so it needs one that nobody else uses.
const server = await findPostgres({ fsync: true, own: true });
if (server?.control) run({ ...server, control: server.control });
else skipPostgres('postgres: the server crashes');
