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
