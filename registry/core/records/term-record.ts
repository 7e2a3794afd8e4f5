import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';

/** A term as it is stored. `language`: '' for a term that all languages share. */
export interface TermRecord extends StoredRecord {
  readonly taxonomy: string;
  readonly name: string;
  readonly slug: string;
  readonly parent: number;
  readonly description: string;
  readonly language: string;
  readonly group: number;
  readonly siblings: readonly string[];
  /** null: no meta was ever written. */
  readonly meta: { readonly [key: string]: Json } | null;
}

export const toTerm = (record: StoredRecord): TermRecord => record as TermRecord;
