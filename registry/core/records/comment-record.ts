import type { MetaOfRecord, RecordIn } from './collections.ts';

/** Statuses of stored comments. */
export const COMMENT_STATUSES = ['approved', 'hold', 'spam', 'trash'] as const;

/** A comment as it is stored. */
export interface CommentRecord extends RecordIn<'comments', { readonly meta: MetaOfRecord | null }> {}
