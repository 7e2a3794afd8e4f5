import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../../lib/core/errors.ts';
import {
  MAX_JSON_DEPTH,
  MAX_JSON_KEYS,
  MAX_JSON_NODES,
  parseJson,
  parseJsonList,
} from '../../../lib/json/parse-json.ts';

const bytes = (text: string) => Buffer.from(text);
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** The error number that clients know, or 0 for a limit of our own. */
function refusal(input: Uint8Array): unknown {
  try {
    parseJson(input);
  } catch (error) {
    if (error instanceof RestError && error.code === 'rest_invalid_json')
      return error.data['json_error_code'] ?? 0;
    throw error;
  }
  return null;
}

const REFUSED: readonly (readonly [name: string, input: Uint8Array, code: number])[] = [
  ['cut', bytes('{"title":'), 4],
  ['blank', bytes('  '), 4],
  ['single quotes', bytes("{'a':1}"), 4],
  ['trailing comma', bytes('[1,]'), 4],
  ['NaN', bytes('NaN'), 4],
  ['two values', bytes('1 2'), 4],
  ['open string', bytes('"abc\\'), 4],
  ['raw NUL', bytes('"\0"'), 4],
  ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 5],
  ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 5],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 4],
  ['too deep', bytes(lists(MAX_JSON_DEPTH + 1)), 1],
  ['200,000 deep', bytes(lists(200_000)), 1],
  ['200,000 deep, objects', bytes('{"a":'.repeat(200_000)), 1],
  ['too many keys', bytes(keys(MAX_JSON_KEYS + 1)), 0],
  ['100,000 keys', bytes(keys(80_000)), 0],
  ['too many lists', bytes(`[${'[],'.repeat(MAX_JSON_NODES - 1)}[]]`), 0],
  ['too many objects without keys', bytes(`[${'{},'.repeat(MAX_JSON_NODES - 1)}{}]`), 0],
  ['__proto__', bytes('{"__proto__":{"x":1}}'), 0],
  ['__proto__ inside', bytes('[{"a":{"__proto__":1}}]'), 0],
  ['__proto__ escaped', bytes('{"\\u005f_proto__":1}'), 0],
  ['constructor.prototype', bytes('{"constructor":{"prototype":{"x":1}}}'), 0],
  ['constructor escaped', bytes('{"\\u0063onstructor":{"prototype":{}}}'), 0],
  ['NUL', bytes('{"a":"x\\u0000"}'), 0],
  ['NUL in a key', bytes('{"a\\u0000":1}'), 0],
  ['half a pair', bytes('"\\ud800"'), 10],
  ['half a pair, second', bytes('["\\uDC00x"]'), 10],
];

const ACCEPTED: readonly (readonly [text: string, value: unknown])[] = [
  ['null', null],
  ['[]', []],
  ['{"a":[1,"x",true,null]}', { a: [1, 'x', true, null] }],
  ['"\\ud83d\\udc0e"', '🐎'],
  ['{"constructor":1}', { constructor: 1 }],
  ['{"a":"__proto__"}', { a: '__proto__' }],
  ['"[[[[{{{{::::\\"[[["', '[[[[{{{{::::"[[['],
  [`{"a":"${'['.repeat(1000)}${':'.repeat(20_000)}"}`, { a: '['.repeat(1000) + ':'.repeat(20_000) }],
];

const json = suite('parseJson');

json('refuses what is not JSON or passes a limit', () => {
  for (const [name, input, code] of REFUSED) assert.is(refusal(input), code, name);
});

json('reads everything else', () => {
  for (const [text, value] of ACCEPTED) assert.equal(parseJson(bytes(text)), value, text.slice(0, 40));
  assert.is(refusal(bytes(lists(MAX_JSON_DEPTH))), null);
  assert.is(refusal(bytes(keys(MAX_JSON_KEYS))), null);
  assert.is(refusal(bytes(`[${'[],'.repeat(MAX_JSON_NODES - 2)}[]]`)), null);
});

json('names the limit that was passed', () => {
  const message = (text: string) => {
    try {
      parseJson(bytes(text));
    } catch (error) {
      return String(error);
    }
    return '';
  };
  assert.match(message(lists(65)), '64');
  assert.match(message(keys(10_001)), '10000');
  assert.match(message(`[${'[],'.repeat(60_000)}[]]`), '50000');
});

json.run();

const list = suite('parseJsonList');

list('reads so many items and looks at nothing behind them', () => {
  assert.equal(parseJsonList('[1,[2,3],"4,5",{"a":[6,7]},8]', 4), [1, [2, 3], '4,5', { a: [6, 7] }]);
  assert.equal(parseJsonList('[1,"\\",2",3', 2), [1, '",2']);
  assert.equal(parseJsonList('[1,2]', 2), [1, 2]);
  assert.equal(parseJsonList('[]', 2), []);
});

list('refuses what is no JSON up to there, and what passes a limit', () => {
  for (const text of ['[1,2', '[1 2,3,4]', lists(65), '[{"__proto__":1},2,3]'])
    assert.throws(
      () => parseJsonList(text, 2),
      (error: unknown) => error instanceof RestError,
      text.slice(0, 20),
    );
});

list.run();
