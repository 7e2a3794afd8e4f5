import type { Args } from './call.ts';
import { collectArgs, type Sent } from './collect.ts';
import { engineError, type RestError } from './errors.ts';
import type { Identity } from './identity.ts';
import type { Invalid } from './invalid.ts';
import type { ParsedQuery } from './params.ts';
import type { RestRequest } from './request.ts';
import type { CompiledArg, CompiledEndpoint, CompiledRoute, RouteTable } from './table.ts';

/** A route and the endpoint of it that the method names. */
export interface Matched {
  readonly route: CompiledRoute;
  readonly endpoint: CompiledEndpoint;
  readonly path: Readonly<Record<string, string>>;
}

export interface Resolved {
  readonly args: Args;
  readonly given: ReadonlySet<string>;
}

/** Finds the endpoint. HEAD is GET. @throws RestError `rest_no_route` for an unknown path and for a method that the route does not have. */
export function matchRequest(table: RouteTable, request: Pick<RestRequest, 'method' | 'path'>): Matched {
  const found = table.find(request.path);
  const endpoint = found?.target.byMethod.get(request.method === 'HEAD' ? 'GET' : request.method);
  if (found === null || endpoint === undefined) throw engineError('rest_no_route');
  return { route: found.target, endpoint, path: found.params };
}

function checkRequired(endpoint: CompiledEndpoint, sent: Sent): void {
  const missing = endpoint.args.filter((arg) => arg.schema.required === true && arg.default === undefined && !sent.has(arg.name));
  if (missing.length === 0) return;
  const names = missing.map((arg) => arg.wireName);
  throw engineError('rest_missing_callback_param', { message: `Missing parameter(s): ${names.join(', ')}`, data: { params: names } });
}

type Problem = readonly [name: string, invalid: Invalid];

function listProblems(args: readonly CompiledArg[], sent: Sent, identity: Identity): Problem[] {
  const problems: Problem[] = [];
  for (const arg of args) {
    const invalid = sent.has(arg.name) ? arg.check(sent.get(arg.name), identity) : null;
    if (invalid !== null) problems.push([arg.wireName, invalid]);
  }
  return problems;
}

/** The error that names every wrong parameter. Also for rules that a handler checks itself. */
export function invalidParams(problems: readonly Problem[]): RestError {
  return engineError('rest_invalid_param', {
    message: `Invalid parameter(s): ${problems.map(([name]) => name).join(', ')}`,
    data: {
      params: Object.fromEntries(problems.map(([name, { message }]) => [name, message])),
      details: Object.fromEntries(problems),
    },
  });
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidParams(problems);
}

/**
 * Collects, coerces and validates the parameters of a matched request. No effects.
 * First round: the parameters of `checkFirst`, as declared; second round: the others, as sent (BEHAVIOUR.md 1).
 * @throws RestError `rest_missing_callback_param`, `rest_invalid_param`
 */
export function resolveArgs({ endpoint, path }: Matched, request: RestRequest, { query, identity }: { query: ParsedQuery; identity: Identity }): Resolved {
  const sent = collectArgs(endpoint, request, { query, path });
  checkRequired(endpoint, sent);
  refuse(listProblems(endpoint.args.filter((arg) => arg.first), sent, identity));
  const others = [...sent.keys()].flatMap((name) => endpoint.byName.get(name) ?? []).filter((arg) => !arg.first);
  refuse(listProblems(others, sent, identity));
  const args: Record<string, unknown> = Object.create(null);
  for (const arg of endpoint.args) if (arg.default !== undefined) args[arg.name] = arg.default;
  for (const [name, value] of sent) args[name] = value;
  return { args: Object.freeze(args), given: new Set(sent.keys()) };
}
