import { toDefaults, type CompiledArg } from '../compile/compile-args.ts';
import type { CompiledEndpoint, CompiledRoute, RouteTable } from '../compile/table.ts';
import { engineError, type RestError } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import { isObject, own } from '../core/objects.ts';
import type { ParsedQuery } from '../http/query-string.ts';
import type { Params, Repeated, RestRequest } from '../http/request.ts';
import type { Args } from '../route/call.ts';
import { writesByGet } from '../route/effects.ts';
import { coerceBoth, joinParts, PACKED_LIMIT, Reading } from '../schema/coerce.ts';
import { tooManyItems } from '../schema/failure-messages.ts';
import { invalidParams, type Problem } from '../schema/invalid.ts';
import type { Runtime } from './runtime.ts';

const NOTHING: Params = Object.freeze(Object.create(null) as Params);

/** Ids are far smaller. A longer digit string in a path means "no such record" and not a bad request. */
const BEYOND_IDS = Number.MAX_SAFE_INTEGER;

/** Parameters of one source. */
interface Source {
  readonly params: Params;
  readonly repeated?: Repeated;
}

const NO_SOURCE: Source = { params: NOTHING };

/** The parameters of the request body. A list, string or null has none. */
function bodySource({ body }: RestRequest): Source {
  if (body.kind === 'form') return body;
  return body.kind === 'json' && isObject(body.value) ? { params: body.value } : NO_SOURCE;
}

/** The value of a parameter in one source: all values of a repeated name if the parameter is a list, else the last one. */
function valueOf({ params, repeated }: Source, { wireName, schema }: CompiledArg, reading: Reading): unknown {
  const parts = repeated?.get(wireName);
  return parts === undefined ? own(params, wireName) : joinParts(schema, parts, reading);
}

/** The value of a list that the engine reads itself on every endpoint. The query wins over the body. undefined: not sent. */
export function listParam(name: string, request: RestRequest, query: ParsedQuery): unknown {
  const { params, repeated }: Source = Object.hasOwn(query.params, name) ? query : bodySource(request);
  return repeated?.get(name)?.flat() ?? own(params, name);
}

function isGiven(arg: CompiledArg, value: unknown): boolean {
  return value !== undefined && (value !== null || arg.takes.null);
}

function toPathValue(arg: CompiledArg | undefined, text: string): unknown {
  if (arg === undefined) return text;
  const value = arg.coerce(text, new Reading());
  return typeof value === 'string' && arg.takes.integer && /^\d+$/.test(value) ? BEYOND_IDS : value;
}

/** In page links, `false` is written as a name without a value. */
function isBareFalse(arg: CompiledArg, value: unknown, bare: ReadonlySet<string>): boolean {
  return value === '' && arg.takes.boolean && bare.has(arg.wireName);
}

/** The value of a query parameter, and the value to show in page links. */
function readQuery(arg: CompiledArg, query: ParsedQuery, reading: Reading): ReturnType<typeof coerceBoth> {
  const value = valueOf(query, arg, reading);
  return isBareFalse(arg, value, query.bare)
    ? { value: false, sent: false }
    : coerceBoth(arg.schema, value, reading);
}

/** The values of the path alone, with the defaults of all other parameters. They are enough to check a permission. */
export function collectPath(endpoint: CompiledEndpoint, path: Readonly<Record<string, string>>): Args {
  if (Object.keys(path).length === 0) return endpoint.unsent;
  const args = toDefaults(endpoint.defaults);
  for (const name in path) args[name] = toPathValue(endpoint.byName.get(name), path[name] ?? '');
  return Object.freeze(args);
}

/** The parameters of an endpoint, as read from a request. */
interface Collected {
  /** Coerced values by neutral name, with defaults for parameters that were not sent. */
  readonly args: Record<string, unknown>;
  /** Names of the parameters that were sent, in this order: body, query, path. */
  readonly given: ReadonlySet<string>;
  /** The query parameters as sent, coerced where they are declared. Page links are built from them. */
  readonly sentQuery: readonly (readonly [string, unknown])[];
  /** Parameters whose list is too long -> most items of that list. Their value holds only a part of the list and must be refused. */
  readonly cut: ReadonlyMap<string, number>;
}

const NO_CUTS: ReadonlyMap<string, number> = new Map();

/** The parameters of an endpoint while they are read. */
class Collecting implements Collected {
  readonly args: Record<string, unknown>;
  readonly given = new Set<string>();
  readonly sentQuery: (readonly [string, unknown])[] = [];
  readonly reading = new Reading(PACKED_LIMIT);
  #cut: Map<string, number> | null = null;

  constructor({ defaults }: CompiledEndpoint) {
    this.args = toDefaults(defaults);
  }

  get cut(): ReadonlyMap<string, number> {
    return this.#cut ?? NO_CUTS;
  }

