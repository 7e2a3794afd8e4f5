import { brand } from '../core/brand.ts';
import type { Selection } from './fields.ts';

/**
 * Shows one record of a list. `fields`: those that the client requested, null for all. Other fields are removed afterwards.
 * @returns any value, a `JsonText` of a record that is already written, a promise of it, or undefined for a record that no longer exists
 */
export type ShowRecord<T> = (record: T, fields: Selection | null) => unknown;

/**
 * A list of records as the content of a response. Records are shown and written one by one, with pauses for other requests,
 * and only up to the limit of a response. Handlers return it instead of an array if records can be large or numerous.
 */
export class RecordList<T = unknown> {
  /** The records, in the order of the response. */
  readonly records: readonly T[];
  /** Makes the shown form of one record. */
  readonly show: ShowRecord<T>;

  constructor(records: readonly T[], show: ShowRecord<T>) {
    this.records = records;
    this.show = show;
  }
}

brand(RecordList, 'RecordList');
