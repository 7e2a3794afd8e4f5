import { RestError } from '../core/errors.ts';
import { can } from '../core/identity.ts';
import { catchMaybe, type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import { FixedSet } from '../core/objects.ts';
import type { RestResponse } from '../http/response.ts';
import type { RouteView } from '../route/call.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { askPermission } from './execute.ts';
import { logFailure } from './failure.ts';
import { type CallScope, OpenCall } from './open-call.ts';
import { collectPath, type Matched } from './resolve.ts';
import type { Runtime } from './runtime.ts';

const NO_NAMES: ReadonlySet<string> = new FixedSet();

/** The route of a path. `asked`: the read that was just answered, whose verdict is reused; null after a write, because the record and the caller's rights may have changed. */
type ReachedRoute = Pick<Matched, 'route' | 'path'> & { readonly asked: OpenCall | null };

/** Whether the call is known to be permitted. A refusal counts only if the request sent nothing but the path. */
function verdictOf(call: OpenCall, path: Matched['path']): boolean | null {
  return call.isPermitted || call.given.size === Object.keys(path).length ? call.isPermitted : null;
}

function isAllowed(
  runtime: Runtime,
  { route, path, endpoint }: Matched,
  scope: CallScope,
): MaybePromise<boolean> {
  const { permission, where } = endpoint;
  if (permission === null) return true;
  const refuse = (error: unknown): boolean => {
    logFailure(error, runtime.options.log, `checking the permission ${endpoint.descriptor.permission}`);
    return false;
  };
  const call = new OpenCall(
    runtime,
    { route, endpoint, resolved: { args: collectPath(endpoint, path), given: NO_NAMES, sentQuery: [] } },
    scope,
  );
  return catchMaybe(
    () =>
      thenMaybe(
        askPermission({ where, permission }, call, scope.limit),
        (judged) => !(judged instanceof RestError),
      ),
    refuse,
  );
}

/** The methods of the route that the caller may use now. A promise if a permission function returns one. */
export function listAllowed(
  runtime: Runtime,
  { route, path, asked }: ReachedRoute,
  scope: CallScope,
): MaybePromise<readonly string[]> {
  const answers = route.endpoints.map(
    (endpoint) =>
      (endpoint.descriptor === asked?.endpoint ? verdictOf(asked, path) : null) ??
      isAllowed(runtime, { route, path, endpoint }, scope),
  );
  const toMethods = (allowed: readonly boolean[]): readonly string[] => {
    const methods: string[] = [];
    for (const [index, { descriptor }] of route.endpoints.entries())
      if (allowed[index] === true) methods.push(...descriptor.methods);
    return methods;
  };
  return answers.every((answer) => typeof answer === 'boolean')
    ? toMethods(answers)
    : Promise.all(answers).then(toMethods);
}

/** Whether the caller may call an endpoint: as `listAllowed` says or, if its path names a record, on some record. */
export function mayCall(
  runtime: Runtime,
  { route, endpoint }: { readonly route: RouteView; readonly endpoint: EndpointDescriptor },
  scope: CallScope,
): MaybePromise<boolean> {
  const { identity, table } = runtime;
  const target = table.targets.get(route);
  const compiled = target?.endpoints.find(({ descriptor }) => descriptor === endpoint);
  if (target === undefined || compiled === undefined) return false;
  const { capability, permission } = compiled;
  if (permission === null) return true;
  if (capability !== null) return can(identity, capability);
  if (endpoint.needs !== undefined) return endpoint.needs.some((each) => can(identity, each));
  return (
    route.groups.length > 0 || isAllowed(runtime, { route: target, path: {}, endpoint: compiled }, scope)
  );
}

/** The same response with an `Allow` header for these methods. */
export function withAllow(response: RestResponse, methods: readonly string[]): RestResponse {
  return methods.length === 0 ? response : response.withHeaders({ Allow: methods.join(', ') });
}
