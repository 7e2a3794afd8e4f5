import { suggest } from '../core/nearest.ts';
import type { Namespace } from './namespace.ts';

/** @throws TypeError for a permission that neither the engine nor the namespace has, with the nearest one */
export function refusePermission(where: string, id: string, { namespace, capabilities }: { readonly namespace: Namespace; readonly capabilities: ReadonlySet<string> }): never {
  const wanted = capabilities.size === 0 ? "'public' or a permission function of the namespace; the engine has no capabilities" : "'public', a capability of the engine or a permission function of the namespace";
  throw new TypeError(`${where}: unknown permission "${id}": it must be ${wanted}.${suggest(id, ['public', ...Object.keys(namespace.permissions ?? {}), ...capabilities])}`);
}

/** @throws TypeError for a handler that the namespace does not have, with the nearest one */
export function refuseHandler(where: string, id: string, { handlers }: Namespace): never {
  throw new TypeError(`${where}: unknown handler id "${id}": it must be the key of a function of the namespace.${suggest(id, Object.keys(handlers))}`);
}
