import { isObject, own } from '../core/objects.ts';
import { FORMATS } from './formats.ts';
import type { ArgSchema, Json } from './schema-dialect.ts';
import { listFormats } from './validate.ts';

/** The types of values under a schema of another library. It exists for the compiler alone. */
declare const VALUE: unique symbol;

/** A schema of the dialect whose values have the types of the library that it came from. `I`: as clients send it, `O`: as handlers get it. */
export interface StandardSchema<I, O> extends ArgSchema {
  readonly [VALUE]: readonly [input: I, output: O];
}

interface SchemaOptions {
  readonly target: 'draft-2020-12';
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** A schema of any library that has Standard JSON Schema (standardschema.dev), such as zod 4.2, arktype 2.1.28, and valibot with `toStandardJsonSchema`. */
export interface JsonSchemaSource<I = unknown, O = I> {
  readonly '~standard': {
    readonly types?: { readonly input: I; readonly output: O } | undefined;
    readonly jsonSchema: {
      readonly input: (options: SchemaOptions) => Record<string, unknown>;
      readonly output: (options: SchemaOptions) => Record<string, unknown>;
    };
  };
}

type InputOf<S> = S extends JsonSchemaSource<infer I, unknown> ? I : never;
type OutputOf<S> = S extends JsonSchemaSource<unknown, infer O> ? O : never;

/** Members that may be left out. */
type OptionalKeys<T> = { [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? K : never }[keyof T];

/** Parameters by name with the types of a library. One with a default may be left out by clients, and handlers always get it. */
type StandardArgs<I, O> = {
  readonly [K in Exclude<keyof O, OptionalKeys<O>>]: StandardSchema<K extends keyof I ? I[K] : O[K], O[K]> &
    (K extends OptionalKeys<I> ? { readonly default: NonNullable<Json> } : { readonly required: true });
} & { readonly [K in OptionalKeys<O>]: StandardSchema<K extends keyof I ? I[K] : never, NonNullable<O[K]>> };

type Document = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about a value, or that say again what others say. */
const SILENT: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  '$comment',
  'examples',
  'deprecated',
  'required',
  'writeOnly',
  'propertyNames',
]);
const COPIED: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'enum',
]);
/** Keywords that the dialect does not have, and what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  prefixItems: 'write an object with a name for each item',
  allOf: 'write one object with all members',
  not: 'leave the member out',
  multipleOf: 'write whole numbers of a smaller unit',
  exclusiveMinimum: 'write the smallest number that is allowed',
  exclusiveMaximum: 'write the largest number that is allowed',
  patternProperties: 'write a record of one type of value',
  contains: 'write the type of every item',
  if: 'write a union of objects that differ in a constant',
};

const fail = (where: string, what: string, instead: string): never => {
  throw new TypeError(
    `fromStandard: ${where === '' ? 'the schema' : where}: ${what} is not data; ${instead}`,
  );
};

const at = (where: string, name: string): string => (where === '' ? name : `${where}.${name}`);

/** A schema without references. @throws TypeError for one that contains itself */
function resolve(where: string, schema: Document, root: Document): Document {
  const { $ref: reference, ...rest } = schema;
  if (reference === undefined) return schema;
  if (where.split('.').length > 64)
    fail(where.slice(0, 60), 'a schema that contains itself', 'write it down to a certain depth');
  const name = /^#\/(?:\$defs|definitions)\/(.*)$/.exec(String(reference))?.[1];
  const found =
    name === undefined ? root : own((root['$defs'] ?? root['definitions'] ?? {}) as Document, name);
  if (!isObject(found)) return fail(where, `the reference ${String(reference)}`, 'write the schema itself');
  return resolve(where, { ...found, ...rest }, root);
}

const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : Number.isInteger(value)
        ? 'integer'
        : typeof value;

/** Types of constants: a list of whole numbers is one of numbers where the schema says so. */
function typesOfValues(values: readonly unknown[], declared: unknown): unknown {
  if (declared !== undefined) return declared;
  const types = [...new Set(values.map(typeOf))];
  return types.length === 1 ? types[0] : types;
}

const listOf = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());

