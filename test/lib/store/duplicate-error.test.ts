import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { duplicateError } from '../../../lib/store/duplicate-error.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';

const entries = { name: 'entries', fields: { shop: { type: 'text' }, sku: { type: 'text' } }, unique: [{ fields: ['shop', 'sku'] }] } as const;

const duplicate = suite('duplicateError');

duplicate('answers a commit of a handler whose unique key is taken, with the fields and without the other record', async () => {
  const store = createMemoryStore([entries]);
  const create = () => store.commit([{ op: 'create', collection: 'entries', values: { shop: 'quay', sku: 'M-1' } }]);
  const logged: string[] = [];
  const engine = createTestEngine([createProbe({ handler: async () => (await create()).length })], { log: ({ message }) => { logged.push(message); } });
  const ask = async () => { const { status, body } = await engine.dispatch(createRequest('/probe/v1/it')); return [status, body]; };
  assert.equal(await ask(), [200, 1]);
  assert.equal(await ask(), [409, { code: 'rest_duplicate', message: 'Another record has the same shop and sku already.', data: { fields: ['shop', 'sku'], status: 409 } }]);
  assert.equal(logged, []);
});

duplicate('has the message of the table for a store that does not know the fields', () => {
  assert.is(duplicateError([]).message, 'Another record has the same value already.');
});

duplicate.run();
