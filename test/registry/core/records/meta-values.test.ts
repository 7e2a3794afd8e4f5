import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../../../lib/core/errors.ts';
import { ANONYMOUS } from '../../../../lib/core/identity.ts';
import type { MetaDefinitions } from '../../../../registry/core/model/meta-key.ts';
import { toMetaKey } from '../../../../registry/core/model/resolve-meta.ts';
import { createRecordMeta, type StoredMeta } from '../../../../registry/core/records/meta-values.ts';

const KEYS: MetaDefinitions = {
  isbn: { type: 'string', maxLength: 13 },
  pages: { type: 'integer', default: 100 },
  details: { type: 'object', properties: { year: { type: 'integer' } } },
  scores: { type: 'integer', single: false },
  cost: { type: 'number', write: 'manage_options' },
  shelf: { type: 'string', show: 'shelf_mark' },
  internal: { type: 'string', show: false },
};
const meta = createRecordMeta(
  Object.entries(KEYS).map(([key, definition]) => toMetaKey(key, definition)),
  'Meta.',
);
const admin = { id: 1, role: 'administrator', capabilities: new Set(['manage_options']) };

const write = (sent: unknown, stored: StoredMeta = {}, identity = admin) =>
  meta.write({ identity, sent, stored });

/** Code, message and path of the refusal of a write. */
function refusalOf(sent: unknown, stored: StoredMeta = {}, identity = admin): readonly unknown[] {
  try {
    write(sent, stored, identity);
  } catch (error) {
    if (error instanceof RestError) return [error.code, error.message, ...(error.additionalData ?? [])];
    throw error;
  }
  return [];
}

const values = suite('meta of a record');

values('are shown by their names, with defaults for those that are not stored', () => {
  assert.equal(meta.show({ isbn: 'x', shelf: 'A1', internal: 'kept', unknown: 1 }), {
    isbn: 'x',
    pages: 100,
    details: {},
    scores: [],
    cost: 0,
    shelf_mark: 'A1',
  });
  assert.equal(Object.keys(meta.show(null)), ['isbn', 'pages', 'details', 'scores', 'cost', 'shelf_mark']);
  assert.equal(Object.keys(meta.schema.properties ?? {}), [
    'isbn',
    'pages',
    'details',
    'scores',
    'cost',
    'shelf_mark',
  ]);
});

values(
  'are null where there is none and the schema refuses the empty value, so that what was read can be written',
  () => {
    const strict = createRecordMeta(
      Object.entries({
        pages: { type: 'integer', minimum: 1 },
        color: { type: 'string', enum: ['red', 'blue'] },
        size: { type: 'integer', minimum: 1, default: 3 },
        free: { type: 'string' },
      } satisfies MetaDefinitions).map(([key, definition]) => toMetaKey(key, definition)),
      'Meta.',
    );
    const shown = strict.show({});
    assert.equal(shown, { pages: null, color: null, size: 3, free: '' });
    assert.equal(strict.write({ identity: admin, sent: shown, stored: {} }), { size: 3, free: '' });
  },
);

values('are coerced, replaced as a whole, and removed by null; others stay as they are', () => {
  assert.equal(write({ pages: '12', scores: 7, shelf_mark: 'B' }, { internal: 'kept', isbn: 'x' }), {
    internal: 'kept',
    isbn: 'x',
    pages: 12,
    scores: [7],
    shelf: 'B',
  });
  assert.equal(write({ details: { year: '1965' } }, { details: { publisher: 'old' } }), {
    details: { year: 1965 },
  });
  assert.equal(write({ pages: null }, { pages: 3, isbn: 'x' }), { isbn: 'x' });
  assert.equal(
    [write(undefined), write({ internal: 'no', shelf: 'no', constructor: 1 })],
    [undefined, undefined],
  );
});

values('are refused with the path of what is wrong', () => {
  assert.equal(refusalOf({ pages: 'abc' }), [
    'rest_invalid_type',
    'meta.pages is not of type integer.',
    { param: 'meta.pages' },
  ]);
  assert.equal(refusalOf({ details: { year: 'x' } }), [
    'rest_invalid_type',
    'meta.details[year] is not of type integer.',
    { param: 'meta.details[year]' },
  ]);
  assert.equal(refusalOf({ details: { other: 1 } })[0], 'rest_additional_properties_forbidden');
  assert.equal(refusalOf({ isbn: 'x'.repeat(14) }), [
    'rest_too_long',
    'meta.isbn must be at most 13 characters long.',
  ]);
});

values('with a right of their own need it for another value, not for the stored one', () => {
  assert.is(refusalOf({ cost: 5 }, {}, ANONYMOUS as typeof admin)[0], 'rest_cannot_update');
  assert.is(refusalOf({ cost: null }, { cost: 5 }, ANONYMOUS as typeof admin)[0], 'rest_cannot_update');
  assert.equal(
    [refusalOf({ cost: '5' }, { cost: 5 }, ANONYMOUS as typeof admin), refusalOf({ cost: 6 }, { cost: 5 })],
    [[], []],
  );
});

values.run();