/** In a certain order, because the order of the branches of a union has no meaning. */
const sorted = (types: readonly unknown[]): unknown => {
  const list = [...new Set(types)].toSorted((one, other) =>
    one === 'null' ? 1 : other === 'null' ? -1 : String(one) < String(other) ? -1 : 1,
  );
  return list.length === 1 ? list[0] : list;
};

/** Branches that hold nothing but a type become a list of types, and constants one enum. */
function joinBranches(where: string, branches: readonly ArgSchema[]): ArgSchema {
  const nulls = branches.filter(({ type }) => type === 'null');
  const others = branches.filter(({ type }) => type !== 'null');
  const nullable = (schema: ArgSchema): ArgSchema =>
    nulls.length === 0
      ? schema
      : ({
          ...schema,
          type: sorted([...listOf(schema.type), 'null']),
          ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
        } as ArgSchema);
  if (others.length === 1 && others[0]?.type !== undefined) return nullable(others[0]);
  if (branches.every((branch) => Object.keys(branch).join() === 'type'))
    return { type: sorted(branches.flatMap(({ type }) => listOf(type))) } as ArgSchema;
  if (others.every((branch) => Object.keys(branch).toSorted().join() === 'enum,type'))
    return nullable({
      type: sorted(others.flatMap(({ type }) => listOf(type))),
      enum: others.flatMap((branch) => branch.enum ?? []),
    } as ArgSchema);
  checkDisjoint(where, branches);
  return { oneOf: branches };
}

const SAME: Readonly<Record<string, string>> = { integer: 'number' };

/** The constants of the members of an object, which tell it from others. */
const constantsOf = ({ properties = {} }: ArgSchema): readonly string[] =>
  Object.entries(properties).flatMap(([name, { enum: values, required }]) =>
    values === undefined || required !== true ? [] : [name],
  );

/** @throws TypeError for branches of which a value may fit two: `oneOf` refuses it, and a union does not */
function checkDisjoint(where: string, branches: readonly ArgSchema[]): void {
  const kinds = branches.map(({ type }) =>
    listOf(type).map((each) => own(SAME, String(each)) ?? String(each)),
  );
  for (const [index, branch] of branches.entries())
    for (const [later, other] of branches.slice(index + 1).entries()) {
      const shared = kinds[index]?.some((kind) => kinds[index + 1 + later]?.includes(kind)) ?? false;
      const isOpen = kinds[index]?.length === 0 || kinds[index + 1 + later]?.length === 0;
      const isTold = constantsOf(branch).some((name) => {
        const [ours, theirs] = [
          own(branch.properties ?? {}, name)?.enum,
          own(other.properties ?? {}, name)?.enum,
        ];
        return theirs !== undefined && !theirs.some((value) => ours?.includes(value));
      });
      if (isOpen || (shared && !isTold))
        fail(
          where,
          'a union whose forms overlap',
          'write forms of different types, or objects with a member of different constant values',
        );
    }
}

function toFormat(where: string, format: string, pattern: unknown): ArgSchema {
  const known = Object.hasOwn(FORMATS, format) || listFormats().includes(format);
  // The format stands for the expression with which a library checks it.
  if (known) return { format };
  return typeof pattern === 'string' ? { pattern } : fail(where, `the format ${format}`, 'write a pattern');
}

/** Bounds of whole numbers that every number of JSON keeps are none. */
function toBounds(where: string, schema: Document, isInteger: boolean): ArgSchema {
  const [least, most] = [schema['exclusiveMinimum'], schema['exclusiveMaximum']];
  if (!isInteger && least !== undefined) fail(where, 'exclusiveMinimum', INSTEAD['exclusiveMinimum'] ?? '');
  if (!isInteger && most !== undefined) fail(where, 'exclusiveMaximum', INSTEAD['exclusiveMaximum'] ?? '');
  const minimum = least === undefined ? schema['minimum'] : Math.floor(Number(least)) + 1;
  const maximum = most === undefined ? schema['maximum'] : Math.ceil(Number(most)) - 1;
  return {
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum: Number(minimum) }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum: Number(maximum) }),
  };
}

function toMembers(where: string, schema: Document, root: Document): Readonly<Record<string, ArgSchema>> {
  const needed = new Set(listOf(schema['required']));
  return Object.fromEntries(
    Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Document>>).map(
      ([name, member]) => [
        name,
        { ...toDialect(at(where, name), member, root), ...(needed.has(name) ? { required: true } : {}) },
      ],
    ),
  );
}

