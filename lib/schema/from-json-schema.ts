import { isObject, own } from '../core/objects.ts';
import { FORMATS } from './formats.ts';
import type { ArgSchema } from './schema-dialect.ts';
import { listFormats } from './validate.ts';

/** A schema as JSON. */
export type Document = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about a value, or that say again what others say. */
export const SILENT: ReadonlySet<string> = new Set([
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

export const fail = (where: string, what: string, instead: string): never => {
  throw new TypeError(
    `fromStandard: ${where === '' ? 'the schema' : where}: ${what} is not data; ${instead}`,
  );
};

export const at = (where: string, name: string): string => (where === '' ? name : `${where}.${name}`);

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

export const listOf = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());

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
export function toDialect(where: string, given: unknown, root: Document): ArgSchema {
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
    if (own(schema, keyword) !== undefined) Object.assign(out, convert(where, schema, root));
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
      listOf(own(schema, keyword)).map((branch, index) =>
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
