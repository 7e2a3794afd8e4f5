import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RestError } from '../../../lib/core/errors.ts';
import { parseQuery, toQuery } from '../../../lib/http/query-string.ts';
import type { Params } from '../../../lib/http/request.ts';
import { codeOf } from '../../support/code-of.ts';
import { inheritsNothing } from '../../support/inherits-nothing.ts';

const nest = (levels: number) => `a${'[b]'.repeat(levels - 1)}=1`;

const READ: readonly (readonly [text: string, json: string])[] = [
  ['', '{}'],
  ['a=1', '{"a":"1"}'],
  ['a=1&b=2', '{"a":"1","b":"2"}'],
  ['b=2&a=1&b=3', '{"b":"3","a":"1"}'],
  ['a', '{"a":""}'],
  ['a=', '{"a":""}'],
  ['a=b=c', '{"a":"b=c"}'],
  ['&&a=1&&', '{"a":"1"}'],
  ['=1', '{}'],
  ['a+b=c+d', '{"a b":"c d"}'],
  ['a=%2B', '{"a":"+"}'],
  ['a=%E2%82%AC', '{"a":"€"}'],
  ['a=%2541', '{"a":"%41"}'],
  ['a[]=1&a[]=2', '{"a":["1","2"]}'],
  ['a%5B%5D=1&a%5b%5d=2', '{"a":["1","2"]}'],
  ['a[0]=x&a[5]=y', '{"a":["x","y"]}'],
  ['a[5]=x&a[0]=y', '{"a":["x","y"]}'],
  ['a[0]=x&a[0]=y', '{"a":["y"]}'],
  ['a[5]=x&a[]=y&a[6]=z', '{"a":["x","z"]}'],
  ['a[terms]=3', '{"a":{"terms":"3"}}'],
  ['a[]=1&a[x]=2', '{"a":{"0":"1","x":"2"}}'],
  ['a[b][c]=', '{"a":{"b":{"c":""}}}'],
  ['a[b][]=1&a[b][]=2&a[c]=3', '{"a":{"b":["1","2"],"c":"3"}}'],
  ['a[][]=x', '{"a":[["x"]]}'],
  ['a[][]=x&a[][]=y', '{"a":[["x"],["y"]]}'],
  ['a=1&a[x]=2', '{"a":{"x":"2"}}'],
  ['a[x]=2&a=1', '{"a":"1"}'],
  ['a[x]=1&a[x][y]=2', '{"a":{"x":{"y":"2"}}}'],
  ['a[b=1', '{"a[b":"1"}'],
  ['a[b]c=1', '{"a":{"b":"1"}}'],
  ['[a]=1', '{"[a]":"1"}'],
  ['a]=1', '{"a]":"1"}'],
  ['a[-1]=x', '{"a":{"-1":"x"}}'],
  ['__proto__=1&a=1', '{"a":"1"}'],
  ['__proto__[x]=1', '{}'],
  ['constructor=1&prototype=2&toString=3', '{"toString":"3"}'],
  ['a=1?b=2', '{"a":"1?b=2"}'],
  [
    nest(16),
    '{"a":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":{"b":"1"}}}}}}}}}}}}}}}}',
  ],
];

const REFUSED: readonly (readonly [text: string, code: string])[] = [
  ['a[__proto__]=1', 'rest_invalid_param'],
  ['a[__proto__][x]=1', 'rest_invalid_param'],
  ['a[constructor][prototype][x]=1&a[y]=2', 'rest_invalid_param'],
  ['a[b][]=1&a[b][prototype]=2', 'rest_invalid_param'],
  ['a[%5F_proto__]=1', 'rest_invalid_param'],
  ['a=%', 'rest_invalid_encoding'],
  ['a=%4', 'rest_invalid_encoding'],
  ['a=%zz', 'rest_invalid_encoding'],
  ['%zz=1', 'rest_invalid_encoding'],
  ['%zz', 'rest_invalid_encoding'],
  ['a=%ff', 'rest_invalid_encoding'],
  ['a=%C0%AF', 'rest_invalid_encoding'],
  ['a=%ED%A0%80', 'rest_invalid_encoding'],
  ['a=%00', 'rest_invalid_encoding'],
  ['a%00=1', 'rest_invalid_encoding'],
  [nest(17), 'rest_too_many_parameters'],
  [nest(4000), 'rest_too_many_parameters'],
  ['a=1&'.repeat(1001), 'rest_too_many_parameters'],
  ['a&'.repeat(100_000), 'rest_too_many_parameters'],
];

