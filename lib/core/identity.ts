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

function isIdentity(value: unknown): value is Identity {
  if (typeof value !== 'object' || value === null) return false;
  const { id, role, capabilities } = value as Readonly<Record<string, unknown>>;
  return Number.isSafeInteger(id) && Number(id) >= 0 && typeof role === 'string' && capabilities instanceof Set;
}

/**
 * Reads the result of a host's function that identifies the caller. `null` and `undefined` mean that there is none: the result is null.
 * `what`: the function, for the message. @throws TypeError for any other value, so that `true` or half an identity admits nobody
 */
export function readIdentity(value: unknown, what: string): Identity | null {
  if (value === undefined || value === null) return null;
  if (isIdentity(value)) return value;
  throw new TypeError(`${what} returned ${Array.isArray(value) ? 'a list' : typeof value}; it must return an Identity (id: a whole number, role: a text, capabilities: a Set) or null`);
}
