import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import * as z from 'zod';
import {
  createEngine,
  createRequest,
  defineNamespace,
  fromStandard,
  valueFromStandard,
  type ArgSchema,
  type JsonSchemaSource,
} from '../../../lib/index.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { countRuns } from '../../support/long-mode.ts';
import { createRandom, type Random } from '../../support/random.ts';

type Judge = (value: unknown) => boolean;

/** The same schema in three libraries: what becomes of it, and who judges values. */
interface Row {
  readonly title: string;
  readonly zod: z.ZodType;
  readonly valibot: v.GenericSchema;
  readonly ark: { readonly allows: Judge };
}

const row = (...[title, zod, valibot, ark]: readonly [string, z.ZodType, v.GenericSchema, unknown]): Row => ({
  title,
  zod,
  valibot,
  ark: ark as Row['ark'],
});
const optional = (schema: v.GenericSchema): v.GenericSchema => v.optional(schema);

const ROWS: readonly Row[] = [
  row('text', z.string(), v.string(), type('string')),
  row('number', z.number(), v.number(), type('number')),
  row('integer', z.int(), v.pipe(v.number(), v.integer()), type('number.integer')),
  row('boolean', z.boolean(), v.boolean(), type('boolean')),
  row('null', z.null(), v.null(), type('null')),
  row('shortest text', z.string().min(2), v.pipe(v.string(), v.minLength(2)), type('string >= 2')),
  row('longest text', z.string().max(4), v.pipe(v.string(), v.maxLength(4)), type('string <= 4')),
  row(
    'text of a length',
    z.string().min(2).max(4),
    v.pipe(v.string(), v.minLength(2), v.maxLength(4)),
    type('2 <= string <= 4'),
  ),
  row('expression', z.string().regex(/^[a-z]+$/), v.pipe(v.string(), v.regex(/^[a-z]+$/)), type(/^[a-z]+$/)),
  row('least number', z.number().min(2), v.pipe(v.number(), v.minValue(2)), type('number >= 2')),
  row('largest number', z.number().max(9), v.pipe(v.number(), v.maxValue(9)), type('number <= 9')),
  row(
    'range',
    z.number().min(-1).max(1),
    v.pipe(v.number(), v.minValue(-1), v.maxValue(1)),
    type('-1 <= number <= 1'),
  ),
  row(
    'range of integers',
    z.int().min(1).max(5),
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
    type('1 <= number.integer <= 5'),
  ),
  row(
    'positive integer',
    z.int().gt(0),
    v.pipe(v.number(), v.integer(), v.gtValue(0)),
    type('number.integer > 0'),
  ),
  row('words', z.enum(['a', 'b', 'c']), v.picklist(['a', 'b', 'c']), type('"a" | "b" | "c"')),
  row('constant text', z.literal('a'), v.literal('a'), type('"a"')),
  row('constant boolean', z.literal(true), v.literal(true), type('true')),
  row(
    'constant of several',
    z.union([z.literal('a'), z.literal('b')]),
    v.union([v.literal('a'), v.literal('b')]),
    type('"a" | "b"'),
  ),
  row('text or null', z.string().nullable(), v.nullable(v.string()), type('string | null')),
  row(
    'integer or null',
    z.int().nullable(),
    v.nullable(v.pipe(v.number(), v.integer())),
    type('number.integer | null'),
  ),
  row(
    'word or null',
    z.enum(['a', 'b']).nullable(),
    v.nullable(v.picklist(['a', 'b'])),
    type('"a" | "b" | null'),
  ),
  row(
    'text or number',
    z.union([z.string(), z.number()]),
    v.union([v.string(), v.number()]),
    type('string | number'),
  ),
  row(
    'text or boolean',
    z.union([z.string(), z.boolean()]),
    v.union([v.string(), v.boolean()]),
    type('string | boolean'),
  ),
  row('list', z.array(z.string()), v.array(v.string()), type('string[]')),
  row(
    'list of integers',
    z.array(z.int()),
    v.array(v.pipe(v.number(), v.integer())),
    type('number.integer[]'),
  ),
  row(
    'shortest list',
    z.array(z.string()).min(1),
    v.pipe(v.array(v.string()), v.minLength(1)),
    type('string[] >= 1'),
  ),
  row(
    'longest list',
    z.array(z.number()).max(3),
    v.pipe(v.array(v.number()), v.maxLength(3)),
    type('number[] <= 3'),
  ),
  row('list of lists', z.array(z.array(z.boolean())), v.array(v.array(v.boolean())), type('boolean[][]')),
  row('list of words', z.array(z.enum(['a', 'b'])), v.array(v.picklist(['a', 'b'])), type('("a" | "b")[]')),
  row(
    'text or list',
    z.union([z.string(), z.array(z.string())]),
    v.union([v.string(), v.array(v.string())]),
    type('string | string[]'),
  ),
  row(
    'record',
    z.record(z.string(), z.number()),
    v.record(v.string(), v.number()),
    type('Record<string, number>'),
  ),
  row(
    'record of lists',
    z.record(z.string(), z.array(z.string())),
    v.record(v.string(), v.array(v.string())),
    type('Record<string, string[]>'),
  ),
  row('anything', z.unknown(), v.unknown(), type('unknown')),
  row('object', z.object({ a: z.string() }), v.object({ a: v.string() }), type({ a: 'string' })),
  row(
    'object with a member that may be missing',
    z.object({ a: z.string(), b: z.int().optional() }),
    v.object({ a: v.string(), b: optional(v.pipe(v.number(), v.integer())) }),
    type({ a: 'string', 'b?': 'number.integer' }),
  ),
  row(
    'closed object',
    z.strictObject({ a: z.string() }),
    v.strictObject({ a: v.string() }),
    type({ '+': 'reject', a: 'string' }),
  ),
  row(
    'object in an object',
    z.object({ a: z.object({ b: z.string() }) }),
    v.object({ a: v.object({ b: v.string() }) }),
    type({ a: { b: 'string' } }),
  ),
  row(
    'list of objects',
    z.array(z.object({ a: z.int() })),
    v.array(v.object({ a: v.pipe(v.number(), v.integer()) })),
    type({ a: 'number.integer' }).array(),
  ),
  row(
    'object or null',
    z.object({ a: z.string() }).nullable(),
    v.nullable(v.object({ a: v.string() })),
    type({ a: 'string' }, '|', 'null'),
  ),
  row(
    'objects that a constant tells apart',
    z.discriminatedUnion('k', [
      z.object({ k: z.literal('x'), n: z.number() }),
      z.object({ k: z.literal('y'), s: z.string() }),
    ]),
    v.variant('k', [
      v.object({ k: v.literal('x'), n: v.number() }),
      v.object({ k: v.literal('y'), s: v.string() }),
    ]),
    type({ k: '"x"', n: 'number' }).or({ k: '"y"', s: 'string' }),
  ),
];

