import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { DATE, NAME } from '../model/short-fields.ts';

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

/** Comments. Their dates are those of posts. */
export const commentCollection = {
  name: 'comments',
  fields: {
    post: { type: 'integer' },
    post_type: NAME,
    language: NAME,
    parent: { type: 'integer' },
    author: { type: 'integer' },
    author_name: { type: 'text', folded: true },
    author_email: { type: 'text' },
    author_url: { type: 'text' },
    author_ip: { type: 'text' },
    author_user_agent: { type: 'text' },
    date: DATE,
    date_gmt: DATE,
    content: { type: 'text', folded: true },
    status: NAME,
    type: NAME,
    trashed_from: { type: 'text' },
    meta: { type: 'json' },
    /** When it was written, in milliseconds since 1970, whatever date it shows. */
    written: { type: 'integer' },
    /** The same text by the same author on the same post, and the quarter of a minute in which an author wrote. '' for none. Two writers at once cannot both have one. */
    sameness: { type: 'text' },
    pace: { type: 'text' },
  },
  unique: [
    { fields: ['sameness'], except: { sameness: '' } },
    { fields: ['pace'], except: { pace: '' } },
  ],
  indexes: [
    ['post', 'status', 'type', 'date_gmt'],
    ['language', 'status', 'type', 'date_gmt'],
    ['parent', 'status'],
    ['author', 'status', 'date_gmt'],
    ['author_email', 'status', 'date_gmt'],
    ['author_ip', 'written'],
  ],
  logged: { keeps: ['status', 'type', 'post', 'post_type', 'language', 'author'] },
} as const satisfies CollectionDescriptor;
