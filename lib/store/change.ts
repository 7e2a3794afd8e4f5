import type { CallerId } from '../core/identity.ts';
import type { Json } from '../schema/schema-dialect.ts';

/** What led to a change: a request to the API, an import, a schedule, the delivery of a translation, or a command or program of the host. */
export const CHANGE_ORIGINS = ['request', 'import', 'schedule', 'delivery', 'command'] as const;

/** One of `CHANGE_ORIGINS`. */
export type ChangeOrigin = (typeof CHANGE_ORIGINS)[number];

/** Who and what made a commit. It is written into the log of changes with the commit. */
export interface ChangeSource {
  /** Id of the caller; 0: nobody. */
  readonly by: CallerId;
  /** What led to the commit. */
  readonly from: ChangeOrigin;
  /** Id of the request; '' without one. At most 128 characters. */
  readonly request: string;
}

/** Fields of a record that the log keeps, by name. */
export type LoggedValues = Readonly<Record<string, Json>>;

/** One change of one record, as the log keeps it. */
export interface Change {
  /** Collection of the record. */
  readonly collection: string;
  /** Grows with each change of the collection. No two changes of a collection have the same. */
  readonly revision: number;
  /** Id of the record. */
  readonly id: number;
  /** Version of the record after the change; of a removed record its last version. */
  readonly version: number;
  /** What happened to the record. */
  readonly op: 'create' | 'update' | 'remove';
  /** When it was committed, in milliseconds since 1970, on the clock of the process that wrote it. */
  readonly at: number;
  /** Id of the caller who made it; 0: nobody. */
  readonly by: CallerId;
  /** What led to it. */
  readonly from: ChangeOrigin;
  /** Id of the request; '' without one. */
  readonly request: string;
  /** The logged fields after the change; those of a removed record before it. */
  readonly fields: LoggedValues;
  /** The logged fields before the change. null: the record is new. */
  readonly before: LoggedValues | null;
}

/** A place in the log: for each collection the revision of the last change that was read. */
export type Positions = Readonly<Record<string, number>>;

/** Which changes to read. */
export interface ChangesQuery {
  /** The collections to read, each with the revision after which to begin. */
  readonly after: Positions;
  /** Most changes. 0: only `heads` and `starts`. */
  readonly limit: number;
}

/** A part of the log. */
export interface ChangesPage {
  /** In the order of revisions within each collection, and by time between collections. */
  readonly changes: readonly Change[];
  /** The newest revision of each collection that was asked for. */
  readonly heads: Positions;
  /** The smallest revision of each collection after which the log is complete. */
  readonly starts: Positions;
}
