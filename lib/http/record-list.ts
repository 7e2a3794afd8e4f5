import { brand } from '../core/objects.ts';
import type { Selection } from './select-fields.ts';

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
  /** Number of items of the result before the first record; null: the list is not part of one that `page` and `per_page` divide. */
  readonly from: number | null;

  /** `from`: with it, a list that is too large for a response ends earlier, and its next link goes on where it ends. Without it, it is refused. */
  constructor(records: readonly T[], show: ShowRecord<T>, from: number | null = null) {
    this.records = records;
    this.show = show;
    this.from = from;
  }
}

brand(RecordList, 'RecordList');
