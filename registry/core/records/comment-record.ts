import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';

/** Statuses of stored comments. */
export const COMMENT_STATUSES = ['approved', 'hold', 'spam', 'trash'] as const;

/** A comment as it is stored. */
export interface CommentRecord extends StoredRecord {
  readonly post: number;
  /** Type and language of the post. The type never changes. */
  readonly post_type: string;
  readonly language: string;
  readonly parent: number;
  /** 0: a visitor. */
  readonly author: number;
  readonly author_name: string;
  readonly author_email: string;
  readonly author_url: string;
  readonly author_ip: string;
  readonly author_user_agent: string;
  readonly date: string;
  readonly date_gmt: string;
  readonly content: string;
  readonly status: string;
  readonly type: string;
  /** Status before the trash or the spam. */
  readonly trashed_from: string;
  readonly meta: { readonly [key: string]: Json } | null;
}
