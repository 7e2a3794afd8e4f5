import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ANY_TEXT,
  checkDocument,
  listOf,
  mapOf,
  objectOf,
  TEXTS,
  WEB_ADDRESS,
  withFunctions,
  wordOf,
} from '../../../lib/core/check-document.ts';
import { ANY, FLAG, LIST } from '../../../lib/core/check-options.ts';
import { refusalOf } from '../../support/refusal.ts';

const BOX = objectOf({
  lid: { ...FLAG, needed: true },
  colour: wordOf(['red', 'blue']),
  labels: TEXTS,
  parts: listOf(objectOf({ size: { ...ANY, needed: true } })),
  prices: mapOf(ANY_TEXT),
  key: { ...ANY_TEXT, secret: true },
  home: WEB_ADDRESS,
  lock: withFunctions('open', 'close'),
  lists: objectOf({ constructor: LIST, toString: { ...LIST, needed: true as const } }),
});

const document = suite('checkDocument');

const REFUSED: readonly (readonly [place: string, given: unknown, refusal: string])[] = [
  ['', null, 'the document: null is not an object'],
  ['box', [], 'box: [] is not an object'],
  [
    '',
    { lip: true },
    'lip: unknown member; the members are lid, colour, labels, parts, prices, key, home, lock, lists',
  ],
  [
    'box',
    JSON.parse('{"lid":true,"__proto__":{}}'),
    'box.__proto__: unknown member; the members are lid, colour, labels, parts, prices, key, home, lock, lists',
  ],
  ['box', {}, 'box.lid is missing; it must be true or false'],
  ['', { lid: 1 }, 'lid: 1 is not true or false'],
  ['box', { lid: true, colour: 'rde' }, 'box.colour: "rde" is not one of red, blue'],
  ['box', { lid: true, labels: 'a' }, 'box.labels: "a" is not a list'],
  ['box', { lid: true, labels: ['a', 5] }, 'box.labels[1]: 5 is not a text that is not empty'],
  [
    'box',
    { lid: true, parts: [{ size: 1 }, { sise: 2 }] },
    'box.parts[1].sise: unknown member; the members are size',
  ],
  ['box', { lid: true, parts: [{ size: null }, {}] }, 'box.parts[1].size is missing; it must be anything'],
  ['box', { lid: true, prices: { rope: '1', sail: 2 } }, 'box.prices.sail: 2 is not a text'],
  ['box', { lid: true, key: 54_321 }, 'box.key: the value is not a text'],
  [
    'box',
    { lid: true, home: 'ftp://a.example' },
    'box.home: "ftp://a.example" is not an http or https address',
  ],
  ['box', { lid: true, lists: {} }, 'box.lists.toString is missing; it must be a list'],
  ['box', { lid: true, lists: { toString: 1 } }, 'box.lists.toString: 1 is not a list'],
  ['box', { lid: true, lock: { open: () => 1 } }, 'box.lock.close is missing; it must be a function'],
];

for (const [place, given, refusal] of REFUSED)
  document(`refuses ${JSON.stringify(given)}`, () =>
    assert.is(
      refusalOf(() => checkDocument(place, given, BOX)),
      refusal,
    ),
  );

class Lock {
  open(): void {}
  close(): void {}
}

document('accepts what fits, and leaves out what is not given', () => {
  checkDocument('', { lid: false, colour: undefined }, BOX);
  checkDocument(
    '',
    {
      lid: true,
      colour: 'red',
      labels: [],
      parts: [{ size: 0 }],
      prices: { constructor: 'x' },
      key: '',
      home: 'https://a.example',
      lock: new Lock(),
    },
    BOX,
  );
});

document.run();
