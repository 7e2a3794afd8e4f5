import { and, desc, eq } from '../../../lib/store/query.ts';
import { findFirst, type Operation } from '../../../lib/store/store.ts';
import { toStamp } from '../content/site-time.ts';
import type { PostBase } from '../post-views/post-deps.ts';
import { loadHistory, type PostHistory, toHistoryChange } from '../records/history.ts';
import { has, type PostKind } from '../records/kind.ts';
import { hasSameMeta, toRevisionMeta } from '../records/post-meta.ts';
import { type PostRecord, type RevisionRecord, TEXTS, toRevision } from '../records/post-record.ts';

/** What a revision stores of a post. */
type PostText = Pick<PostRecord, 'id' | 'meta' | (typeof TEXTS)[number]>;

function hasSameText(kind: PostKind, post: PostText, revision: RevisionRecord): boolean {
  return (
    TEXTS.every((field) => post[field] === revision[field]) && hasSameMeta(kind, post.meta, revision.meta)
  );
}

/** The newest revision of a post (not an autosave); null if it has none. */
async function findNewestRevision(
  { store }: PostBase,
  post: number,
  history: PostHistory,
): Promise<RevisionRecord | null> {
  if (history.count === 0) return null;
  const newest = await store.get('revisions', history.newest);
  if (newest !== null && newest['autosave'] === false) return toRevision(newest);
  const found = await findFirst(store, {
    collection: 'revisions',
    where: and(eq('parent', post), eq('autosave', false)),
    order: [desc('id')],
  });
  return found === undefined ? null : toRevision(found);
}

/**
 * The operations that store the text of a post as a revision by this author; none if the newest revision has the same text, or if the type has no revisions.
 * @throws StoreError `missing` if the post no longer exists
 */
export async function toRevisionOf(
  context: PostBase,
  post: PostText,
  { kind, author }: { kind: PostKind; author: number },
): Promise<readonly Operation[]> {
  if (!has(kind, 'revisions')) return [];
  const history = await loadHistory(context.store, post.id);
  const newest = await findNewestRevision(context, post.id, history);
  if (newest !== null && hasSameText(kind, post, newest)) return [];
  const stamp = toStamp(context.now(), (await context.settings()).zone);
  const revision: Operation = {
    op: 'create',
    collection: 'revisions',
    as: 'revision',
    values: {
      parent: post.id,
      autosave: false,
      author,
      slug: `${post.id}-revision-v1`,
      ...stamp,
      modified: stamp.date,
      modified_gmt: stamp.date_gmt,
      title: post.title,
      content: post.content,
      excerpt: post.excerpt,
      meta: toRevisionMeta(kind, post.meta),
      autosave_key: '',
    },
  };
  return [revision, toHistoryChange(history, { added: 1, newest: { $ref: 'revision' } })];
}
