import { FixedSet, isObject, isPlainObject, kindOf } from './objects.ts';

/** Id of a caller: a whole number from 0, or a text of 1 to 255 characters without control characters. */
export type CallerId = number | string;

/** Whether a value is the id of a caller. */
export const isCallerId = (id: unknown): id is CallerId =>
  typeof id === 'string' ? /^\P{C}{1,255}$/u.test(id) : Number.isSafeInteger(id) && Number(id) >= 0;

/** The caller. A plain value that is passed with the call, never a global. */
export interface Identity {
  /** A number, or a text such as a UUID or the `sub` of OpenID Connect. 0: anonymous. */
  readonly id: CallerId;
  /** Name of the role; '' if anonymous. */
  readonly role: string;
  /** What the caller may do. */
  readonly capabilities: ReadonlySet<string>;
  /** Claims of a machine token or of the host's own login, for permission functions that use them. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The identity of anonymous callers. */
export const ANONYMOUS: Identity = Object.freeze({ id: 0, role: '', capabilities: new FixedSet<string>() });

/** A copy of data in which nothing can change. Instances of classes stay as they are. `copies`: those that were made, because data of a host may refer to itself. */
function toFixed(value: unknown, copies = new Map<object, object>()): unknown {
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlainObject(value)))
    return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  copies.set(value, copy);
  for (const [name, member] of Object.entries(copy))
    Object.defineProperty(copy, name, { value: toFixed(member, copies) });
  return Object.freeze(copy);
}

/** The identity as calls get it: nobody can change it for the next caller. The host may keep and change its own. */
export function toFixedIdentity(identity: Identity): Identity {
  if (
    Object.isFrozen(identity) &&
    identity.capabilities instanceof FixedSet &&
    (identity.claims === undefined || Object.isFrozen(identity.claims))
  )
    return identity;
  const { id, role, claims } = identity;
  const capabilities =
    identity.capabilities instanceof FixedSet
      ? identity.capabilities
      : new FixedSet<string>(identity.capabilities);
  // An instance of a class of the host may inherit the members.
  return Object.freeze({
    ...identity,
    id,
    role,
    capabilities,
    ...(claims === undefined ? {} : { claims: toFixed(claims) as NonNullable<Identity['claims']> }),
  });
}

/** Whether the caller holds the capability. */
export function can(identity: Identity, capability: string): boolean {
  return identity.capabilities.has(capability);
}

const MEMBERS: readonly (readonly [name: keyof Identity, fits: (member: unknown) => boolean])[] = [
  ['id', isCallerId],
  ['role', (role) => typeof role === 'string'],
  ['capabilities', (capabilities) => capabilities instanceof Set],
];

/** What is not an identity, with its first wrong member. null: the value is an identity. */
function describeOther(value: unknown): string | null {
  if (!isObject(value)) return kindOf(value);
  const [wrong] = MEMBERS.find(([name, fits]) => !fits(value[name])) ?? [];
  return wrong === undefined ? null : `${kindOf(value)} whose ${wrong} is ${kindOf(value[wrong])}`;
}

/** Whether a value is an `Identity`. */
export function isIdentity(value: unknown): value is Identity {
  return describeOther(value) === null;
}

/**
 * Reads the result of a host's function that identifies the caller. `null` and `undefined` mean that there is none: the result is null.
 * `what`: the function, for the message. @throws TypeError for any other value, so that `true` or half an identity admits nobody
 */
export function readIdentity(value: unknown, what: string): Identity | null {
  if (value === undefined || value === null) return null;
  const other = describeOther(value);
  if (other === null) return value as Identity;
  throw new TypeError(
    `${what} returned ${other}; it must return an Identity (id: a whole number or a text of at most 255 characters, role: a text, capabilities: a Set) or null`,
  );
}
