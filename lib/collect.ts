import type { Args } from './call.ts';
import { coerce, coerceSent, isObject } from './coerce.ts';
import type { ParsedQuery } from './params.ts';
import type { Params, RestRequest } from './request.ts';
import { typesOf } from './schema.ts';
import type { CompiledArg, CompiledEndpoint } from './table.ts';

/** Coerced values by neutral name, in the order in which the client sent them: body before query. */
export type Sent = ReadonlyMap<string, unknown>;

const NOTHING: Params = Object.freeze(Object.create(null) as Params);

/** Ids are far below; a longer digit string in a path stands for "no record" and not for a bad request. */
const BEYOND_IDS = Number.MAX_SAFE_INTEGER;

/** The members of the request body; a list, text or null carries none. */
export function bodyParams(request: RestRequest): Params {
  if (request.body.kind === 'form') return request.body.params;
  return request.body.kind === 'json' && isObject(request.body.value) ? request.body.value : NOTHING;
}

function isGiven(arg: CompiledArg, value: unknown): boolean {
  return value !== undefined && (value !== null || typesOf(arg.schema).includes('null'));
}

function toPathValue(arg: CompiledArg | undefined, text: string): unknown {
  if (arg === undefined) return text;
  const value = coerce(arg.schema, text);
  return typeof value === 'string' && /^\d+$/.test(value) && typesOf(arg.schema).includes('integer') ? BEYOND_IDS : value;
}

/** In page links `false` is written as a name without a value. */
function isBareFalse(arg: CompiledArg, value: unknown, bare: ReadonlySet<string>): boolean {
  return value === '' && bare.has(arg.wireName) && typesOf(arg.schema).includes('boolean');
}

/** One coerced query value for page links; the raw one when the parameter is not declared. */
export function sentQuery(endpoint: CompiledEndpoint, { params, bare }: ParsedQuery): readonly (readonly [string, unknown])[] {
  return Object.entries(params).map(([name, value]) => {
    const arg = endpoint.byWireName.get(name);
    if (arg === undefined) return [name, value] as const;
    return [name, isBareFalse(arg, value, bare) ? false : coerceSent(arg.schema, value)] as const;
  });
}

/** The values that the path alone says, with the defaults of the rest: enough to ask what a caller may do. */
export function collectPath(endpoint: CompiledEndpoint, path: Readonly<Record<string, string>>): Args {
  const args: Record<string, unknown> = Object.create(null);
  for (const arg of endpoint.args) if (arg.default !== undefined) args[arg.name] = arg.default;
  for (const [name, text] of Object.entries(path)) args[name] = toPathValue(endpoint.byName.get(name), text);
  return Object.freeze(args);
}

/** Brings the sources together: a path group wins over the body, the body over the query. */
export function collectArgs(endpoint: CompiledEndpoint, request: RestRequest, { query, path }: { query: ParsedQuery; path: Readonly<Record<string, string>> }): Sent {
  const sent = new Map<string, unknown>();
  if (endpoint.descriptor.bodyForm === 'array' && request.body.kind === 'json') {
    const arg = endpoint.byWireName.get('body');
    if (arg !== undefined) sent.set('body', coerce(arg.schema, request.body.value));
  }
  for (const [name, value] of Object.entries(bodyParams(request))) {
    const arg = endpoint.byWireName.get(name);
    if (arg !== undefined && isGiven(arg, value)) sent.set(arg.name, coerce(arg.schema, value));
  }
  for (const [name, value] of Object.entries(query.params)) {
    const arg = endpoint.byWireName.get(name);
    if (arg !== undefined && !sent.has(arg.name)) sent.set(arg.name, isBareFalse(arg, value, query.bare) ? false : coerce(arg.schema, value));
  }
  for (const [name, text] of Object.entries(path)) sent.set(name, toPathValue(endpoint.byName.get(name), text));
  return sent;
}