/** Formats: each library has an expression of its own, so their verdicts on odd texts differ from those of the format. */
const FORMATS: readonly (readonly [schema: unknown, format: string])[] = [
  [z.email(), 'email'],
  [toStandardJsonSchema(v.pipe(v.string(), v.email())), 'email'],
  [type('string.email'), 'email'],
  [z.uuid(), 'uuid'],
  [toStandardJsonSchema(v.pipe(v.string(), v.uuid())), 'uuid'],
  [z.iso.datetime(), 'date-time'],
  [z.iso.date(), 'date'],
  [z.url(), 'uri'],
  [z.ipv4(), 'ipv4'],
];

const inputOf = (schema: unknown): ArgSchema => {
  // A member, so that any value can be a parameter.
  const { a } = fromStandard(schema as JsonSchemaSource<{ a: unknown }>) as Readonly<
    Record<string, ArgSchema>
  >;
  const { required: _required, ...rest } = a ?? {};
  return rest;
};

const standard = suite('fromStandard');

standard('there are 40 schemas', () => assert.is(ROWS.length, 40));

for (const { title, zod, valibot, ark } of ROWS)
  standard(`${title}: the same data from zod, valibot and arktype`, () => {
    const data = inputOf(z.object({ a: zod }));
    assert.equal(JSON.parse(JSON.stringify(data)), data);
    assert.equal(inputOf(toStandardJsonSchema(v.object({ a: valibot }))), data, 'valibot');
    assert.equal(inputOf(type({ a: ark as never })), data, 'arktype');
  });

for (const [schema, format] of FORMATS)
  standard(`a format instead of an expression: ${format}`, () =>
    assert.equal(valueFromStandard(schema as JsonSchemaSource), { type: 'string', format }),
  );

const SAMPLES: readonly unknown[] = [
  'a',
  'b',
  'x',
  'y',
  '',
  'abc',
  'abcde',
  'A1',
  0,
  1,
  2,
  5,
  -1,
  1.5,
  10,
  true,
  false,
  null,
  [],
  {},
];
const NAMES = ['a', 'b', 'k', 'n', 's', 'z'];

/** Values of all shapes, near to what the schemas want. */
function createValue(random: Random, depth = 0): unknown {
  const kind = random.below(10);
  if (depth > 2 || kind < 5) return random.pick(SAMPLES);
  const count = random.below(4);
  if (kind < 7) return Array.from({ length: count }, () => createValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: count }, () => [random.pick(NAMES), createValue(random, depth + 1)]),
  );
}

const LIBRARIES = ['zod', 'valibot', 'arktype'];
/** Verdicts that differ: a list is a record for some libraries, because its items are its members. */
const isListed = (title: string, library: string | undefined, value: unknown): boolean =>
  title.startsWith('record') && library !== 'zod' && Array.isArray(value);

const VALUES = countRuns(20_000, 100_000);

