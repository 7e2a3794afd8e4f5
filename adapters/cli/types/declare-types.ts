import { toObjectType, toType, type Member, type Schema } from './to-type.ts';

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
