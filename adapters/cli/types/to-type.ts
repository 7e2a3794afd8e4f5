/** A JSON Schema of an OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A member of an object type, with its type as text. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  readonly description?: string | undefined;
}

const SCHEMAS = '#/components/schemas/';

const PLAIN: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

const indent = (text: string): string => text.replaceAll('\n', '\n  ');

/** A comment can neither end early nor begin a line of code. */
const toComment = (text: string | undefined): string =>
  text === undefined || text === ''
    ? ''
    : `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;

/** An object type, one member on each line. */
export function toObjectType(members: readonly Member[]): string {
  if (members.length === 0) return '{}';
  const lines = members.map(
    ({ name, type, isOptional, description }) =>
      `${toComment(description)}readonly ${JSON.stringify(name)}${isOptional === true ? '?' : ''}: ${type};`,
  );
  return `{\n  ${lines.map(indent).join('\n  ')}\n}`;
}

/** One of these types. A part that is itself an intersection binds more tightly. */
function toUnion(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? 'never' : distinct.join(' | ');
}

function toMembers({ properties = {}, required = [] }: Schema): readonly Member[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: toType(schema),
    isOptional: !required.includes(name),
    description: schema.description,
  }));
}

function toObject(schema: Schema): string {
  const { additionalProperties: more } = schema;
  const members = toMembers(schema);
  if (members.length === 0)
    return more === false
      ? 'Readonly<Record<string, never>>'
      : `Readonly<Record<string, ${typeof more === 'object' ? toType(more) : 'unknown'}>>`;
  // The members of an index signature must fit it, and other members may have any type.
  return more === true || typeof more === 'object'
    ? `${toObjectType(members)} & Readonly<Record<string, unknown>>`
    : toObjectType(members);
}

function toNamed(type: string, schema: Schema): string {
  if (type === 'array')
    return `readonly (${schema.items === undefined ? 'unknown' : toType(schema.items)})[]`;
  return type === 'object' ? toObject(schema) : (PLAIN.get(type) ?? 'unknown');
}

/** The TypeScript type of a JSON Schema. What a type cannot say, such as a length, is left out. */
export function toType(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined)
    return $ref.startsWith(SCHEMAS) ? `Resources[${JSON.stringify($ref.slice(SCHEMAS.length))}]` : 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return toUnion(
      schema.enum.map((value) =>
        typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value),
      ),
    );
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return toUnion(choices.map(toType));
  if (allOf !== undefined) return allOf.map((part) => `(${toType(part)})`).join(' & ');
  if (type === undefined) return schema.properties === undefined ? 'unknown' : toObject(schema);
  return toUnion([type].flat().map((each) => toNamed(each, schema)));
}
