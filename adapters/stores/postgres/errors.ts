import { messageOf } from '../../../lib/core/thrown.ts';
import { isRace, StoreError } from '../../../lib/store/store.ts';

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
    super(messageOf(cause), { cause });
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

/** SQLSTATEs for an unknown name or an invalid value: a mistake of the program. */
const MISTAKE = /^(22|42|54|0A)/;
const DISK_FULL = '53100';

/** SQLSTATE of a unique key that is taken. */
export const TAKEN = '23505';

/** SQLSTATEs of conflicts between transactions, which are temporary. */
const PASSING: ReadonlySet<string> = new Set(['40001', '40P01']);
/** Most attempts of one commit. */
export const ATTEMPTS = 4;
/** A dead connection fails at once. After a longer wait, a retry would wait as long again. */
const SOON_MS = 1000;

/** True when nothing was changed and a retry may succeed. A lost COMMIT is not a PostgresFailure. */
export function isWorthAnother(
  error: unknown,
  { attempt, started }: { readonly attempt: number; readonly started: number },
): boolean {
  if (!(error instanceof PostgresFailure) || attempt >= ATTEMPTS) return false;
  return PASSING.has(error.state) || (error.isLost && attempt === 1 && performance.now() - started < SOON_MS);
}

/** True when nothing was changed, and a commit's own operations are the reason, so that the commits beside it can succeed. */
export function isOwnFault(error: unknown): boolean {
  return isRace(error) || (error instanceof PostgresFailure && MISTAKE.test(error.state) && !error.isDenied);
}

/** Converts a failure to the error of the store contract. Other errors are returned unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof PostgresFailure) || (MISTAKE.test(error.state) && !error.isDenied)) return error;
  if (error.state === DISK_FULL)
    return new StoreError('full', 'There is no space left for the store.', { cause: error });
  return new StoreError('unavailable', `The store cannot be used: ${error.message}`, { cause: error });
}

/** Runs a read or write and converts its errors to those of the store contract. */
export async function guard<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** How often a note on missing rights is repeated. Milliseconds. */
const DENIED_MS = 60_000;

/** Notes for the operator on rights that are missing. */
export function createDeniedNote(log: (message: string, error: unknown) => void): (error: Error) => void {
  let notedAt = -Infinity;
  return (error) => {
    if (performance.now() - notedAt < DENIED_MS) return;
    notedAt = performance.now();
    log(
      `The database refuses access: ${error.message}. Check that the schema and its tables exist and that no newer version of routebook has changed them, and grant the role of the address its rights on them. Requests get 503 meanwhile.`,
      error,
    );
  };
}
