import { createHash } from 'node:crypto';
import type { RestError } from '../../../lib/core/errors.ts';
import { can } from '../../../lib/core/identity.ts';
import { own, isObject } from '../../../lib/core/objects.ts';
import type { Draft } from '../../../lib/crud/plain-collection.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, equalsFolded, gt, not, or } from '../../../lib/store/query.ts';
import { exists } from '../../../lib/store/store.ts';
import { userOf } from '../accounts/roles.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { toStamp } from '../content/site-time.ts';
import { wantedDate } from '../post-writes/post-dates.ts';
import type { CommentRecord } from '../records/comment-record.ts';
import type { PostRecord } from '../records/post-record.ts';
import { checkBounds, cutField, listTooLong } from '../records/text-bounds.ts';
import { NOTE, commentError, MODERATE, type CommentDeps } from './permissions.ts';
import type { commentWriteArgs } from './routes.ts';

/** The fields of a comment that a request may send. `id` and `type` are not in the index. */
export type CommentArgs = Partial<ArgsOf<typeof commentWriteArgs>> & {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly meta?: unknown;
};

/** The errors for texts that are too long. WordPress has one for each field. */
const TOO_LONG = {
  author_name: 'comment_author_column_length',
  author_email: 'comment_author_email_column_length',
  author_url: 'comment_author_url_column_length',
  content: 'comment_content_column_length',
} as const;

/** A user agent is cut. */
export const toAgent = (text: string): string => cutField('comments', 'author_user_agent', text);

const same = (text: string): string => text;

/** What a comment says of its author. */
const AUTHOR = {
  author_name: same,
  author_email: (text: string) => text.trim(),
  author_url: same,
  author_ip: same,
  author_user_agent: toAgent,
} as const;

/** The values that a write stores. */
type CommentValues = Record<string, Json>;

/** @throws RestError for a field that is too long */
function checkLengths(
  values: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>> = {},
): void {
  for (const { field } of listTooLong('comments', values)) {
    const code = own<(typeof TOO_LONG)[keyof typeof TOO_LONG]>(TOO_LONG, field);
    if (code !== undefined && own(values, field) !== own(current, field)) throw commentError(code);
  }
  checkBounds('comments', values, current);
}

/** Name, address and URL of a user, as the fields of a comment. @throws RestError `rest_comment_author_invalid` */
async function toAuthorFields({ store }: CommentDeps, id: number): Promise<CommentValues> {
  const user = id > 0 ? await store.get('users', id) : null;
  if (user === null) throw commentError('rest_comment_author_invalid');
  return {
    author: id,
    author_name: String(user['name']),
    author_email: String(user['email']),
    author_url: String(user['url']),
  };
}

/** Whether a reply says no more than what became of a note. */
const endsNote = ({ type, meta }: CommentArgs): boolean =>
  type === NOTE && isObject(meta) && Boolean(own<unknown>(meta, '_wp_note_status'));

/** The fields that a request sends, as they are stored. @throws RestError `rest_comment_content_invalid`, `rest_comment_author_invalid`, `invalid_date` */
async function toSentValues(context: CommentDeps, args: CommentArgs): Promise<CommentValues> {
  const { zone } = await context.settings();
  const values: CommentValues = {};
  if (args.content?.raw !== undefined) values['content'] = args.content.raw;
  if (args.author !== undefined)
    Object.assign(values, args.author === 0 ? { author: 0 } : await toAuthorFields(context, args.author));
  for (const [name, toStored] of Object.entries(AUTHOR)) {
    const text = own<unknown>(args, name) as string | undefined;
    if (text !== undefined) values[name] = toStored(text);
  }
  if (args.parent !== undefined) values['parent'] = args.parent;
  const stored: CommentValues = toStoredTexts('comments', { ...values, ...wantedDate(args, zone) });
  if (stored['content'] === '' && !endsNote(args)) throw commentError('rest_comment_content_invalid');
  return stored;
}

/** Who wrote a comment where, and what. */
interface Written {
  readonly post: number;
  readonly parent: number;
  readonly author: number;
  readonly author_name: string;
  readonly author_email: string;
  readonly author_ip: string;
  readonly content: string;
}

/** Time between two comments of one author. */
const PACE_MS = 15_000;
/** A comment with this many links is held. */
const MANY_LINKS = 2;

const digest = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** The same text by the same author in the same place. Only one comment that is not in the trash has it. */
function toSameness({ post, parent, author_name: name, author_email: email, content }: Written): string {
  return digest(post, parent, name, email, content);
}

/** The author and the quarter of a minute; '' for moderators, who may write as fast as they like. */
function toPace(
  { author, author_ip: ip, author_email: email }: Written,
  { identity }: Call,
  now: number,
): string {
  return can(identity, MODERATE)
    ? ''
    : digest(author === 0 ? ip || email : author, Math.floor(now / PACE_MS));
}