/** What cannot be decoded, and the part that the refusal names. */
const NAMED: readonly (readonly [text: string, named: string])[] = [
  ['search=x%2', 'The value of the parameter "search"'],
  ['title=%zz&b=1', 'The value of the parameter "title"'],
  ['a%5Bb%5D=%ff', 'The value of the parameter "a[b]"'],
  ['b=1&a=%00', 'The value of the parameter "a"'],
  ['%zz=secret', 'The name of the parameter "%zz"'],
  ['%zz', 'The name of the parameter "%zz"'],
];

function refusedBy(text: string): string {
  try {
    return JSON.stringify(parseQuery(text));
  } catch (error) {
    return String(error);
  }
}

/** Keys that reach a prototype, with the parameter and the key that the error names. */
const UNSAFE: readonly (readonly [text: string, params: Readonly<Record<string, string>>])[] = [
  ['meta[__proto__]=x', { meta: '__proto__ is not a valid property of Object.' }],
  ['b=1&a[x][constructor]=1', { a: 'constructor is not a valid property of Object.' }],
];

const WRITTEN: readonly (readonly [params: Params, text: string])[] = [
  [{}, ''],
  [{ per_page: 1, page: 3, include: [101, 102] }, 'per_page=1&page=3&include%5B0%5D=101&include%5B1%5D=102'],
  [{ after: '2024-01-01 10:00:00', page: 2 }, 'after=2024-01-01+10%3A00%3A00&page=2'],
  [{ sticky: false, page: 2 }, 'sticky&page=2'],
  [{ search: '', page: 2 }, 'search&page=2'],
  [{ categories: { include_children: true } }, 'categories%5Binclude_children%5D=1'],
  [{ include: [], page: 2, a: null, b: undefined }, 'page=2'],
  [{ a: "!~*'()-_.é" }, 'a=%21%7E%2A%27%28%29-_.%C3%A9'],
  [{ a: 'x\uD800y' }, 'a=x%EF%BF%BDy'],
  [{ offset: 0 }, 'offset=0'],
];

const reading = suite('parseQuery');

reading('reads names with brackets', () => {
  for (const [text, json] of READ) assert.is(JSON.stringify(parseQuery(text).params), json, text);
});

reading('refuses what it cannot read', () => {
  for (const [text, code] of REFUSED)
    assert.is(
      codeOf(() => parseQuery(text)),
      code,
      text.slice(0, 40),
    );
});

reading('names the part that it cannot decode', () => {
  for (const [text, named] of NAMED) assert.match(refusedBy(text), named, text);
});

reading('names the key that reaches a prototype', () => {
  for (const [text, params] of UNSAFE) {
    try {
      assert.unreachable(JSON.stringify(parseQuery(text)));
    } catch (error) {
      assert.equal((error as RestError).data['params'], params, text);
    }
  }
});

reading('accepts a thousand pairs', () => {
  assert.is(
    codeOf(() => parseQuery('a=1&'.repeat(1000))),
    null,
  );
});

reading('tells names without an equals sign', () => {
  assert.equal([...parseQuery('sticky&a=&b=1&c%5B%5D').bare], ['sticky', 'c[]']);
});

/** Names that came more than once, with all that was sent for them. */
const REPEATED: readonly (readonly [text: string, json: string])[] = [
  ['a=1&b=2', '[]'],
  ['a[]=1&a[]=2&a[x]=3', '[]'],
  ['a=1&b=2&a=3', '[["a",["1","3"]]]'],
  ['a=1&a=&a', '[["a",["1","",""]]]'],
  ['a=1&a[]=2&a[]=3&a=4&b=5&b=6', '[["a",["1",["2","3"],"4"]],["b",["5","6"]]]'],
  ['a[x]=1&a=2&a[y][]=3', '[["a",[{"x":"1"},"2",{"y":["3"]}]]]'],
  ['__proto__=1&__proto__=2&constructor=1&constructor=2', '[]'],
];

reading('keeps all values of a repeated name', () => {
  for (const [text, json] of REPEATED) assert.is(JSON.stringify([...parseQuery(text).repeated]), json, text);
});

reading('makes objects that inherit nothing, at every level', () => {
  const { params } = parseQuery('a[b][c]=1');
  const a = params['a'];
  assert.ok(inheritsNothing(Object.getPrototypeOf(params)));
  assert.ok(typeof a === 'object' && a !== null && 'b' in a);
  assert.ok(inheritsNothing(Object.getPrototypeOf(a)));
  assert.ok(inheritsNothing(Object.getPrototypeOf(a.b)));
  assert.is(Reflect.get({}, 'x'), undefined);
});

reading.run();

const writing = suite('toQuery');

writing('writes page links as recorded', () => {
  for (const [params, text] of WRITTEN) assert.is(toQuery(params), text);
});

writing('is read back', () => {
  const params = { a: 'é & = + %', b: ['1', '2'], c: { d: ['x y'], e: 'z' } };
  assert.is(JSON.stringify(parseQuery(toQuery(params)).params), JSON.stringify(params));
});

writing.run();