  add(name: string, value: unknown): void {
    const limit = this.reading.takeCut();
    if (limit !== null) (this.#cut ??= new Map()).set(name, limit);
    this.given.add(name);
    this.args[name] = value;
  }
}

function addBody(
  collecting: Collecting,
  { byWireName, descriptor }: CompiledEndpoint,
  request: RestRequest,
): void {
  const { reading } = collecting;
  if (descriptor.bodyForm === 'array' && request.body.kind === 'json') {
    const arg = byWireName.get('body');
    if (arg !== undefined) collecting.add('body', arg.coerce(request.body.value, reading));
  }
  const body = bodySource(request);
  for (const name of Object.keys(body.params)) {
    const arg = byWireName.get(name);
    const value = own(body.params, name);
    if (arg === undefined || !isGiven(arg, value)) continue;
    if (request.body.kind === 'form') reading.allow(body.repeated?.get(name) ?? value);
    collecting.add(arg.name, arg.coerce(valueOf(body, arg, reading), reading));
  }
}

function addQuery(collecting: Collecting, { byWireName }: CompiledEndpoint, query: ParsedQuery): void {
  const { given, reading, sentQuery } = collecting;
  for (const name in query.params) {
    const arg = byWireName.get(name);
    const read = arg === undefined ? null : readQuery(arg, query, reading);
    sentQuery.push([name, read === null ? query.params[name] : read.sent]);
    if (arg === undefined || read === null || given.has(arg.name)) reading.takeCut();
    else collecting.add(arg.name, read.value);
  }
}

type Sources = { readonly query: ParsedQuery; readonly path: Readonly<Record<string, string>> };

/** Merges the sources. A path group wins over the body, the body over the query. */
function collectArgs(endpoint: CompiledEndpoint, request: RestRequest, { query, path }: Sources): Collected {
  const collecting = new Collecting(endpoint);
  if (request.body.kind !== 'none') addBody(collecting, endpoint, request);
  addQuery(collecting, endpoint, query);
  for (const name in path) collecting.add(name, toPathValue(endpoint.byName.get(name), path[name] ?? ''));
  return collecting;
}

/** The route of a request, and its endpoint for the method. */
export interface Matched {
  readonly route: CompiledRoute;
  readonly endpoint: CompiledEndpoint;
  readonly path: Readonly<Record<string, string>>;
}

/** The parameters as permission functions and handlers see them: validated and frozen. */
export type Resolved = Omit<Collected, 'args' | 'cut'> & { readonly args: Args };

/** The endpoint for the method. HEAD is treated as GET, but nothing may be written for it. */
function toEndpoint({ byMethod }: CompiledRoute, method: string): CompiledEndpoint | undefined {
  if (method !== 'HEAD') return byMethod.get(method);
  const endpoint = byMethod.get('GET');
  return endpoint === undefined || writesByGet(endpoint.descriptor) ? undefined : endpoint;
}

/** Finds the endpoint. null: the path is unknown, or the route does not have the method. */
export function findEndpoint(
  table: RouteTable,
  { path, method }: Pick<RestRequest, 'method' | 'path'>,
): Matched | null {
  const found = table.find(path);
  const endpoint = found === null ? undefined : toEndpoint(found.target, method);
  return found === null || endpoint === undefined
    ? null
    : { route: found.target, endpoint, path: found.params };
}

// Refusals are returned, because throwing takes V8 as long as half of the other work of such a request.

/** Finds the endpoint, or the refusal: `rest_no_route` for an unknown path, and for a method that the route does not have `rest_wrong_method` or `rest_no_route`. */
export function matchRequest({
  table,
  request,
  options,
}: Pick<Runtime, 'table' | 'request' | 'options'>): Matched | RestError {
  const found = table.find(request.path);
  if (found === null) return engineError('rest_no_route');
  const { target, params } = found;
  const endpoint = toEndpoint(target, request.method);
  if (endpoint !== undefined) return { route: target, endpoint, path: params };
  return options.wrongMethod === 404
    ? engineError('rest_no_route')
    : engineError('rest_wrong_method', { headers: { Allow: [...target.byMethod.keys()].join(', ') } });
}

function checkRequired({ required }: CompiledEndpoint, { given }: Collected): RestError | null {
  if (required.every((arg) => given.has(arg.name))) return null;
  const names = required.filter((arg) => !given.has(arg.name)).map((arg) => arg.wireName);
  return engineError('rest_missing_callback_param', {
    message: `Missing parameter(s): ${names.join(', ')}`,
    data: { params: names },
  });
}

/**
 * Collects, coerces and validates the parameters of a matched request, without side effects.
 * The parameters of `checkFirst` are checked first, in the order of declaration, then all others, in the order sent.
 * @returns the refusal `rest_missing_callback_param` or `rest_invalid_param` for parameters that are missing or invalid. @throws RestError for values that cannot be read
 */
export function resolveArgs(
  { endpoint, path }: Matched,
  request: RestRequest,
  { query, identity }: { query: ParsedQuery; identity: Identity },
): Resolved | RestError {
  const collected = collectArgs(endpoint, request, { query, path });
  const { args, given, cut } = collected;
  const problems: Problem[] = [];
  const check = (arg: CompiledArg): void => {
    const limit = cut.get(arg.name);
    // Part of a list must never be accepted as the whole list, even if a check or another form accepts it.
    const invalid =
      arg.check(own(args, arg.name), identity) ??
      (limit === undefined ? null : tooManyItems(arg.wireName, limit));
    if (invalid !== null) problems.push([arg.wireName, invalid]);
  };
  const missing = checkRequired(endpoint, collected);
  if (missing !== null) return missing;
  for (const arg of endpoint.first) if (given.has(arg.name)) check(arg);
  if (problems.length > 0) return invalidParams(problems);
  for (const name of given) {
    const arg = endpoint.byName.get(name);
    if (arg !== undefined && !arg.first) check(arg);
  }
  if (problems.length > 0) return invalidParams(problems);
  Object.freeze(args);
  return collected;
}