/** @throws RestError `comment_duplicate`, `comment_flood` */
async function refuseRepeated(context: CommentDeps, call: Call, written: Written): Promise<void> {
  const { post, parent, author, author_name: name, author_email: email, author_ip: ip, content } = written;
  const sameAuthor = [
    ...(name === '' ? [] : [eq('author_name', name)]),
    ...(email === '' ? [] : [eq('author_email', email)]),
  ];
  // The digest of the text would not find the same text under another name with the same address.
  const same = and(
    eq('post', post),
    eq('parent', parent),
    not(eq('status', 'trash')),
    or(...sameAuthor),
    equalsFolded('content', content),
  );
  const { records } = await context.store.find({ collection: 'comments', where: same, fields: ['content'] });
  if (records.some((record) => record['content'] === content)) throw commentError('comment_duplicate');
  if (can(call.identity, MODERATE)) return;
  const byAuthor = [
    ...(author === 0 ? (ip === '' ? [] : [eq('author_ip', ip)]) : [eq('author', author)]),
    ...(email === '' ? [] : [eq('author_email', email)]),
  ];
  const isRecent = and(gt('written', context.now() - PACE_MS), or(...byAuthor));
  if (await exists(context.store, 'comments', isRecent)) throw commentError('comment_flood');
}

export const countLinks = (content: string): number =>
  (content.match(/<a\s[^>]*/gi) ?? []).filter((tag) => /href/i.test(tag)).length;

/**
 * The status of a new comment: approved if its author moderates or wrote the post, or was approved before; otherwise held.
 * A visitor was approved before if a visitor's comment with this name and address was, so that nobody gains trust with the address of a user.
 */
async function toFirstStatus(
  context: CommentDeps,
  call: Call,
  { post, written }: { post: PostRecord; written: Written },
): Promise<string> {
  const { author, author_name: name, author_email: email, content } = written;
  const isSelf = author !== 0 && author === call.identity.id;
  if (isSelf && (can(call.identity, MODERATE) || post.author === author)) return 'approved';
  if (countLinks(content) >= MANY_LINKS || name === '' || email === '') return 'hold';
  const before = isSelf
    ? [eq('author', author)]
    : [eq('author', 0), eq('author_email', email), eq('author_name', name)];
  // Who edits a post approves notes on it.
  const isApproved = and(...before, eq('status', 'approved'), not(eq('type', NOTE)));
  return (await exists(context.store, 'comments', isApproved)) ? 'approved' : 'hold';
}

const NO_AUTHOR = { author: 0, author_name: '', author_email: '', author_url: '' } as const;
const AUTHOR_TEXTS = ['author_name', 'author_email', 'author_url'] as const;

const APPROVE = () => ({ status: 'approved', trashed_from: '' });
const HOLD = () => ({ status: 'hold', trashed_from: '' });

/** Changes the status of a comment, and where it came from. */
type ChangeStatus = (
  comment: Pick<CommentRecord, 'status' | 'trashed_from'>,
) => Readonly<Record<string, string>>;

/** Puts a comment away. From `other`, it remembers where it was before. */
const putInto =
  (place: string, other: string): ChangeStatus =>
  ({ status, trashed_from: from }) =>
    status === place ? {} : { status: place, trashed_from: status === other ? from : status };
const takeFrom =
  (place: string): ChangeStatus =>
  ({ status, trashed_from: from }) =>
    status === place ? { status: from || 'hold', trashed_from: '' } : {};

/** A status as it is sent -> what it does to the status of a comment. Other words do nothing. */
const STATUS_CHANGES: Readonly<Record<string, ChangeStatus>> = {
  approved: APPROVE,
  approve: APPROVE,
  1: APPROVE,
  hold: HOLD,
  0: HOLD,
  spam: putInto('spam', 'trash'),
  trash: putInto('trash', 'spam'),
  unspam: takeFrom('spam'),
  untrash: takeFrom('trash'),
};

/** The fields of a comment that a change of its status writes. In the trash, its text may be written again. */
export function toStatusValues(
  status: string | undefined,
  comment: Parameters<ChangeStatus>[0],
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
  const { request } = call;
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
  const meta = context.meta.toValues(call, args.meta, null);
  return {
    values: {
      ...values,
      ...meta,
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
  const written = { ...sent, ...context.meta.toValues(call, args.meta, comment.meta) };
  checkLengths(written, comment);
  return {
    values: {
      ...(await toPostValues(context, call, { id: args.post, type: comment.type })),
      ...written,
      ...toStatusValues(args.status, comment),
    },
  };
}
