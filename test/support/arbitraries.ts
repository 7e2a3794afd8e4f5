import * as fc from 'fast-check';
import type { ArgSchema } from '../../lib/schema/schema-dialect.ts';
import { typesOf } from '../../lib/schema/schema.ts';

/** Invalid values that clients, scanners and programming errors send. */
const ODD: readonly unknown[] = [
  '',
  ' ',
  '0',
  '1',
  '01',
  '+1',
  '-1',
  '1.0',
  '1.5',
  '1e3',
  '0x10',
  '1e400',
  'Infinity',
  'NaN',
  'null',
  'undefined',
  'true',
  'FALSE',
  'yes',
  '9007199254740993',
  '9'.repeat(400),
  ' 2 ',
  '\u00A01',
  '\u0661',
  '1,2',
  '1 2',
  ',',
  '[1,2]',
  '[',
  '{',
  '{}',
  '{"raw":"x"}',
  '{"terms":[1]}',
  '{"__proto__":{"a":1}}',
  '{"$gt":0}',
  '[[[[]]]]',
  '['.repeat(100),
  "' OR 1=1 --",
  '<script>',
  '../../etc/passwd',
  '%00',
  '\uD800',
  '\u2028',
  'é',
  '𝒳',
  'constructor',
  '__proto__',
  'toString',
  '2026-01-02T03:04:05',
  '2026-02-30T25:00:00',
  '0000-00-00T00:00:00',
  'x'.repeat(3000),
  'a@b.c',
  'http://127.0.0.1/',
  'javascript:alert(1)',
  0,
  1,
  -1,
  1.5,
  -0,
  2 ** 53,
  -(2 ** 53),
  1e21,
  Number.MAX_VALUE,
  true,
  false,
  null,
  [],
  {},
  [null],
  [[]],
  [{}],
  [1, '1', true],
  { raw: 1 },
  { raw: 'x' },
  { 0: 1 },
  { toString: 1 },
  { length: 5 },
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'),
  Array.from({ length: 200 }, (_, index) => index),
];

const odd = fc.constantFrom(...ODD);

function toNumbers({ minimum = -1000, maximum = 1000 }: ArgSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1),
    fc.integer({ min: Math.min(minimum, maximum), max: Math.max(minimum, maximum) }),
    fc.double(),
  );
}

function toTexts({ format, minLength = 0, maxLength = 50 }: ArgSchema): fc.Arbitrary<unknown> {
  if (format === 'date-time')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.string(),
    );
  if (format === 'uri') return fc.oneof(fc.webUrl(), fc.string());
  if (format === 'email') return fc.oneof(fc.emailAddress(), fc.string());
  return fc.oneof(
    fc.string({ maxLength: 60, unit: 'binary' }),
    fc.constantFrom(minLength, maxLength, maxLength + 1).map((length) => 'y'.repeat(Math.min(length, 3000))),
  );
}

function toMembers({ properties = {} }: ArgSchema): fc.Arbitrary<unknown> {
  return fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toValues(schema)])),
    { requiredKeys: [] },
  );
}

const BY_TYPE: Readonly<Record<string, (schema: ArgSchema) => fc.Arbitrary<unknown>>> = {
  integer: toNumbers,
  number: toNumbers,
  boolean: () => fc.boolean(),
  string: toTexts,
  null: () => fc.constant(null),
  array: ({ items = {} }) => fc.array(toValues(items), { maxLength: 5 }),
  object: toMembers,
};

function toFitting(schema: ArgSchema): fc.Arbitrary<unknown> {
  const words = schema.enum === undefined ? [] : [fc.constantFrom(...schema.enum)];
  const types = typesOf(schema).flatMap((type) => BY_TYPE[type]?.(schema) ?? []);
  return fc.oneof(
    ...words,
    ...types,
    ...(schema.oneOf ?? []).map(toFitting),
    ...(words.length + types.length === 0 ? [fc.jsonValue()] : []),
  );
}

/** Converts a value to another type. */
function juggle(value: unknown, how: number): unknown {
  if (how === 0) return [value];
  if (how === 1) return { value };
  if (how === 2) return String(JSON.stringify(value));
  return typeof value === 'object' ? value : String(value);
}

/** Values for a parameter: valid, at the bounds, almost valid, and arbitrary. */
export function toValues(schema: ArgSchema): fc.Arbitrary<unknown> {
  const fitting = toFitting(schema);
  return fc.oneof(
    { weight: 5, arbitrary: fitting },
    { weight: 2, arbitrary: odd },
    { weight: 2, arbitrary: fc.tuple(fitting, fc.nat(3)).map(([value, how]) => juggle(value, how)) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
}

/** Values for a path group. */
export const pathValues = fc.oneof(
  fc.nat(1000).map(String),
  odd.filter((value) => typeof value === 'string'),
  fc.string({ maxLength: 120 }),
  fc.constantFrom('..', '.', '%2e', '%2531'),
);
