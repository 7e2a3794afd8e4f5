import { createPause } from '../../../lib/core/cooperative.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import type { RouteDescriptor } from '../../../lib/route/descriptor.ts';
import { type Namespace, toNamespace } from '../../../lib/route/namespace.ts';

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

/** What is said of records that cannot be read. `log`: receives it. */
interface Reading {
  readonly log: (event: LogEvent) => void;
  /** What is being done with a record, for the log: `showing the pictures of post 7`. */
  readonly what: (id: number) => string;
}

/** Maps records in order. When `make` throws for a record, the error is logged and the record is left out; the others are not affected. Yields to other requests in between. */
export async function mapReadable<T extends { readonly id: number }, R>(
  records: readonly T[],
  make: (record: T) => MaybePromise<R>,
  { log, what }: Reading,
): Promise<readonly R[]> {
  const made: R[] = [];
  const pause = createPause();
  for (const record of records) {
    try {
      made.push(await make(record));
    } catch (error) {
      log({ level: 'error', message: `${what(record.id)} failed; it is left out`, error });
    }
    await pause();
  }
  return made;
}
