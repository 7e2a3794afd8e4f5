import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';

/** A user as it is stored (`registry/core/records/collections.ts`). */
export interface UserRecord extends StoredRecord {
  readonly login: string;
  readonly name: string;
  readonly slug: string;
  readonly role: string;
  readonly more_roles: readonly string[];
  readonly email: string;
  readonly email_key: string;
  readonly description: string;
  readonly url: string;
  readonly registered_gmt: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly nickname: string;
  readonly locale: string;
  /** null: no meta was ever written. */
  readonly meta: { readonly [key: string]: Json } | null;
}

/** The locale of a user who has not chosen one. */
export const USUAL_LOCALE = 'en_US';