/** Converts JSON Schema to the dialect. @throws TypeError naming the place of what it does not have, and what to write instead */
function toDialect(where: string, given: unknown, root: Document): ArgSchema {
  if (given === true) return {};
  if (!isObject(given)) return fail(where, 'a value that is never valid', 'leave the member out');
  const schema = resolve(where, given as Document, root);
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (COPIED.has(keyword)) out[keyword] = value;
    else if (
      keyword === 'propertyNames' &&
      Object.keys(value as object).some((name) => name !== 'type' && name !== '$schema')
    )
      fail(where, 'a record whose names have a form', 'write a record of any names');
    else if (!SILENT.has(keyword) && !Object.hasOwn(HANDLED, keyword))
      fail(where, keyword, own(INSTEAD, keyword) ?? 'write it as a check of the namespace');
  }
  for (const [keyword, convert] of Object.entries(HANDLED))
    if (schema[keyword] !== undefined) Object.assign(out, convert(where, schema, root));
  // What the format stands for.
  if (out['format'] !== undefined) delete out['pattern'];
  return out as ArgSchema;
}

type Convert = (where: string, schema: Document, root: Document) => ArgSchema;

/** Whether the numbers of a schema are whole. */
const isWhole = ({ type }: Document): boolean =>
  listOf(type).includes('integer') && !listOf(type).includes('number');

const bounds: Convert = (where, schema) => toBounds(where, schema, isWhole(schema));
const branches =
  (keyword: string): Convert =>
  (where, schema, root) =>
    joinBranches(
      where,
      listOf(schema[keyword]).map((branch, index) =>
        toDialect(at(where, `${keyword}[${index}]`), branch, root),
      ),
    );

const HANDLED: Readonly<Record<string, Convert>> = {
  type: (_where, schema) => ({ type: sorted(listOf(schema['type'])) }) as ArgSchema,
  const: (_where, schema) =>
    ({ type: typesOfValues([schema['const']], undefined), enum: [schema['const']] }) as ArgSchema,
  enum: (_where, schema) => ({ type: typesOfValues(listOf(schema['enum']), schema['type']) }) as ArgSchema,
  format: (where, schema) =>
    schema['anyOf'] === undefined
      ? toFormat(where, String(schema['format']), schema['pattern'])
      : { format: String(schema['format']) },
  minimum: bounds,
  maximum: bounds,
  exclusiveMinimum: bounds,
  exclusiveMaximum: bounds,
  readOnly: () => ({ readonly: true }),
  properties: (where, schema, root) => ({ properties: toMembers(where, schema, root) }),
  additionalProperties: (where, schema, root) => {
    const rest = schema['additionalProperties'];
    if (typeof rest === 'boolean') return { additionalProperties: rest };
    return { additionalProperties: toDialect(at(where, '*'), rest, root) };
  },
  items: (where, schema, root) => ({ items: toDialect(`${where}[]`, schema['items'], root) }),
  anyOf: branches('anyOf'),
  oneOf: branches('oneOf'),
};

/** The first place where values change on their way through the schema, which a check cannot do. */
function findTransform(where: string, input: unknown, output: unknown): string | null {
  if (!isObject(input) || !isObject(output)) return null;
  if (JSON.stringify(listOf(input['type'])) !== JSON.stringify(listOf(output['type']))) return where;
  const [ours, theirs] = [input['properties'], output['properties']] as readonly (Document | undefined)[];
  for (const [name, member] of Object.entries(ours ?? {})) {
    const found = findTransform(at(where, name), member, own(theirs ?? {}, name));
    if (found !== null) return found;
  }
  return findTransform(`${where}[]`, input['items'], output['items']);
}

/** Kinds of values that arktype writes as any value, unless it is told otherwise. */
const NOT_JSON: ReadonlySet<string> = new Set(['date', 'domain', 'proto', 'symbolKey', 'unit']);

/** Options of the libraries: which of them refuse what is not JSON, and which leave it empty. */
const STRICT = {
  fallback: ({ code, base }: { readonly code: string; readonly base: unknown }): unknown => {
    if (NOT_JSON.has(code)) throw new TypeError(`${code} has no JSON Schema`);
    return base;
  },
} as const;
const LENIENT = { unrepresentable: 'any', errorMode: 'ignore' } as const;

