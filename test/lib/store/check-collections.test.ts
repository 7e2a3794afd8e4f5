import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkCollections } from '../../../lib/store/check-collections.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { refusalOf } from '../../support/refusal.ts';

const FIELDS = { sku: { type: 'text' }, stars: { type: 'integer' }, tags: { type: 'texts' } };

/** What is no collection, and how the text that refuses it begins. */
const REFUSED: readonly (readonly [members: unknown, text: string])[] = [
  [{ unique: [['sku']] }, "collection e: a unique key is not an object with a list of field names: write unique: [{ fields: ['sku'] }]"],
  [{ unique: ['sku'] }, 'collection e: a unique key is not an object'],
  [{ unique: [{ fields: 'sku' }] }, 'collection e: a unique key is not an object with a list'],
  [{ unique: { fields: ['sku'] } }, 'collection e: unique is not a list: write unique:'],
  [{ unique: [{ fields: ['sku'], but: {} }] }, 'collection e: unknown member "but" of a unique key'],
  [{ unique: [{ fields: [] }] }, 'collection e: unique key without fields'],
  [{ unique: [{ fields: ['skew'] }] }, 'collection e: unique key names skew,'],
  [{ indexes: ['stars'] }, "collection e: an index is not a list of field names: write indexes: [['stars']]"],
  [{ indexes: 'stars' }, 'collection e: indexes is not a list: write indexes:'],
  [{ indexes: [[1]] }, 'collection e: an index is not a list of field names'],
  [{ index: [['stars']] }, 'collection e: unknown member "index" of a collection; the members are name, fields, unique, indexes'],
  [{ fields: undefined }, 'collection e: fields is not an object: write fields:'],
  [{ fields: { text: 'text' } }, "collection e: field text is not an object: write text: { type: 'text' }"],
  [{ fields: { text: { type: 'text', fold: true } } }, 'collection e, field text: unknown member "fold" of a field'],
  [{ fields: { text: { type: 'string' } } }, 'collection e: field text has the unknown type string'],
  [{ fields: { constructor: { type: 'text' } } }, 'collection e: constructor can not be the name of a field'],
];

const check = (collection: unknown): unknown => checkCollections([collection as CollectionDescriptor]);

const checking = suite('checkCollections');

for (const [members, text] of REFUSED) {
  checking(`refuses ${JSON.stringify(members)}`, () => {
    const refusal = refusalOf(() => check({ name: 'e', fields: FIELDS, ...members as object }));
    assert.ok(refusal.startsWith(text), refusal);
  });
}

checking('refuses what is no object', () => {
  for (const wrong of [null, 'e', ['e']]) assert.match(refusalOf(() => check(wrong)), 'a collection is an object: write {');
});

checking('accepts what is right', () => {
  check({ name: 'e', fields: FIELDS, unique: [{ fields: ['sku'], except: { sku: '' } }], indexes: [['stars'], ['tags', 'stars']] });
});

checking.run();
