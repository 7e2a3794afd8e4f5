import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JsonText } from '../../../lib/json/json-document.ts';
import { checkJson, findLoss } from '../../../lib/json/json-loss.ts';
import { countRuns } from '../../support/long-mode.ts';

const cycle: Record<string, unknown> = { rows: [{}] };
(cycle['rows'] as object[]).push(cycle);

class Price {
  readonly cents = 5;
  readonly #secret = 7;

  get secret(): number {
    return this.#secret;
  }
}

class Closed {
  readonly #secret = 7;

  get secret(): number {
    return this.#secret;
  }
}

const shared = { a: [1] };

/** `JSON.stringify` keeps all of these; members that are `undefined` are left out by everybody. */
const KEPT: readonly (readonly [title: string, value: unknown])[] = [
  ['nothing', null],
  ['a text', ''],
  ['a number', -0],
  ['a list', []],
  ['an object', {}],
  ['no prototype', Object.assign(Object.create(null) as object, { a: 1 })],
  ['undefined members', { a: undefined, b: { c: undefined } }],
  ['a date', new Date(0)],
  ['an address', new URL('http://a.test/')],
  ['a written document', { a: new JsonText('{"b":1}') }],
  ['an instance with members', new Price()],
  ['boxed values', [new Object(5), new Object('text'), new Object(true)]],
  ['its own form', { toJSON: () => ({ a: [1] }) }],
  [
    'a form that is the object itself',
    {
      a: 1,
      toJSON() {
        return { ...this, toJSON: undefined };
      },
    },
  ],
  ['an object that stands there twice', [shared, shared, { shared }]],
  ['objects of another realm', runInNewContext('({ a: [{}], b: null })')],
  ['many levels', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
  ['a __proto__ of its own', JSON.parse('{"__proto__":{"a":1}}')],
  ['inherited members', Object.create({ inherited: () => 1 }, { own: { value: 1, enumerable: true } })],
];

const LOST: readonly (readonly [what: string, place: string, value: unknown])[] = [
  ['undefined', '', undefined],
  ['undefined', '[1]', [1, undefined]],
  ['undefined', '[0]', Array.from({ length: 1 })],
  ['NaN', 'a.b[2]', { a: { b: [1, 2, Number.NaN] } }],
  ['Infinity', '[0].x', [{ x: Number.POSITIVE_INFINITY }]],
  ['-Infinity', 'x', { x: Number.NEGATIVE_INFINITY }],
  ['a function', 'run', { run: () => 1 }],
  ['a symbol', 'rows[0]', { rows: [Symbol('a')] }],
  ['a BigInt', 'a', { a: 5n }],
  ['an instance of Map', '', new Map([[1, 2]])],
  ['an instance of Set', 'tags', { tags: new Set(['a']) }],
  ['an instance of Map', 'a', { a: Object.assign(new Map(), { own: 1 }) }],
  ['an instance of Uint8Array', 'bytes', { bytes: Uint8Array.of(1) }],
  ['an instance of Buffer', '', Buffer.from('a')],
  ['an instance of DataView', '', new DataView(new ArrayBuffer(1))],
  ['an instance of ArrayBuffer', '', new ArrayBuffer(1)],
  ['an instance of Readable', 'file', { file: Readable.from(['a']) }],
  ['an instance of ReadableStream', '', new ReadableStream()],
  ['an instance of Promise', 'post', { post: Promise.resolve(1) }],
  ['an instance of Date', 'at[0]', { at: [new Date(Number.NaN)] }],
  ['an instance of Error', 'cause', { cause: Object.assign(new Error('x'), { code: 'E' }) }],
  ['an instance of RegExp', '', /x/],
  ['an instance of Headers', '', new Headers({ a: 'b' })],
  ['an instance of URLSearchParams', '', new URLSearchParams('a=b')],
  ['an instance of WeakMap', '', new WeakMap()],
  ['an instance of Closed', 'of', { of: new Closed() }],
  ['NaN', 'a.b', { a: { toJSON: () => ({ b: Number.NaN }) } }],
  ['undefined', 'a', { a: { toJSON: () => undefined } }],
  ['an object that contains itself', 'rows[1]', cycle],
  ['NaN', '["a b"]["1"].c', { 'a b': { 1: { c: Number.NaN } } }],
  ['NaN', '["a b"][0]', { 'a b': [Number.NaN] }],
  ['NaN', 'cents', Object.assign(new Price(), { cents: Number.NaN })],
  ['undefined', '[0]', runInNewContext('[undefined]')],
  ['an instance of Map', 'a', { a: runInNewContext('new Map()') }],
  ['an instance of Symbol', 'at', { at: new Object(Symbol('a')) }],
];

const losses = suite('findLoss');

for (const [title, value] of KEPT) losses(`lets ${title} pass`, () => assert.is(findLoss(value), null));

for (const [what, place, value] of LOST)
  losses(`names ${what} at ${place || 'the whole'}`, () => {
    const loss = findLoss(value);
    assert.equal([loss?.what, loss?.place], [what, place]);
  });

losses('leaves values as they are, and asks a form for JSON once', () => {
  let asked = 0;
  const frozen = Object.freeze({
    a: Object.freeze([Object.freeze({ b: 1 })]),
    c: {
      toJSON: (key: string) => {
        asked += 1;
        return key;
      },
    },
  });
  assert.is(findLoss(frozen), null);
  assert.is(asked, 1);
});

const RUNS = countRuns(3000, 100_000);

/** What JSON makes of the value, by the letter of its standard; throws where something would be lost. */
function toKept(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  if (Array.isArray(value)) return Array.from(value, toKept);
  if (typeof value !== 'object') throw new TypeError('lost');
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new TypeError('lost');
    return value.toISOString();
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return toKept(
      /^\[object (?:Number|String|Boolean)\]$/.test(Object.prototype.toString.call(value))
        ? value.valueOf()
        : undefined,
    );
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, toKept(member)]),
  );
}

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: true,
  withSparseArray: true,
  maxDepth: 4,
});

