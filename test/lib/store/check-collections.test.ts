import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkCollections } from '../../../lib/store/check-collections.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { refusalOf } from '../../support/refusal.ts';

const FIELDS = { sku: { type: 'text' }, stars: { type: 'integer' }, tags: { type: 'texts' } };

/** What is no collection, and how the text that refuses it begins. */
const REFUSED: readonly (readonly [members: unknown, text: string])[] = [
  [
    { unique: [['sku']] },
    "collection e: a unique key must be an object with a list of field names: write unique: [{ fields: ['sku'] }]",
  ],
  [{ unique: ['sku'] }, 'collection e: a unique key must be an object'],
  [{ unique: [{ fields: 'sku' }] }, 'collection e: a unique key must be an object with a list'],
  [{ unique: { fields: ['sku'] } }, 'collection e: unique must be a list: write unique:'],
  [{ unique: [{ fields: ['sku'], but: {} }] }, 'collection e: unknown member "but" of a unique key'],
  [{ unique: [{ fields: [] }] }, 'collection e: unique key must have at least one field'],
  [{ unique: [{ fields: ['skew'] }] }, 'collection e: unique key names skew,'],
  [
    { indexes: ['stars'] },
    "collection e: an index must be a list of field names: write indexes: [['stars']]",
  ],
  [{ indexes: 'stars' }, 'collection e: indexes must be a list: write indexes:'],
  [{ indexes: [[1]] }, 'collection e: an index must be a list of field names'],
  [
    { index: [['stars']] },
    'collection e: unknown member "index" of a collection; the members are name, fields, unique, indexes',
  ],
  [{ fields: undefined }, 'collection e: fields must be an object: write fields:'],
  [{ fields: { text: 'text' } }, "collection e: field text must be an object: write text: { type: 'text' }"],
  [
    { fields: { text: { type: 'text', fold: true } } },
    'collection e, field text: unknown member "fold" of a field',
  ],
  [{ fields: { text: { type: 'string' } } }, 'collection e: field text has the unknown type string'],
  [
    { fields: { text: { type: 'text', maxLength: 0 } } },
    'collection e: maxLength of field text must be an integer of at least 1, and its type text',
  ],
  [
    { fields: { stars: { type: 'integer', maxLength: 5 } } },
    'collection e: maxLength of field stars must be',
  ],
  [{ fields: { constructor: { type: 'text' } } }, 'collection e: constructor cannot be the name of a field'],
];

const check = (collection: unknown): unknown => checkCollections([collection as CollectionDescriptor]);

const checking = suite('checkCollections');

for (const [members, text] of REFUSED) {
  checking(`refuses ${JSON.stringify(members)}`, () => {
    const refusal = refusalOf(() => check({ name: 'e', fields: FIELDS, ...(members as object) }));
    assert.ok(refusal.startsWith(text), refusal);
  });
}

checking('refuses what is no object', () => {
  for (const wrong of [null, 'e', ['e']])
    assert.match(
      refusalOf(() => check(wrong)),
      'a collection must be an object: write {',
    );
});

checking('accepts what is right', () => {
  check({
    name: 'e',
    fields: FIELDS,
    unique: [{ fields: ['sku'], except: { sku: '' } }],
    indexes: [['stars'], ['tags', 'stars']],
  });
});

checking.run();
