/** SQLSTATEs of a right that the role does not have. A role without rights on a schema does not see its tables. A newer program may have changed them. */
const DENIED: ReadonlySet<string> = new Set(['42501', '42P01', '42703']);
/** SQLSTATE of a statement that has waited too long for a lock. */
const LOCKED = '55P03';
/** SQLSTATE of a server or a role that allows no further connection. */
const CROWDED = '53300';

/** An error of the server or of the connection to it. */
export class PostgresFailure extends Error {
  /** The SQLSTATE that the server sent (`23505`); '' when the error did not come from the server. */
  readonly state: string;
  /** The constraint or unique index that rejected the row; '' otherwise. */
  readonly constraint: string;
  /** The collections that the failure is about, where a statement concerns only some of those in use. */
  collections: readonly string[] | null = null;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PostgresFailure';
    const { severity, code, constraint } = cause as {
      severity?: unknown;
      code?: unknown;
      constraint?: unknown;
    };
    this.state = severity !== undefined && typeof code === 'string' ? code : '';
    this.constraint = typeof constraint === 'string' ? constraint : '';
  }

  /** The role cannot use the tables. */
  get isDenied(): boolean {
    return DENIED.has(this.state);
  }

  /** Another transaction holds a lock on the tables or rows. */
  get isLocked(): boolean {
    return this.state === LOCKED;
  }

  /** The server allows no further connection. */
  get isCrowded(): boolean {
    return this.state === CROWDED;
  }

  /** The connection is lost or can no longer be trusted. */
  get isLost(): boolean {
    return this.state === '' || /^(08|25P|57P)/.test(this.state);
  }
}
