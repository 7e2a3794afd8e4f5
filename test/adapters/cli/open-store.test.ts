import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameStore } from '../../../adapters/cli/site/open-store.ts';
import { PostgresFailure, toStoreError } from '../../../adapters/stores/postgres/errors.ts';
import { toKeyError, toTable } from '../../../adapters/stores/sql/tables.ts';

const named = suite('errors of a store of the command line');
const ADDRESS = 'postgres://ada:secret@db.test:5432/site';
const [index] = toTable({
  name: 'pages',
  fields: { slug: { type: 'text' } },
  unique: [{ fields: ['slug'] }],
}).indexes;

/** What is said of a failure of the server. */
const messageOf = (state: string, toError: (failure: PostgresFailure) => unknown): string =>
  (
    nameStore(
      ADDRESS,
      toError(new PostgresFailure(Object.assign(new Error('refused'), { severity: 'ERROR', code: state }))),
    ) as Error
  ).message;

named('advise to check the server only if it may be the reason', () => {
  assert.is(
    messageOf('57P03', toStoreError),
    '--store postgres://db.test:5432/site: The store cannot be used: refused. Check that the server runs, and the address, login and database of --store',
  );
  assert.match(messageOf('53300', toStoreError), /refused\. Each process uses up to 10 connections/);
  assert.ok(index !== undefined);
  const message = messageOf('23505', (failure) => toKeyError(index, failure));
  assert.ok(
    message.startsWith('--store postgres://db.test:5432/site: Collection pages: several records'),
    message,
  );
  assert.ok(message.endsWith('or exempt them with `except`.'), message);
});

named.run();
