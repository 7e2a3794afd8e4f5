/** Who is calling. A plain value that travels with the call, never a global. */
export interface Identity {
  /** 0: anonymous. */
  readonly id: number;
  readonly role: string;
  readonly capabilities: ReadonlySet<string>;
  /** Claims of a machine token or of a host's own login, for permission functions that ask for them. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

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
 * What a function of the host said about who is calling; null for nothing, which is `null` or `undefined`.
 * `what`: the function, for the message. @throws TypeError for any other value: nobody comes in by `true` or by half an identity
 */
export function readIdentity(value: unknown, what: string): Identity | null {
  if (value === undefined || value === null) return null;
  if (isIdentity(value)) return value;
  throw new TypeError(`${what} answered ${Array.isArray(value) ? 'a list' : typeof value}; it must answer an Identity (id: a whole number, role: a text, capabilities: a Set) or null`);
}
