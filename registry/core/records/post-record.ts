import type { StoredRecord } from '../../../lib/store/store.ts';
import type { MetaOfRecord, RecordIn } from './collections.ts';

/** The fields that contain the text of a post. Revisions and autosaves have them, too. */
export const TEXTS = ['title', 'content', 'excerpt'] as const;

/**
 * A post as it is stored. `type`, `status`, `slug`, `author`, `title`, `content`, `excerpt`, `password`, `parent`, `menu_order`, `comment_status`,
 * `ping_status`, `format`, `sticky`, `template`, `featured_media`, `categories`, `tags` and `meta` are those of its routes. `date`, `modified`: time of
 * the site; `date_gmt`, `modified_gmt`: GMT. `language`: of its text. `group`: records with the same one are translations of each other; `siblings`:
 * what of the others lists need. `trashed_from`, `trashed_slug`: status and slug before it went to the trash.
 */
export interface PostRecord extends RecordIn<'posts', { readonly meta: MetaOfRecord }> {}

/** A revision or autosave as it is stored. */
export interface RevisionRecord extends RecordIn<'revisions', { readonly meta: MetaOfRecord }> {}

/** Ids of all terms of a post. */
export function termIdsOf({
  categories,
  tags,
  terms,
}: Pick<PostRecord, 'categories' | 'tags' | 'terms'>): readonly number[] {
  return [...categories, ...tags, ...terms];
}

// The store returns records as their collection descriptor declares them. These two lines turn that guarantee into a type.
/** A record of the collection `posts` with its type. */
export const toPost = (record: StoredRecord): PostRecord => record as PostRecord;
export const toRevision = (record: StoredRecord): RevisionRecord => record as RevisionRecord;

/** Statuses of posts that need no fixed date before publication: their dates may float. */
export const DATELESS: ReadonlySet<string> = new Set(['draft', 'pending']);

/** A draft or pending post without a fixed date. It shows the time of its last change and gets a date when it is published. */
export function isFloating(post: Pick<PostRecord, 'date_gmt'>): boolean {
  return post.date_gmt === '';
}
