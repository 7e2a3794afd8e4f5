import { renameParam } from '../core/names.ts';
import { own } from '../core/objects.ts';
import type { RouteView } from '../route/call.ts';
import type {
  Accepts,
  EndpointDescriptor,
  ExampleDescriptor,
  MultipartDescriptor,
} from '../route/descriptor.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { type Document, isReadAsJson, toRequestSchema, toTextSchema, type View } from './openapi-schema.ts';

/** The examples that have a value for one place of the document, by name. `read` returns undefined for the others. */
function toExamples(
  view: View,
  { examples = {} }: EndpointDescriptor,
  read: (example: ExampleDescriptor) => unknown,
): Document {
  const shown = Object.entries(examples).flatMap(([name, example]) => {
    const value = read(example);
    return value === undefined
      ? []
      : [
          [
            name,
            { ...(example.summary === undefined ? {} : { summary: view.translate(example.summary) }), value },
          ] as const,
        ];
  });
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) };
}

/** The values of one parameter, which `read` finds among all. */
export function toArgExamples(
  view: View,
  endpoint: EndpointDescriptor,
  read: (args: NonNullable<ExampleDescriptor['args']>) => unknown,
): Document {
  return toExamples(view, endpoint, ({ args = {} }) => read(args));
}

/** The values of the JSON body that has these members. If the whole body is one list, it is the value of the parameter `body`. */
function toBodyExamples(view: View, endpoint: EndpointDescriptor, members: readonly string[]): Document {
  return toExamples(view, endpoint, ({ args = {} }) => {
    if (endpoint.bodyForm === 'array') return own(args, 'body');
    const sent = Object.entries(args).filter(([name]) => members.includes(name));
    return sent.length === 0
      ? undefined
      : Object.fromEntries(sent.map(([name, value]) => [renameParam(view.names, name), value]));
  });
}

/** The responses. */
export function toAnswerExamples(view: View, endpoint: EndpointDescriptor): Document {
  return toExamples(view, endpoint, ({ answer }) => answer);
}

type NamedArg = readonly [name: string, schema: ArgSchema];

interface Members {
  readonly type: 'object';
  readonly properties: Document;
  readonly required?: readonly string[];
}

/** The schema of a form, and how its values are written. */
interface FormBody {
  readonly schema: Members;
  readonly encoding?: Document;
}

function toMembers(
  view: View,
  args: readonly NamedArg[],
  toSchema: (schema: ArgSchema) => Document,
): Members {
  const required = args
    .filter(([, schema]) => schema.required === true)
    .map(([name]) => renameParam(view.names, name));
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(([name, arg]) => [renameParam(view.names, name), toSchema(arg)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function toForm(view: View, args: readonly NamedArg[]): FormBody {
  const toSchema = (schema: ArgSchema): Document => toTextSchema(view, schema);
  const encoding = args
    .filter(([, schema]) => isReadAsJson(schema, ['array', 'object']))
    .map(([name]) => [renameParam(view.names, name), { contentType: 'application/json' }]);
  return {
    schema: toMembers(view, args, toSchema),
    ...(encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}),
  };
}

/** JSON and forms have the same members. If the whole JSON body is one list, a form is read only if the endpoint has other members. */
export function toRequestBody(
  view: View,
  { endpoint, route }: { endpoint: EndpointDescriptor; route: RouteView },
  args: readonly NamedArg[],
): Document {
  const list = endpoint.bodyForm === 'array' ? endpoint.body?.['body'] : undefined;
  const members = args.filter(([name]) => list === undefined || name !== 'body');
  const hasForm = list === undefined || members.some(([name]) => !Object.hasOwn(route.commonArgs, name));
  const json =
    list === undefined
      ? toMembers(view, members, (schema) => toRequestSchema(view, schema))
      : toRequestSchema(view, list);
  const plain = {
    'application/json': {
      schema: json,
      ...toBodyExamples(
        view,
        endpoint,
        members.map(([name]) => name),
      ),
    },
    ...(hasForm ? { 'application/x-www-form-urlencoded': toForm(view, members) } : {}),
  };
  return {
    required: 'required' in json || list?.required === true,
    content:
      endpoint.accepts === undefined ? plain : toAccepted(endpoint.accepts, plain, toForm(view, members)),
  };
}

/** Whether parameters come in the body. If not, they come in the query. */
export function hasArgsInBody(accepts: Accepts | undefined): boolean {
  return (
    accepts === undefined ||
    Object.entries(accepts).some(
      ([range, reading]) => typeof reading === 'object' || (ARG_TYPES.has(range) && reading !== 'stream'),
    )
  );
}

const ARG_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/x-www-form-urlencoded']);

/** A body without a schema is binary (OpenAPI 3.1, 4.8.14.3). */
function toAccepted(accepts: Accepts, plain: Document, form: FormBody): Document {
  return Object.fromEntries(
    Object.entries(accepts).map(([range, reading]) => {
      if (typeof reading === 'object') return [range, addFiles(form, reading)];
      return [range, ARG_TYPES.has(range) && reading !== 'stream' ? (own(plain, range) ?? form) : {}];
    }),
  );
}

function addFiles({ schema, encoding }: FormBody, { files }: MultipartDescriptor): Document {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const parts = Object.entries(files).map(
    ([name, { maxCount = 1 }]) =>
      [name, maxCount > 1 ? { type: 'array', items: file, maxItems: maxCount } : file] as const,
  );
  const required = [
    ...(schema.required ?? []),
    ...Object.entries(files)
      .filter(([, each]) => each.required === true)
      .map(([name]) => name),
  ];
  const types = Object.entries(files).flatMap(([name, each]) =>
    each.types === undefined ? [] : [[name, { contentType: each.types.join(', ') }] as const],
  );
  return {
    schema: {
      ...schema,
      properties: { ...schema.properties, ...Object.fromEntries(parts) },
      ...(required.length > 0 ? { required } : {}),
    },
    ...(types.length + Object.keys(encoding ?? {}).length > 0
      ? { encoding: { ...encoding, ...Object.fromEntries(types) } }
      : {}),
  };
}
