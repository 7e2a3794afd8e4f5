import type { RouteDescriptor } from '../../../lib/route/descriptor.ts';
import { toNamespace, type Namespace } from '../../../lib/route/namespace.ts';

/** Routes of both; the endpoints of a pattern that both have stand in one route. */
function joinRoutes(
  first: readonly RouteDescriptor[],
  second: readonly RouteDescriptor[],
): readonly RouteDescriptor[] {
  const added = new Map(second.map((route) => [route.pattern, route]));
  const joined = first.map((route) => {
    const { endpoints = [] } = added.get(route.pattern) ?? {};
    added.delete(route.pattern);
    return { ...route, endpoints: [...endpoints, ...route.endpoints] };
  });
  return [...joined, ...added.values()];
}

/** A namespace with the routes of the recorded index, and further ones behind them. */
export function extendNamespace({ descriptor, handlers, ...parts }: Namespace, added: Namespace): Namespace {
  return toNamespace(
    { ...descriptor, routes: joinRoutes(descriptor.routes, added.descriptor.routes) },
    { ...handlers, ...added.handlers },
    parts,
  );
}
