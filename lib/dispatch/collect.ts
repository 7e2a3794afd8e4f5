import type { Args } from '../route/call.ts';
import { coerce, coerceBoth } from '../schema/coerce.ts';
import { toDefaults, type CompiledArg } from '../route/compile-args.ts';
import { joinParts } from '../schema/list-items.ts';
import { isObject, own } from '../core/objects.ts';
import type { ParsedQuery } from '../http/query-string.ts';
import { PACKED_LIMIT, Reading } from '../schema/reading.ts';
import type { Params, Repeated, RestRequest } from '../http/request.ts';
import { typesOf } from '../schema/schema.ts';
import type { CompiledEndpoint } from '../route/table.ts';

const NOTHING: Params = Object.freeze(Object.create(null) as Params);

/** Ids are far smaller. A longer digit string in a path means "no such record" and not a bad request. */
const BEYOND_IDS = Number.MAX_SAFE_INTEGER;

/** Parameters of one source. */
interface Source {
  readonly params: Params;
  readonly repeated?: Repeated;
}

/** The parameters of the request body. A list, string or null has none. */
function bodySource({ body }: RestRequest): Source {
  if (body.kind === 'form') return body;
  return { params: body.kind === 'json' && isObject(body.value) ? body.value : NOTHING };
}

/** The value of a parameter in one source: all values of a repeated name if the parameter is a list, else the last one. */
function valueOf({ params, repeated }: Source, { wireName, schema }: CompiledArg, reading: Reading): unknown {
  const parts = repeated?.get(wireName);
  return parts === undefined ? own(params, wireName) : joinParts(schema, parts, reading);
}

/** The value of a list that the engine reads itself on every endpoint. The query wins over the body. undefined: not sent. */
export function listParam(name: string, request: RestRequest, query: ParsedQuery): unknown {
  const body = bodySource(request);
  const { params, repeated }: Source = Object.hasOwn(query.params, name) ? query : body;
  return repeated?.get(name)?.flat() ?? own(params, name);
}

function isGiven(arg: CompiledArg, value: unknown): boolean {
  return value !== undefined && (value !== null || typesOf(arg.schema).includes('null'));
}

function toPathValue(arg: CompiledArg | undefined, text: string): unknown {
  if (arg === undefined) return text;
  const value = coerce(arg.schema, text);
  return typeof value === 'string' && /^\d+$/.test(value) && typesOf(arg.schema).includes('integer') ? BEYOND_IDS : value;
}

/** In page links, `false` is written as a name without a value. */
function isBareFalse(arg: CompiledArg, value: unknown, bare: ReadonlySet<string>): boolean {
  return value === '' && bare.has(arg.wireName) && typesOf(arg.schema).includes('boolean');
}

/** The value of a query parameter, and the value to show in page links. */
function readQuery(arg: CompiledArg, query: ParsedQuery, reading: Reading): ReturnType<typeof coerceBoth> {
  const value = valueOf(query, arg, reading);
  return isBareFalse(arg, value, query.bare) ? { value: false, sent: false } : coerceBoth(arg.schema, value, reading);
}

/** The values of the path alone, with the defaults of all other parameters. They are enough to check a permission. */
export function collectPath(endpoint: CompiledEndpoint, path: Readonly<Record<string, string>>): Args {
  if (Object.keys(path).length === 0) return endpoint.unsent;
  const args = toDefaults(endpoint.defaults);
  for (const name in path) args[name] = toPathValue(endpoint.byName.get(name), path[name] ?? '');
  return Object.freeze(args);
}

/** The parameters of an endpoint, as read from a request. */
export interface Collected {
  /** Coerced values by neutral name, with defaults for parameters that were not sent. */
  readonly args: Record<string, unknown>;
  /** Names of the parameters that were sent, in this order: body, query, path. */
  readonly given: ReadonlySet<string>;
  /** The query parameters as sent, coerced where they are declared. Page links are built from them. */
  readonly sentQuery: readonly (readonly [string, unknown])[];
  /** Parameters whose list is too long -> most items of that list. Their value holds only a part of the list and must be refused. */
  readonly cut: ReadonlyMap<string, number>;
}

type Sources = { readonly query: ParsedQuery; readonly path: Readonly<Record<string, string>> };

/** Merges the sources. A path group wins over the body, the body over the query. */
export function collectArgs(endpoint: CompiledEndpoint, request: RestRequest, { query, path }: Sources): Collected {
  const collected = { args: toDefaults(endpoint.defaults), given: new Set<string>(), sentQuery: [] as (readonly [string, unknown])[], cut: new Map<string, number>() };
  const reading = new Reading(PACKED_LIMIT);
  const add = (name: string, value: unknown): void => {
    const limit = reading.takeCut();
    if (limit !== null) collected.cut.set(name, limit);
    collected.given.add(name);
    collected.args[name] = value;
  };
  if (endpoint.descriptor.bodyForm === 'array' && request.body.kind === 'json') {
    const arg = endpoint.byWireName.get('body');
    if (arg !== undefined) add('body', coerce(arg.schema, request.body.value, reading));
  }
  const body = bodySource(request);
  for (const [name, value] of Object.entries(body.params)) {
    const arg = endpoint.byWireName.get(name);
    if (arg === undefined || !isGiven(arg, value)) continue;
    if (request.body.kind === 'form') reading.allow(body.repeated?.get(name) ?? value);
    add(arg.name, coerce(arg.schema, valueOf(body, arg, reading), reading));
  }
  for (const name in query.params) {
    const arg = endpoint.byWireName.get(name);
    const read = arg === undefined ? null : readQuery(arg, query, reading);
    collected.sentQuery.push([name, read === null ? query.params[name] : read.sent]);
    if (arg === undefined || read === null || collected.given.has(arg.name)) reading.takeCut();
    else add(arg.name, read.value);
  }
  for (const name in path) add(name, toPathValue(endpoint.byName.get(name), path[name] ?? ''));
  return collected;
}