/** Places of members of which a library says nothing. */
function listEmpty(where: string, schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  if (Object.keys(schema).every((keyword) => SILENT.has(keyword))) return [where];
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    readonly properties?: Document;
    readonly items?: unknown;
    readonly anyOf?: readonly unknown[];
  };
  return [
    ...Object.entries(properties).flatMap(([name, member]) => listEmpty(at(where, name), member)),
    ...listEmpty(`${where}[]`, items),
    ...anyOf.flatMap((branch) => listEmpty(where, branch)),
  ];
}

type Side = 'input' | 'output';

/** Where the library fails: in what it leaves empty, or where its input and output differ. */
function findUnwritten({ jsonSchema }: JsonSchemaSource['~standard']): string {
  const read = (side: Side): Document =>
    jsonSchema[side]({ target: 'draft-2020-12', libraryOptions: LENIENT });
  try {
    const [input, output] = [read('input'), read('output')];
    const transformed = findTransform('', input, output);
    return transformed ?? listEmpty('', input).join(', ');
  } catch {
    return '';
  }
}

/** @throws TypeError for what the library cannot write as JSON Schema */
function readSchema(source: JsonSchemaSource['~standard'], side: Side): Document {
  try {
    return source.jsonSchema[side]({ target: 'draft-2020-12', libraryOptions: STRICT });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return fail(
      findUnwritten(source),
      `what it stands for (${reason})`,
      'write the form that is sent, such as a text with the format date-time for a date, and transform it in the handler',
    );
  }
}

/** Members that have a default which the library does not show. */
function checkDefaults(input: Document, output: Document): void {
  const needed = new Set(listOf(input['required']));
  const shown = (output['properties'] ?? {}) as Readonly<Record<string, Document>>;
  const taken = (input['properties'] ?? {}) as Readonly<Record<string, Document>>;
  for (const name of listOf(output['required']).map(String))
    if (
      !needed.has(name) &&
      own(taken, name)?.['default'] === undefined &&
      own(shown, name)?.['default'] === undefined
    )
      fail(
        name,
        'a default that the library does not write',
        'leave it optional, and let the handler choose',
      );
}

function convert(source: JsonSchemaSource, side: Side): ArgSchema {
  if (!isObject(source?.['~standard']) || !isObject(source['~standard'].jsonSchema))
    throw new TypeError(
      'fromStandard takes a schema with Standard JSON Schema: one of zod 4.2, of arktype 2.1.28, or toStandardJsonSchema(schema) of @valibot/to-json-schema',
    );
  const [input, output] = [
    readSchema(source['~standard'], 'input'),
    readSchema(source['~standard'], 'output'),
  ];
  const transformed = findTransform('', input, output);
  if (transformed !== null)
    fail(
      transformed,
      'a transform',
      'write the type that is sent, and transform it in the handler; texts of a query become numbers and booleans by themselves',
    );
  checkDefaults(input, output);
  const shown = side === 'output' ? output : input;
  return toDialect('', shown, shown);
}

/**
 * The parameters of an endpoint from an object schema of zod, valibot, arktype or any library with Standard JSON Schema:
 * `args: fromStandard(z.object({ id: z.int() }))`. The result is plain data. Handlers and clients have the types of the library.
 * @throws TypeError naming the place of what cannot be data, such as a transform, and what to write instead
 */
export function fromStandard<const S extends JsonSchemaSource>(
  schema: S,
): StandardArgs<InputOf<S>, OutputOf<S>> {
  const { properties } = convert(schema, 'input');
  if (properties === undefined)
    throw new TypeError(
      'fromStandard takes an object schema, whose members are the parameters; for another value, use valueFromStandard',
    );
  return properties as StandardArgs<InputOf<S>, OutputOf<S>>;
}

/** The schema of one value, such as a response: `answers: { 200: valueFromStandard(Note) }`. @throws TypeError as `fromStandard` */
export function valueFromStandard<const S extends JsonSchemaSource>(
  schema: S,
): StandardSchema<InputOf<S>, OutputOf<S>> {
  return convert(schema, 'output') as StandardSchema<InputOf<S>, OutputOf<S>>;
}
