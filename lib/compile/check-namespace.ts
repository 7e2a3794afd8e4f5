import { describe } from '../core/check-options.ts';
import { suggest } from '../core/did-you-mean.ts';
import { isObject } from '../core/objects.ts';
import type { Namespace } from '../route/namespace.ts';
import { findFunction } from './unknown-function.ts';

const PARTS = [
  'descriptor',
  'handlers',
  'permissions',
  'checks',
  'embeds',
] as const satisfies readonly (keyof Namespace)[];

/** What somebody gave in the place of a namespace, and what to do with it. */
function explain(value: unknown): string {
  if (Array.isArray(value))
    return 'it is a list; give each namespace as an argument of its own: register(...namespaces)';
  if (value instanceof Promise) return 'it is a promise; await it first';
  if (isObject(value) && 'routes' in value) return 'it is a descriptor alone, which has no handlers yet';
  return `it is ${describe(value)}`;
}

/** @throws TypeError for a value that does not come from `defineNamespace` or `toNamespace`. */
export function checkNamespace(namespace: unknown): void {
  if (!isObject(namespace) || !PARTS.every((name) => isObject(namespace[name]))) {
    throw new TypeError(
      `a namespace must be the result of defineNamespace(descriptor, handlers): ${explain(namespace)}`,
    );
  }
  const { around, embeds } = namespace;
  const name = String((namespace['descriptor'] as Namespace['descriptor']).namespace);
  if (around !== undefined && typeof around !== 'function')
    throw new TypeError(`${name}: around is ${describe(around)}; it must be a function`);
  for (const relation of Object.keys(embeds as object))
    findFunction(name, { what: 'embed', id: relation, functions: embeds as Namespace['embeds'] });
}

/**
 * @throws TypeError for a function that no endpoint names, because one of the two names is probably misspelt. Also for a
 * permission function named "public", which would never be called, because that name admits everybody.
 */
export function checkUsed({ descriptor, handlers, permissions, checks }: Namespace): void {
  if (Object.hasOwn(permissions, 'public')) {
    throw new TypeError(
      `${descriptor.namespace}: a permission function cannot be named "public", because that name admits everybody; rename it, and use the new name in its endpoints`,
    );
  }
  const named = { handler: new Set<string>(), permission: new Set<string>(), check: new Set<string>() };
  for (const endpoint of descriptor.routes.flatMap((route) => route.endpoints)) {
    named.handler.add(endpoint.handler);
    named.permission.add(endpoint.permission);
    for (const id of Object.values(endpoint.checks ?? {})) named.check.add(id);
  }
  for (const [what, functions, used] of [
    ['handler', handlers, named.handler],
    ['permission', permissions, named.permission],
    ['check', checks, named.check],
  ] as const) {
    const unused = Object.keys(functions).find((id) => !used.has(id));
    if (unused !== undefined)
      throw new TypeError(
        `${descriptor.namespace}: no endpoint names the ${what} "${unused}".${suggest(unused, [...used]) || ' Name it in an endpoint, or leave it out.'}`,
      );
  }
}
