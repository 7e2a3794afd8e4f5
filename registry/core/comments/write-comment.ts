import type { RestError } from '../../../lib/core/errors.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Draft } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { userOf } from '../accounts/user-roles.ts';
import { toStamp } from '../content/site-time.ts';
import type { CommentRecord } from '../records/comment-record.ts';
import type { PostRecord } from '../records/post-record.ts';
import { NOTE, type CommentDeps } from './deps.ts';
import { commentError } from './errors.ts';
import { refuseRepeated, toFirstStatus, toPace, toSameness, type Written } from './moderation.ts';
import {
  checkLengths,
  toAgent,
  toAuthorFields,
  toSentValues,
  type CommentArgs,
  type CommentValues,
} from './values.ts';

const NO_AUTHOR = { author: 0, author_name: '', author_email: '', author_url: '' } as const;
const AUTHOR_TEXTS = ['author_name', 'author_email', 'author_url'] as const;

const APPROVE = () => ({ status: 'approved', trashed_from: '' });
const HOLD = () => ({ status: 'hold', trashed_from: '' });

/** A status as it is sent -> what it does to the status of a comment. Other words do nothing. */
const STATUS_CHANGES: Readonly<
  Record<
    string,
    (comment: Pick<CommentRecord, 'status' | 'trashed_from'>) => Readonly<Record<string, string>>
  >
> = {
  approved: APPROVE,
  approve: APPROVE,
  1: APPROVE,
  hold: HOLD,
  0: HOLD,
  spam: ({ status, trashed_from: from }) =>
    status === 'spam' ? {} : { status: 'spam', trashed_from: status === 'trash' ? from : status },
  trash: ({ status, trashed_from: from }) =>
    status === 'trash' ? {} : { status: 'trash', trashed_from: status === 'spam' ? from : status },
  unspam: ({ status, trashed_from: from }) =>
    status === 'spam' ? { status: from || 'hold', trashed_from: '' } : {},
  untrash: ({ status, trashed_from: from }) =>
    status === 'trash' ? { status: from || 'hold', trashed_from: '' } : {},
};

/** The fields of a comment that a change of its status writes. In the trash, its text may be written again. */
export function toStatusValues(
  status: string | undefined,
  comment: Pick<CommentRecord, 'status' | 'trashed_from'>,
): CommentValues {
  const values = status === undefined ? {} : (own(STATUS_CHANGES, status)?.(comment) ?? {});
  return own<unknown>(values, 'status') === 'trash' ? { ...values, sameness: '' } : values;
}

/** Only a note replies to a note. Other parents are not checked. @throws RestError `rest_comment_invalid_parent` */
async function checkParent(
  { store }: CommentDeps,
  { parent = 0, type }: { readonly parent: number | undefined; readonly type: string },
): Promise<void> {
  const found = type === NOTE || parent <= 0 ? null : await store.get('comments', parent);
  if (found?.['type'] === NOTE) throw commentError('rest_comment_invalid_parent');
}

/** The author of a new comment: the caller, unless the request names one. Empty texts name nobody. */
async function toAuthor(
  context: CommentDeps,
  { identity }: Call,
  sent: CommentValues,
): Promise<CommentValues> {
  const isNamed = sent['author'] !== undefined || AUTHOR_TEXTS.some((name) => (sent[name] ?? '') !== '');
  return isNamed || identity.id === 0 ? {} : toAuthorFields(context, userOf(identity));
}

/**
 * A new comment on a post that the permission has checked.
 * @throws RestError `rest_comment_exists`, `rest_invalid_comment_type`, `rest_comment_invalid_parent`, `rest_comment_content_invalid`, `rest_comment_author_data_required`, `comment_duplicate`, `comment_flood`, and as `checkLengths`
 */
export async function toNewComment(
  context: CommentDeps,
  call: Call,
  { args, post }: { args: CommentArgs; post: PostRecord },
): Promise<Draft> {
  if (args.id !== undefined) throw commentError('rest_comment_exists');
  const type = args.type || 'comment';
  if (type !== 'comment' && type !== NOTE) throw commentError('rest_invalid_comment_type');
  await checkParent(context, { parent: args.parent, type });
  const sent = await toSentValues(context, args);
  if (sent['content'] === undefined) throw commentError('rest_comment_content_invalid');
  const { request, identity } = call;
  const now = context.now();
  const values: CommentValues = {
    ...toStamp(now, (await context.settings()).zone),
    parent: 0,
    author_ip: request.address,
    author_user_agent: toAgent(String(request.headers['user-agent'] ?? '')),
    ...NO_AUTHOR,
    ...sent,
    ...(await toAuthor(context, call, sent)),
    post: post.id,
    post_type: post.type,
    language: post.language,
    type,
    written: now,
  };
  if (values['author_name'] === '' || values['author_email'] === '')
    throw commentError('rest_comment_author_data_required');
  checkLengths(values);
  const written = values as unknown as Written;
  if (type !== NOTE) await refuseRepeated(context, call, written);
  const status = type === NOTE ? 'approved' : await toFirstStatus(context, call, { post, written });
  const meta = context.meta.write({ sent: args.meta, stored: {}, identity }) ?? null;
  return {
    values: {
      ...values,
      meta,
      status,
      sameness: type === NOTE ? '' : toSameness(written),
      pace: type === NOTE ? '' : toPace(written, call, now),
      ...toStatusValues(args.status, { status, trashed_from: '' }),
    },
  };
}

/** The error for a comment that another call of the same author wrote at the same moment. */
export function refuseTaken(fields: readonly string[]): RestError {
  return commentError(fields.includes('pace') ? 'comment_flood' : 'comment_duplicate');
}

/** The post to which a comment is moved, which the caller must be allowed to read, or to edit if it is a note. @throws RestError `rest_comment_invalid_post_id` */
async function toPostValues(
  context: CommentDeps,
  call: Call,
  { id, type }: { readonly id: number | undefined; readonly type: string },
): Promise<CommentValues> {
  if (id === undefined) return {};
  const post = await context.findPost(call, id);
  const { mayEdit, mayReadComments } = context.access;
  const mayMove = (target: PostRecord): boolean =>
    type === NOTE ? mayEdit(call.identity, target) : mayReadComments(call.identity, target, '');
  if (post === null || !mayMove(post))
    throw commentError('rest_comment_invalid_post_id', { message: 'Invalid post ID.' });
  return { post: id, post_type: post.type, language: post.language };
}

/** The changed fields of a comment. @throws RestError `rest_comment_invalid_type`, and as `toNewComment` */
export async function toChangedComment(
  context: CommentDeps,
  call: Call,
  { args, comment }: { args: CommentArgs; comment: CommentRecord },
): Promise<Draft> {
  if (args.type !== undefined && args.type !== comment.type) throw commentError('rest_comment_invalid_type');
  if (args.parent !== comment.parent) await checkParent(context, { parent: args.parent, type: comment.type });
  const sent = await toSentValues(context, args);
  const meta = context.meta.write({ sent: args.meta, stored: comment.meta ?? {}, identity: call.identity });
  const written = { ...sent, ...(meta === undefined ? {} : { meta }) };
  checkLengths(written, comment);
  return {
    values: {
      ...(await toPostValues(context, call, { id: args.post, type: comment.type })),
      ...written,
      ...toStatusValues(args.status, comment),
    },
  };
}
