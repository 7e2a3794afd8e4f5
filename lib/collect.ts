import type { Args } from './call.ts';
import { coerce, coerceSent, isObject } from './coerce.ts';
import { toDefaults, type CompiledArg } from './compile-args.ts';
import type { ParsedQuery } from './params.ts';
import type { Params, RestRequest } from './request.ts';
import { typesOf } from './schema.ts';
import type { CompiledEndpoint } from './table.ts';

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

/** The value of a query parameter. In page links it stands as sent, without the defaults of a branch. */
function readSent(arg: CompiledArg, value: unknown, { bare }: ParsedQuery): { readonly value: unknown; readonly linked: unknown } {
  const read = isBareFalse(arg, value, bare) ? false : coerce(arg.schema, value);
  return { value: read, linked: arg.schema.oneOf === undefined ? read : coerceSent(arg.schema, value) };
}

/** The values that the path alone says, with the defaults of the rest: enough to ask what a caller may do. */
export function collectPath(endpoint: CompiledEndpoint, path: Readonly<Record<string, string>>): Args {
  if (Object.keys(path).length === 0) return endpoint.unsent;
  const args = toDefaults(endpoint.defaults);
  for (const name in path) args[name] = toPathValue(endpoint.byName.get(name), path[name] ?? '');
  return Object.freeze(args);
}

/** What a request says of the parameters of an endpoint. */
export interface Collected {
  /** Coerced values by neutral name, with the defaults of what was not sent. */
  readonly args: Record<string, unknown>;
  /** Names of those that were sent, in the order of sending: body before query before path. */
  readonly given: ReadonlySet<string>;
  /** The query as sent, coerced where declared: what page links are made of. */
  readonly sentQuery: readonly (readonly [string, unknown])[];
}

type Sources = { readonly query: ParsedQuery; readonly path: Readonly<Record<string, string>> };

/** Brings the sources together: a path group wins over the body, the body over the query. */
export function collectArgs(endpoint: CompiledEndpoint, request: RestRequest, { query, path }: Sources): Collected {
  const args = toDefaults(endpoint.defaults);
  const given = new Set<string>();
  const sentQuery: (readonly [string, unknown])[] = [];
  const add = (name: string, value: unknown): void => { given.add(name); args[name] = value; };
  if (endpoint.descriptor.bodyForm === 'array' && request.body.kind === 'json') {
    const arg = endpoint.byWireName.get('body');
    if (arg !== undefined) add('body', coerce(arg.schema, request.body.value));
  }
  const body = bodyParams(request);
  for (const [name, value] of Object.entries(body)) {
    const arg = endpoint.byWireName.get(name);
    if (arg !== undefined && isGiven(arg, value)) add(arg.name, coerce(arg.schema, value));
  }
  for (const name in query.params) {
    const arg = endpoint.byWireName.get(name);
    const sent = arg === undefined ? null : readSent(arg, query.params[name], query);
    sentQuery.push([name, sent === null ? query.params[name] : sent.linked]);
    if (arg !== undefined && sent !== null && !given.has(arg.name)) add(arg.name, sent.value);
  }
  for (const name in path) add(name, toPathValue(endpoint.byName.get(name), path[name] ?? ''));
  return { args, given, sentQuery };
}
