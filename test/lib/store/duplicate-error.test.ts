import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { duplicateError } from '../../../lib/core/errors.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import type { Around } from '../../../lib/route/call.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const entries = {
  name: 'entries',
  fields: { shop: { type: 'text' }, sku: { type: 'text' } },
  unique: [{ fields: ['shop', 'sku'] }],
} as const;

const duplicate = suite('duplicateError');

const TEXT = { type: 'string' } as const;

for (const [what, endpoint, fields, message] of [
  [
    'that are its parameters',
    { args: { shop: TEXT, sku: TEXT } },
    ['store', 'sku'],
    'Another record has the same store and sku already.',
  ],
  ['that it can be sent', { args: { sku: TEXT } }, ['sku'], 'Another record has the same sku already.'],
  [
    'that are in its body',
    { methods: ['POST'], args: {}, body: { shop: TEXT } },
    ['store'],
    'Another record has the same store already.',
  ],
  [
    'of the key to nobody who sends none of them',
    { args: { other: TEXT } },
    [],
    'Another record has the same value already.',
  ],
] as const) {
  duplicate(
    `answers a commit of a handler whose unique key is taken with the fields ${what}, and without the other record`,
    async () => {
      const store = createMemoryStore([entries]);
      const create = () =>
        store.commit([{ op: 'create', collection: 'entries', values: { shop: 'quay', sku: 'M-1' } }]);
      const logged: string[] = [];
      const around: Around = (_call, next) => next();
      for (const each of [undefined, around]) {
        const names = { ...TEST_NAMES, params: { shop: 'store' } };
        const probe = createProbe({
          handler: async () => (await create()).length,
          endpoint,
          ...(each === undefined ? {} : { around: each }),
        });
        const engine = createTestEngine([probe], {
          names,
          log: ({ message: text }) => {
            logged.push(text);
          },
        });
        const method = 'methods' in endpoint ? 'POST' : 'GET';
        const ask = async () => {
          const { status, body } = await engine.dispatch(createRequest('/probe/v1/it', { method }));
          return [status, body];
        };
        if (each === undefined) assert.equal(await ask(), [200, 1]);
        assert.equal(await ask(), [409, { code: 'rest_duplicate', message, data: { fields, status: 409 } }]);
      }
      assert.equal(logged, []);
    },
  );
}

duplicate('has the message of the table for a store that does not know the fields', () => {
  assert.is(duplicateError([]).message, 'Another record has the same value already.');
});

duplicate.run();
