import { describe } from '../core/check-options.ts';
import { suggest } from '../core/did-you-mean.ts';
import { isObject, own } from '../core/objects.ts';
import { listNamed, type Namespace } from '../route/namespace.ts';

/** A function that a descriptor names. */
interface Named {
  /** `handler`. */
  readonly what: string;
  readonly id: string;
  readonly functions: Readonly<Record<string, unknown>>;
}

/** Why a value is not a function, for those that a slip often leaves in its place. */
function explainFunction(value: unknown): string {
  if (value === undefined) return '. Is the name of its import or variable right?';
  return value instanceof Promise ? '. Give the function itself, without calling it' : '';
}

/** The function with the id. undefined: there is none. @throws TypeError for a value that is not a function */
export function findFunction<F>(
  where: string,
  { what, id, functions }: Named & { readonly functions: Readonly<Record<string, F>> },
): F | undefined {
  const found = own(functions, id);
  if (typeof found === 'function' || !Object.hasOwn(functions, id)) return found;
  throw new TypeError(
    `${where}: the ${what} "${id}" is ${found instanceof Promise ? 'a promise' : describe(found)}; it must be a function${explainFunction(found)}`,
  );
}

/** The nearest name, or those that there are. */
function listKnown(what: string, id: string, known: readonly string[]): string {
  const nearest = suggest(id, known);
  if (nearest !== '') return nearest;
  return known.length === 0 ? ` The namespace has no ${what}s.` : ` Its ${what}s are ${known.join(', ')}.`;
}

/** @throws TypeError for a permission that neither the engine nor the namespace has, with the nearest one */
export function refusePermission(
  where: string,
  id: string,
  { namespace, capabilities }: { readonly namespace: Namespace; readonly capabilities: ReadonlySet<string> },
): never {
  const wanted =
    capabilities.size === 0
      ? "'public' or a permission function of the namespace; the engine has no capabilities"
      : "'public', a capability of the engine or a permission function of the namespace";
  throw new TypeError(
    `${where}: unknown permission "${id}": it must be ${wanted}.${suggest(id, ['public', ...Object.keys(namespace.permissions ?? {}), ...capabilities])}`,
  );
}

/** @throws TypeError for a handler that the namespace does not have, with the nearest one */
export function refuseHandler(where: string, id: string, { handlers }: Namespace): never {
  throw new TypeError(
    `${where}: unknown handler id "${id}": it must be the key of a function of the namespace.${listKnown('handler', id, Object.keys(handlers))}`,
  );
}

/** @throws TypeError for a check of values that the namespace does not have, with the nearest one */
export function refuseCheck(where: string, id: string, checks: Readonly<Record<string, unknown>>): never {
  throw new TypeError(
    `${where}: unknown check "${id}": it must be the key of a function in the checks of defineNamespace.${listKnown('check', id, Object.keys(checks))}`,
  );
}

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
  const functions = { handlers, permissions, checks };
  for (const [kind, ids] of Object.entries(listNamed(descriptor.routes))) {
    const used = new Set(ids);
    const unused = Object.keys(own<object>(functions, kind) ?? {}).find((id) => !used.has(id));
    if (unused !== undefined)
      throw new TypeError(
        `${descriptor.namespace}: no endpoint names the ${kind.slice(0, -1)} "${unused}".${suggest(unused, ids) || ' Name it in an endpoint, or leave it out.'}`,
      );
  }
}
