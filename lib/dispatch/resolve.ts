import type { CompiledArg } from '../compile/compile-arg.ts';
import type { CompiledEndpoint, CompiledRoute, RouteTable } from '../compile/table.ts';
import { engineError, type RestError } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import { own } from '../core/objects.ts';
import type { ParsedQuery } from '../http/query-string.ts';
import type { RestRequest } from '../http/request.ts';
import type { Args } from '../route/call.ts';
import { invalidParams, tooManyItems, type Problem } from '../schema/invalid.ts';
import { collectArgs, type Collected } from './collect.ts';
import type { Runtime } from './runtime.ts';

/** The route of a request, and its endpoint for the method. */
export interface Matched {
  readonly route: CompiledRoute;
  readonly endpoint: CompiledEndpoint;
  readonly path: Readonly<Record<string, string>>;
}

/** The parameters as permission functions and handlers see them: validated and frozen. */
export type Resolved = Omit<Collected, 'args' | 'cut'> & { readonly args: Args };

/** The endpoint for the method. HEAD is treated as GET. */
const toEndpoint = ({ byMethod }: CompiledRoute, method: string): CompiledEndpoint | undefined =>
  byMethod.get(method === 'HEAD' ? 'GET' : method);

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
