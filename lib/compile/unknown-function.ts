import { describe } from '../core/check-options.ts';
import { suggest } from '../core/did-you-mean.ts';
import { own } from '../core/objects.ts';
import type { Namespace } from '../route/namespace.ts';

/** A function that a descriptor names. */
interface Named {
  /** `handler`. */
  readonly what: string;
  readonly id: string;
  readonly functions: Readonly<Record<string, unknown>>;
}

/** Why a value is not a function, for those that a slip often leaves in its place. */
function explain(value: unknown): string {
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
    `${where}: the ${what} "${id}" is ${found instanceof Promise ? 'a promise' : describe(found)}; it must be a function${explain(found)}`,
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
