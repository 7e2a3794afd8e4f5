import {
  checkOptions,
  countUpTo,
  FUNCTION,
  LIST,
  OBJECT,
  type OptionRule,
  type OptionRules,
  TEXT,
} from '../../../lib/core/check-options.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Pooling } from './connections.ts';

/** Options of `createPostgresStore`. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`. The directory of the server's socket is given as `?host=`. */
  readonly url: string;
  /** The collections that the store has. */
  readonly collections: readonly CollectionDescriptor[];
  /** Schema that holds the tables and nothing else. Created when it is missing. Default `routebook`. */
  readonly schema?: string;
  /** `full` (default): refuses a server that may lose acknowledged commits. `relaxed`: accepts any server. */
  readonly durability?: 'full' | 'relaxed';
  /** `transaction`: the address is that of a connection pooler in transaction mode. Default `session`: a connection stays the same one. */
  readonly pooling?: Pooling;
  /** Most connections to read and to write, in addition to one that reads revisions. Default 6 and 3. */
  readonly connections?: { readonly read?: number; readonly write?: number };
  /** Milliseconds: for one read with all its waits, and for the waits and for each statement of a commit (`statementMs`, default 5,000), for a lock while writing (2,000), for a free or new connection (5,000). */
  readonly limits?: { readonly statementMs?: number; readonly lockMs?: number; readonly connectMs?: number };
  /** Gets notes for the operator. */
  readonly log?: (message: string, error?: unknown) => void;
}

/** Waiting writers cannot take all connections, and readers that wait for a lock leave one for the revisions. */
export const CONNECTIONS = { read: 6, write: 3 } as const;
/** Connections to read revisions. */
export const REVISIONS = 1;
/** See PostgresStoreOptions. */
export const LIMITS = { statementMs: 5000, lockMs: 2000, connectMs: 5000 } as const;
/** Readers only wait for a migration. Milliseconds. */
export const READ_LOCK_MS = 500;

const SCHEMA = /^[a-z_][a-z0-9_]{0,39}$/;
const COUNT = countUpTo(1000);
const MS = countUpTo(3_600_000);
const oneOf = (...words: readonly string[]): OptionRule => ({
  wanted: words.join(' or '),
  fits: (value) => words.includes(value as string),
});
const OPTIONS: OptionRules = {
  url: { ...TEXT, needed: true },
  collections: { ...LIST, needed: true },
  schema: {
    wanted: `a name that matches ${SCHEMA.source}`,
    fits: (value) => typeof value === 'string' && SCHEMA.test(value),
  },
  durability: oneOf('full', 'relaxed'),
  pooling: oneOf('session', 'transaction'),
  connections: OBJECT,
  limits: OBJECT,
  log: FUNCTION,
};

/** @throws TypeError naming the first mistake */
export function checkPostgresOptions(options: PostgresStoreOptions): void {
  checkOptions('the options of createPostgresStore', options, OPTIONS);
  checkOptions('connections of createPostgresStore', options.connections ?? {}, {
    read: COUNT,
    write: COUNT,
  });
  checkOptions('limits of createPostgresStore', options.limits ?? {}, {
    statementMs: MS,
    lockMs: MS,
    connectMs: MS,
  });
}
