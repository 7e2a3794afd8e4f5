import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Connection, Connections } from '../../../../adapters/stores/postgres/connections.ts';
import { PostgresFailure } from '../../../../adapters/stores/postgres/postgres-failure.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';

const INSERT = { text: 'INSERT INTO entries VALUES ($1)', name: 'insert entry' };
const COUNT = 'UPDATE counts SET n = n + 1';

function run({ url }: TestPostgres): void {
  const test = suite('postgres: statements that are sent together');

  /** Lends connections to tables with the entry 1 and the count 0. */
  const onTables =
    (use: (connections: Connections, look: () => Promise<readonly unknown[]>) => Promise<void>) =>
    async (): Promise<void> => {
      const schema = nameSchema();
      const admin = await openAdmin(url);
      const begin = (connection: Connection): Promise<unknown> =>
        connection.script(`SET search_path = "${schema}"`);
      try {
        await admin.use((connection) =>
          connection.script(
            `CREATE SCHEMA "${schema}"; SET search_path = "${schema}"; CREATE TABLE entries (id bigint PRIMARY KEY); INSERT INTO entries VALUES (1); CREATE TABLE counts (n bigint); INSERT INTO counts VALUES (0)`,
          ),
        );
        const look = (): Promise<readonly unknown[]> =>
          admin.use(async (connection) => {
            await begin(connection);
            const {
              rows: [row],
            } = await connection.script(
              'SELECT (SELECT count(*) FROM entries)::text AS entries, (SELECT n FROM counts)::text AS n',
            );
            return [row?.['entries'], row?.['n']];
          });
        await use(
          {
            ...admin,
            use: (work) =>
              admin.use(async (connection) => {
                await begin(connection);
                return work(connection);
              }),
          },
          look,
        );
      } finally {
        await admin.close();
        await dropSchema(url, schema);
      }
    };
  const fails = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, PostgresFailure);
    return (error as PostgresFailure).state;
  };
  /** Adds an entry, counts it and commits, in two round trips. */
  const add = (connections: Connections, id: unknown, followers = [COUNT, 'COMMIT']): Promise<string> =>
    connections.use(async (connection) => {
      await connection.script('BEGIN');
      return connection.sequence({ ...INSERT, values: [id as number] }, followers);
    });

  test(
    'take effect in their order, and tell the tag of the last one',
    onTables(async (connections, look) => {
      assert.is(await add(connections, 2), 'COMMIT');
      assert.is(await add(connections, 3), 'COMMIT');
      assert.equal(await look(), ['3', '2']);
    }),
  );

  test(
    'end with the first that fails, and the connection can be used again',
    onTables(async (connections, look) => {
      assert.is(await fails(add(connections, 1)), '23505');
      assert.equal(await look(), ['1', '0']);
      assert.is(await fails(add(connections, 2, ['UPDATE counts SET n = 1 / 0', 'COMMIT'])), '22012');
      assert.is(await fails(add(connections, 'no number')), '22P02');
      assert.equal(await look(), ['1', '0']);
      assert.is(await add(connections, 2), 'COMMIT');
      assert.equal(await look(), ['2', '1']);
    }),
  );

  test(
    'do not commit when the transaction has failed before',
    onTables(async (connections, look) => {
      const failed = connections.use(async (connection) => {
        await connection.script('BEGIN');
        await fails(connection.query('SELECT 1 / 0', []));
        return connection.sequence({ ...INSERT, values: [2] }, [COUNT, 'COMMIT']);
      });
      assert.is(await fails(failed), '25P02');
      assert.equal(await look(), ['1', '0']);
    }),
  );

  test(
    'are not committed when the parameters of the first cannot be sent',
    onTables(async (connections, look) => {
      const unsendable = {
        toPostgres: () => {
          throw new Error('it cannot be sent');
        },
      };
      assert.is(await fails(add(connections, unsendable)), '');
      assert.equal(await look(), ['1', '0']);
      assert.is(await add(connections, 2), 'COMMIT');
    }),
  );

  test.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres: statements that are sent together');
else run(server);
