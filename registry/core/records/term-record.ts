import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';

/** A term as it is stored. `taxonomy`, `name`, `slug`, `parent` and `description` are those of its routes. `group`, `siblings`: as of a post. `language`: '' for a term that all languages share. */
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

/** A record of the collection `terms` with its type. */
export const toTerm = (record: StoredRecord): TermRecord => record as TermRecord;
