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
interface Member {
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
function toObjectType(members: readonly Member[]): string {
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

type Contents = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Reference {
  readonly $ref: string;
}

interface Response {
  readonly content?: Contents;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Contents };
  readonly responses?: Readonly<Record<string, Response | Reference>>;
}

/** What is read of an OpenAPI document. */
export interface OpenApiDocument {
  readonly info?: { readonly title?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

const PARAMETERS = '#/components/parameters/';

const JSON_TYPE = /[/+]json$/;

/** `2XX`: any status of success. */
const SUCCESS = /^2(?:\d\d|XX)$/;

function toParameter(document: OpenApiDocument, parameter: Parameter | Reference): Parameter | undefined {
  if (!('$ref' in parameter)) return parameter;
  return new Map(Object.entries(document.components?.parameters ?? {})).get(
    parameter.$ref.slice(PARAMETERS.length),
  );
}

/** The type of JSON content; bytes and texts of other types are unknown. */
function toContentType(content: Contents | undefined): string {
  const entries = Object.entries(content ?? {});
  if (entries.length === 0) return 'undefined';
  const schema = entries.find(([type]) => JSON_TYPE.test(type))?.[1].schema;
  return schema === undefined ? 'unknown' : toType(schema);
}

function toParameters(parameters: readonly Parameter[], place: string): Member {
  const members = parameters
    .filter((each) => each.in === place)
    .map(({ name, required, description, schema = {} }) => ({
      name,
      type: toType(schema),
      isOptional: required !== true,
      description: description ?? schema.description,
    }));
  return { name: place, type: toObjectType(members) };
}

function toRoute(
  document: OpenApiDocument,
  { parameters = [], requestBody, responses = {} }: Operation,
): string {
  const known = parameters.flatMap((each) => toParameter(document, each) ?? []);
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    SUCCESS.test(status)
      ? [{ name: status, type: '$ref' in response ? 'unknown' : toContentType(response.content) }]
      : [],
  );
  return toObjectType([
    toParameters(known, 'path'),
    toParameters(known, 'query'),
    ...(requestBody === undefined
      ? []
      : [
          {
            name: 'body',
            type: toContentType(requestBody.content),
            isOptional: requestBody.required !== true,
          },
        ]),
    { name: 'answers', type: toObjectType(answers) },
  ]);
}

/**
 * TypeScript declarations of an OpenAPI document: `Resources` has a type for each resource by its name, `Routes` the values of the
 * path, the query and the body, and the successful responses by status, for each route by method and pattern.
 */
export function declareTypes(document: OpenApiDocument): string {
  const resources = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({
    name,
    type: toType(schema),
    description: schema.description,
  }));
  const routes = Object.entries(document.paths ?? {}).flatMap(([pattern, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${pattern}`,
      type: toRoute(document, operation),
      description: operation.summary,
    })),
  );
  return `// Written by "routebook types".\n\nexport interface Resources ${toObjectType(resources)}\n\nexport interface Routes ${toObjectType(routes)}`;
}
