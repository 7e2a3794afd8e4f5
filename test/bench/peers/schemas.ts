import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { toJsonSchema } from '../../../lib/schema/schema.ts';
import { registryDescriptors } from '../../../registry/index.ts';
import type { ListArgs, PostArgs } from './content.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Dates of posts have no time zone. */
export const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

/** One arg for a validator that coerces and applies defaults itself. Of the forms of a term filter, it uses the list. */
function toMember(schema: ArgSchema): Schema {
  const plain = schema.oneOf?.[0] ?? schema;
  return { ...toJsonSchema(plain), ...(schema.default === undefined ? {} : { default: schema.default }) };
}

function toObject(args: ArgSchemas): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(args).map(([name, schema]) => [name, toMember(schema)])),
  };
}

function argsOf(method: 'GET' | 'POST', pattern: string): ArgSchemas {
  const route = registryDescriptors.flatMap(({ routes }) => routes).find((each) => each.pattern === pattern);
  const endpoint = route?.endpoints.find(({ methods }) => methods.includes(method));
  if (endpoint === undefined) throw new TypeError(`there is no ${method} ${pattern}`);
  return endpoint.args;
}

/** The declared parameters of the interface as JSON Schemas. */
export const LIST_QUERY = toObject(argsOf('GET', '/cms/v2/posts'));
export const READ_QUERY = toObject(argsOf('GET', '/cms/v2/posts/(?P<id>[\\d]+)'));
export const POST_BODY = toObject(argsOf('POST', '/cms/v2/posts'));

/** A complete schema of a response like this one, which lets a generated serialiser be fast. */
export function toAnswerSchema(value: unknown): Schema {
  if (Array.isArray(value))
    return { type: 'array', items: value.length === 0 ? {} : toAnswerSchema(value[0]) };
  if (typeof value === 'object' && value !== null) {
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, toAnswerSchema(member)]),
      ),
    };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: value === null ? 'null' : typeof value };
}

function createAjv(): Ajv {
  const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, allowUnionTypes: true, strictTypes: false });
  addFormats.default(ajv);
  ajv.addFormat('date-time', DATE_TIME);
  return ajv;
}

export interface Checks {
  /** Coerces in place. */
  readonly list: ValidateFunction<ListArgs>;
  readonly read: ValidateFunction;
  readonly create: ValidateFunction<PostArgs>;
}

/** For frameworks without a validator. */
export function createChecks(): Checks {
  const ajv = createAjv();
  return {
    list: ajv.compile<ListArgs>(LIST_QUERY),
    read: ajv.compile(READ_QUERY),
    create: ajv.compile<PostArgs>(POST_BODY),
  };
}
