import { isObject, kindOf } from './objects.ts';

/** The caller. A plain value that is passed with the call, never a global. */
export interface Identity {
  /** 0: anonymous. */
  readonly id: number;
  /** Name of the role; '' if anonymous. */
  readonly role: string;
  /** What the caller may do. */
  readonly capabilities: ReadonlySet<string>;
  /** Claims of a machine token or of the host's own login, for permission functions that use them. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The identity of anonymous callers. */
export const ANONYMOUS: Identity = Object.freeze({ id: 0, role: '', capabilities: new Set<string>() });

/** Whether the caller holds the capability. */
export function can(identity: Identity, capability: string): boolean {
  return identity.capabilities.has(capability);
}

const MEMBERS: readonly (readonly [name: keyof Identity, fits: (member: unknown) => boolean])[] = [
  ['id', (id) => Number.isSafeInteger(id) && Number(id) >= 0],
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
  throw new TypeError(`${what} returned ${other}; it must return an Identity (id: a whole number, role: a text, capabilities: a Set) or null`);
}
