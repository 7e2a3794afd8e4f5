import type { MetaOfRecord, RecordIn } from './collections.ts';

/** A user as it is stored. */
export interface UserRecord extends RecordIn<'users', { readonly meta: MetaOfRecord | null }> {}

/** The locale of a user who has not chosen one. */
export const USUAL_LOCALE = 'en_US';
