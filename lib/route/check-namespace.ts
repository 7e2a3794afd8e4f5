import { isObject } from '../core/objects.ts';
import type { Namespace } from './namespace.ts';

const PARTS = ['descriptor', 'handlers', 'permissions', 'checks', 'embeds'] as const satisfies readonly (keyof Namespace)[];

/** @throws TypeError for what did not come from `defineNamespace` or `toNamespace`. */
export function checkNamespace(namespace: unknown): void {
  if (isObject(namespace) && PARTS.every((name) => isObject(namespace[name]))) return;
  throw new TypeError('a namespace is what defineNamespace(descriptor, handlers) returns: a descriptor alone can not be registered');
}

/**
 * @throws TypeError for a function that no endpoint names: most likely one of the two names is misspelt. Also for a
 * permission function that would never be asked, because its name means everybody.
 */
export function checkUsed({ descriptor, handlers, permissions, checks }: Namespace): void {
  if (Object.hasOwn(permissions, 'public')) {
    throw new TypeError(`${descriptor.namespace}: a permission function can not be named "public", which lets everybody through unasked; give it another name and write that one at its endpoints`);
  }
  const endpoints = descriptor.routes.flatMap((route) => route.endpoints);
  const named = [
    ['handler', handlers, endpoints.map((endpoint) => endpoint.handler)],
    ['permission', permissions, endpoints.map((endpoint) => endpoint.permission)],
    ['check', checks, endpoints.flatMap((endpoint) => Object.values(endpoint.checks ?? {}))],
  ] as const;
  for (const [what, functions, ids] of named) {
    const used = new Set<string>(ids);
    const unused = Object.keys(functions).find((id) => !used.has(id));
    if (unused !== undefined) throw new TypeError(`${descriptor.namespace}: no endpoint names the ${what} "${unused}"`);
  }
}
