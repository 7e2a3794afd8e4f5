import { brand } from '../core/brand.ts';
import type { Selection } from './fields.ts';

/**
 * Shows one record of a list. `fields`: those that the client asked for, null for all; what else is shown is left out afterwards.
 * @returns any value, a `JsonText` of a record that is written already, a promise of it, or undefined for a record that is gone
 */
export type ShowRecord<T> = (record: T, fields: Selection | null) => unknown;

/**
 * A list as the content of an answer. Its records are shown and written one by one, with pauses in which others have their turn,
 * and no further than an answer may be long: a handler answers with one in place of an array where records can be large or many.
 */
export class RecordList<T = unknown> {
  readonly records: readonly T[];
  readonly show: ShowRecord<T>;

  constructor(records: readonly T[], show: ShowRecord<T>) {
    this.records = records;
    this.show = show;
  }
}

brand(RecordList, 'RecordList');
