import type { RouteView } from '../route/call.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { renameParam } from '../core/names.ts';
import { isReadAsJson, toRequestSchema, toTextSchema, type Document, type View } from './openapi-schema.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';

type NamedArg = readonly [name: string, schema: ArgSchema];

function toMembers(view: View, args: readonly NamedArg[], toSchema: (schema: ArgSchema) => Document): Document {
  const required = args.filter(([, schema]) => schema.required === true).map(([name]) => renameParam(view.names, name));
  return {
    type: 'object', properties: Object.fromEntries(args.map(([name, arg]) => [renameParam(view.names, name), toSchema(arg)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function toForm(view: View, args: readonly NamedArg[]): Document {
  const toSchema = (schema: ArgSchema): Document => toTextSchema(view, schema);
  const encoding = args.filter(([, schema]) => isReadAsJson(schema, ['array', 'object'])).map(([name]) => [renameParam(view.names, name), { contentType: 'application/json' }]);
  return { schema: toMembers(view, args, toSchema), ...(encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}) };
}

/** JSON and forms have the same members, unless the whole of a JSON body is one list: then a form is read only where it has members of its own. */
export function toRequestBody(view: View, { endpoint, route }: { endpoint: EndpointDescriptor; route: RouteView }, args: readonly NamedArg[]): Document {
  const list = endpoint.bodyForm === 'array' ? endpoint.body?.['body'] : undefined;
  const members = args.filter(([name]) => list === undefined || name !== 'body');
  const hasForm = list === undefined || members.some(([name]) => !Object.hasOwn(route.commonArgs, name));
  const json = list === undefined ? toMembers(view, members, (schema) => toRequestSchema(view, schema)) : toRequestSchema(view, list);
  return {
    required: 'required' in json || list?.required === true,
    content: { 'application/json': { schema: json }, ...(hasForm ? { 'application/x-www-form-urlencoded': toForm(view, members) } : {}) },
  };
}
