import { type DocumentRule, wordOf } from '../core/check-document.ts';
import type { Effect, EndpointDescriptor, Method } from './descriptor.ts';

/** What the endpoint says of its effect; the type of a descriptor that was read from JSON. */
type Told = Pick<EndpointDescriptor, 'methods' | 'effect' | 'idempotent'>;

/** Names of tools (Model Context Protocol, "Tool Names"). */
const TOOL_NAME = /^[\w.-]{1,128}$/;

/** What the members must be. */
export const EFFECT_RULES = {
  effect: wordOf(['read', 'write', 'destroy']),
  idempotent: {
    wanted: "true, false or 'key'",
    fits: (value) => typeof value === 'boolean' || value === 'key',
  },
  tool: {
    wanted: 'false, or a name of 1 to 128 letters, digits, "_", "-" and ".", such as "notes.find"',
    fits: (value) => value === false || (typeof value === 'string' && TOOL_NAME.test(value)),
  },
} as const satisfies Readonly<Record<string, DocumentRule>>;

/** Methods that a client may send twice (RFC 9110, 9.2.2). */
const REPEATABLE: ReadonlySet<Method> = new Set<Method>(['GET', 'PUT', 'DELETE']);
/** Methods that no client takes for a read. */
const CHANGING: ReadonlySet<Method> = new Set<Method>(['PUT', 'PATCH', 'DELETE']);

/** What a call of the endpoint does. */
export function effectOf({ effect, methods }: Told): Effect {
  if (effect !== undefined) return effect;
  if (methods.every((method) => method === 'GET')) return 'read';
  return methods.includes('DELETE') ? 'destroy' : 'write';
}

/** Whether a GET of the endpoint writes. Only the endpoint itself can say so. */
export const writesByGet = ({ effect = 'read' }: Pick<EndpointDescriptor, 'effect'>): boolean =>
  effect !== 'read';

/** Whether the same call twice does as much as once. */
export function idempotenceOf(endpoint: Told): boolean | 'key' {
  return (
    endpoint.idempotent ??
    (effectOf(endpoint) === 'read' || endpoint.methods.every((method) => REPEATABLE.has(method)))
  );
}

/** Why an endpoint cannot do what it says. null: nothing contradicts it. */
export function findEffectFault(
  endpoint: Told & Pick<EndpointDescriptor, 'cache' | 'ifMatch' | 'needs' | 'permission'>,
): string | null {
  const { methods, idempotent, cache, ifMatch, needs, permission } = endpoint;
  const effect = effectOf(endpoint);
  const changing = methods.find((method) => CHANGING.has(method));
  if (effect === 'read' && changing !== undefined)
    return `effect is "read", but the method ${changing} changes something; write "write" or "destroy", or use GET or POST`;
  if (effect === 'read' && ifMatch === true)
    return 'effect is "read", but ifMatch is for endpoints that change a record';
  if (effect === 'read' && idempotent !== undefined && idempotent !== true)
    return `effect is "read", so idempotent cannot be ${JSON.stringify(idempotent)}: a read can always be repeated`;
  if (endpoint.effect !== undefined && effect !== 'read' && cache !== undefined)
    return `effect is "${effect}", but cache is only for reads: a cached response would leave the effect out`;
  if (needs !== undefined && permission === 'public')
    return 'needs cannot be given, because the permission "public" admits everybody';
  return null;
}