standard(`verdicts on ${VALUES} values are those of the libraries`, () => {
  const random = createRandom(34);
  const validators = new Validators();
  const judges = ROWS.map(({ title, zod, valibot, ark }) => {
    const validate = validators.compile(inputOf(z.object({ a: zod })));
    return {
      title,
      ours: (value: unknown): boolean => validate('a', value) === null,
      theirs: [
        (value: unknown) => zod.safeParse(value).success,
        (value: unknown) => v.safeParse(valibot, value).success,
        (value: unknown) => ark.allows(value),
      ],
    };
  });
  const differences = new Set<string>();
  for (let at = 0; at < VALUES; at += 1) {
    const value = createValue(random);
    const { title, ours, theirs } = judges[at % judges.length] as (typeof judges)[number];
    const verdict = ours(value);
    for (const [index, judge] of theirs.entries())
      if (judge(value) !== verdict && !isListed(title, LIBRARIES[index], value))
        differences.add(
          `${title}: ${LIBRARIES[index]} ${verdict ? 'refuses' : 'allows'} ${JSON.stringify(value)}`,
        );
  }
  assert.equal([...differences].slice(0, 20), []);
});

for (const [title, schema, place] of [
  ['a date of zod', z.object({ a: z.object({ b: z.date() }) }), 'a.b'],
  ['a date of arktype', type({ a: { b: 'Date' } }), 'a.b'],
  ['a date of valibot', toStandardJsonSchema(v.object({ a: v.object({ b: v.date() }) })), 'a.b'],
  ['a bigint', z.object({ a: z.bigint() }), 'a'],
  ['a transform of zod', z.object({ a: z.string().transform(Number) }), 'a'],
  ['a transform of arktype', type({ a: 'string.numeric.parse' }), 'a'],
  ['a tuple', z.object({ a: z.tuple([z.string()]) }), 'a'],
  ['a positive fraction', z.object({ a: z.number().gt(0) }), 'a'],
  ['a multiple', z.object({ a: z.number().multipleOf(3) }), 'a'],
  ['an intersection', toStandardJsonSchema(v.object({ a: v.intersect([v.string(), v.string()]) })), 'a'],
  ['overlapping forms', z.object({ a: z.union([z.string().min(3), z.email()]) }), 'a'],
  [
    'a schema that contains itself',
    z.object({ a: z.lazy((): z.ZodType => z.object({ b: z.array(z.lazy((): z.ZodType => z.never())) })) }),
    'a.b[]',
  ],
  ['what is never valid', z.object({ a: z.never() }), 'a'],
  ['names of a form', z.object({ a: z.record(z.string().regex(/^x/), z.string()) }), 'a'],
] as const)
  standard(`${title} is refused at its place`, () => {
    const error = ((): unknown => {
      try {
        fromStandard(schema as unknown as JsonSchemaSource<Record<string, unknown>>);
      } catch (failure) {
        return failure;
      }
      return null;
    })();
    assert.instance(error, TypeError);
    assert.match(
      (error as TypeError).message,
      new RegExp(`^fromStandard: ${place.replaceAll(/[[\].]/g, '\\$&')}: .+; .+`),
    );
  });

standard('what is no schema is refused', () => {
  assert.throws(() => fromStandard({} as JsonSchemaSource), TypeError);
  assert.throws(() => fromStandard(z.string()), TypeError);
});

const Note = z.object({ id: z.int(), title: z.string(), tags: z.array(z.string()).optional() });

standard('handlers have the types of the library, and calls are checked', async () => {
  const NOTES = {
    namespace: 'notes',
    routes: [
      {
        pattern: '/notes/{id}',
        endpoints: [
          {
            methods: ['PUT'],
            handler: 'write',
            permission: 'public',
            args: fromStandard(
              z.object({
                id: z.int(),
                title: z.string().min(1),
                size: z.enum(['m', 's']).default('s'),
                tags: z.array(z.string()).optional(),
              }),
            ),
            answers: { 200: valueFromStandard(Note) },
          },
        ],
      },
    ],
  } as const;
  assert.equal(JSON.parse(JSON.stringify(NOTES)), NOTES);
  const engine = createEngine({
    namespaces: [
      defineNamespace(NOTES, {
        write: ({ id, title, size, tags }) => {
          const certain: 's' | 'm' = size;
          const maybe: readonly string[] | undefined = tags;
          return {
            id: id + 1,
            title: title.toUpperCase() + certain,
            ...(maybe === undefined ? {} : { tags: [...maybe] }),
          };
        },
      }),
    ],
  });
  const put = async (body: unknown): Promise<unknown> =>
    (await engine.dispatch(createRequest('/notes/4', { method: 'PUT', body }))).body;
  assert.equal(await put({ title: 'a' }), { id: 5, title: 'As' });
  assert.equal(await put({ title: 'a', size: 'm', tags: ['b'] }), { id: 5, title: 'Am', tags: ['b'] });
  assert.equal(((await put({ title: '' })) as { code: string }).code, 'rest_invalid_param');
  // @ts-expect-error a title that is not a text
  defineNamespace(NOTES, { write: ({ id }) => ({ id, title: id }) });
});

standard.run();