losses('finds a loss exactly where there is one', () => {
  fc.assert(
    fc.property(anything, (value) => {
      let kept: unknown;
      try {
        kept = toKept(value);
      } catch {
        assert.is.not(findLoss(value), null);
        return;
      }
      assert.is(findLoss(value), null);
      assert.equal(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(kept)));
    }),
    { numRuns: RUNS },
  );
});

losses('names the place', () => {
  const paths = fc.array(fc.oneof(fc.string(), fc.nat(3)), { minLength: 1, maxLength: 6 });
  const toValue = (path: readonly (string | number)[]): unknown =>
    path.reduceRight<unknown>(
      (inner, step) =>
        typeof step === 'number'
          ? [...Array.from({ length: step }, () => 0), inner]
          : Object.defineProperty({}, step, { value: inner, enumerable: true }),
      Number.NaN,
    );
  fc.assert(
    fc.property(paths, (path) => {
      const { place } = findLoss(toValue(path)) ?? { place: '' };
      const steps = [...place.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([A-Za-z_$][\w$]*)/g)].map(
        ([, index, quoted, word]) =>
          (index === undefined ? (word ?? JSON.parse(quoted ?? '')) : Number(index)) as unknown,
      );
      assert.equal(steps, path);
    }),
    { numRuns: RUNS },
  );
});

losses.run();

const checking = suite('checkJson');

checking('says what was lost and where', () => {
  assert.throws(
    () => checkJson('the handler "x" returned', { a: [Number.NaN] }),
    (error: Error) =>
      error instanceof TypeError &&
      error.message === 'the handler "x" returned NaN at a[0], which JSON cannot hold; write null',
  );
  assert.throws(
    () => checkJson('the handler "x" returned', undefined),
    (error: Error) =>
      error.message ===
      'the handler "x" returned undefined, which JSON cannot hold; is a return missing? null is a value',
  );
  checkJson('the handler "x" returned', { a: [1] });
});

/** What a newcomer returns, and what the message says about it. */
const ADVICE: readonly (readonly [value: unknown, text: string])[] = [
  [
    (function* () {
      yield 1;
    })(),
    'an instance of Generator, which JSON cannot hold; write a list, [...values]',
  ],
  [
    (async function* () {
      yield 1;
    })(),
    'an instance of AsyncGenerator, which JSON cannot hold; give the endpoint streams, or collect its values in a list first, with for await',
  ],
  [
    { rows: new Set([1]).values() },
    // Node 22 calls it Iterator.
    `an instance of ${new Set().values().constructor === Object ? 'Set Iterator' : 'Iterator'} at rows, which JSON cannot hold; write a list, [...values]`,
  ],
  [new Set([1]), 'an instance of Set, which JSON cannot hold; write a list, [...values]'],
  [new Map(), 'an instance of Map, which JSON cannot hold; write Object.fromEntries(map)'],
  [
    new ReadableStream(),
    'an instance of ReadableStream, which JSON cannot hold; give the endpoint streams, or collect its values in a list first, with for await',
  ],
  [
    Buffer.from('x'),
    'an instance of Buffer, which JSON cannot hold; return bytes as new RawBody(type, bytes)',
  ],
  [1n, 'a BigInt, which JSON cannot hold; write Number(value), or String(value) beyond 2 ** 53'],
  [() => 1, 'a function, which JSON cannot hold; call it'],
  [
    [Promise.resolve(1)],
    'an instance of Promise at [0], which JSON cannot hold; await it, or Promise.all of a list',
  ],
  [new Error('x'), 'an instance of Error, which JSON cannot hold; throw it'],
  [Symbol('x'), 'a symbol, which JSON cannot hold'],
];

for (const [value, text] of ADVICE) {
  checking(`says what to do with ${text.split(',', 1)[0]}`, () => {
    assert.throws(
      () => checkJson('the handler "x" returned', value),
      (error: Error) => error.message.startsWith(`the handler "x" returned ${text}`),
    );
  });
}

checking.run();
