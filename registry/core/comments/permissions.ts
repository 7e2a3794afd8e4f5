import { createErrors, type ErrorTable, RestError } from '../../../lib/core/errors.ts';
import { ANONYMOUS, can, type Identity } from '../../../lib/core/identity.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { own } from '../../../lib/core/objects.ts';
import type { PlainCollection, RecordPermission } from '../../../lib/crud/plain-collection.ts';
import { type Args, type Call, type Permission, subject, type Verdict } from '../../../lib/route/call.ts';
import { and, eq, gt, not, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import { isPassword } from '../post-views/permissions.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import type { CommentRecord } from '../records/comment-record.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import type { PostRecord } from '../records/post-record.ts';
import { createTypeRights, HIDDEN_STATUSES, servedPostTypes } from '../records/rights.ts';

/** Everybody reads a published post without a password, unless its type is not public. All others are few, and an index finds them. */
const CANDIDATES: readonly Predicate[] = [
  oneOf('status', HIDDEN_STATUSES),
  and(eq('status', 'publish'), gt('password', '')),
];

const POSTS = ['posts'] as const;

/** Who may read the comments of which posts. */
export interface PostAccess {
  /** Whether the caller may read the comments of the post. A protected post needs its password or the right to edit it. */
  mayReadComments(identity: Identity, post: PostRecord, password: unknown): boolean;
  mayEdit(identity: Identity, post: PostRecord): boolean;
  /** Names of the types whose comments are served. */
  readonly types: readonly string[];
  /** Ids of the posts whose comments the caller may not read. Posts of types that are not served are not among them. */
  listHidden(identity: Identity): Promise<readonly number[]>;
}

export function createPostAccess({ store, publishDue, content }: CmsDeps): PostAccess {
  const rightsOf = createTypeRights(content);
  const { types, inner } = servedPostTypes(content);
  const candidates =
    inner.length === 0 ? CANDIDATES : [...CANDIDATES, and(eq('status', 'publish'), oneOf('type', inner))];
  let kept: { readonly revision: number; readonly hidden: readonly number[] } = { revision: -1, hidden: [] };

  /** The candidates whose comments the caller may read. */
  const toOpen = (identity: Identity): Predicate =>
    or(
      ...types.map((type) => {
        const { readable, editable } = rightsOf(type);
        return and(eq('type', type), readable(identity), or(eq('password', ''), editable(identity)));
      }),
    );
  const find = async (identity: Identity): Promise<readonly number[]> => {
    const open = toOpen(identity);
    const found = await Promise.all(
      candidates.map((where) =>
        store.find({ collection: 'posts', where: and(where, not(open)), fields: [] }),
      ),
    );
    return found.flatMap(({ records }) => records.map(({ id }) => id));
  };

  return {
    types,
    mayEdit: (identity, post) => rightsOf(post.type).mayEdit(identity, post),
    mayReadComments: (identity, post, password) => {
      const { mayRead, mayEdit } = rightsOf(post.type);
      if (!mayRead(identity, post)) return false;
      return (
        post.password === '' ||
        (typeof password === 'string' && isPassword(post, password)) ||
        mayEdit(identity, post)
      );
    },
    listHidden: async (identity) => {
      await publishDue();
      if (identity !== ANONYMOUS) return find(identity);
      // The revision is read before the posts, so that the next read notices a write in between.
      const revision = await store.revision(POSTS);
      if (kept.revision !== revision) kept = { revision, hidden: await find(identity) };
      return kept.hidden;
    },
  };
}

/** Errors of comments. */
export const COMMENT_ERRORS = {
  rest_comment_invalid_id: [404, 'Invalid comment ID.'],
  rest_comment_invalid_post_id: [403, 'Sorry, you are not allowed to create this comment without a post.'],
  rest_comment_login_required: [401, 'Sorry, you must be logged in to comment.'],
  rest_comment_invalid_author: ['denied', "Sorry, you are not allowed to edit 'author' for comments."],
  rest_comment_invalid_author_ip: ['denied', "Sorry, you are not allowed to edit 'author_ip' for comments."],
  rest_comment_invalid_status: ['denied', "Sorry, you are not allowed to edit 'status' for comments."],
  rest_comment_draft_post: [403, 'Sorry, you are not allowed to create a comment on this post.'],
  rest_comment_trash_post: [403, 'Sorry, you are not allowed to create a comment on this post.'],
  rest_comment_closed: [403, 'Sorry, comments are closed for this item.'],
  rest_cannot_create_note: ['denied', 'Sorry, you are not allowed to create notes for this post.'],
  rest_comment_not_supported_post_type: [403, 'Sorry, this post type does not support notes.'],
  rest_comment_exists: [400, 'Cannot create existing comment.'],
  rest_invalid_comment_type: [400, 'Cannot create a comment with that type.'],
  rest_comment_invalid_type: [404, 'Sorry, you are not allowed to change the comment type.'],
  rest_comment_invalid_parent: [400, 'parent: only a note replies to a note.'],
  rest_comment_content_invalid: [400, 'Invalid comment content.'],
  rest_comment_author_data_required: [400, 'Creating a comment requires valid author name and email values.'],
  rest_comment_author_invalid: [400, 'Invalid comment author ID.'],
  comment_author_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_author_email_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_author_url_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_content_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_duplicate: [409, 'Duplicate comment detected; it looks as though you&#8217;ve already said that!'],
  comment_flood: [400, 'You are posting comments too quickly. Slow down.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit comments.'],
  rest_forbidden_param: ['denied', 'Query parameter not permitted.'],
  rest_cannot_read: ['denied', 'Sorry, you are not allowed to read this comment.'],
  rest_cannot_read_post: ['denied', 'Sorry, you are not allowed to read the post for this comment.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this comment.'],
  rest_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this comment.'],
  rest_already_trashed: [410, 'The comment has already been trashed.'],
} as const satisfies ErrorTable;

export const commentError = createErrors(COMMENT_ERRORS);

/** What the functions of comments share. */
export interface CommentDeps extends CmsDeps {
  readonly access: PostAccess;
  readonly meta: RecordMeta;
  readonly collection: PlainCollection<CommentRecord>;
  /** A post of a served type; null if there is none. */
  readonly findPost: (call: Call, id: number) => MaybePromise<PostRecord | null>;
  /** Whether callers without a login may write comments. */
  readonly visitorsMayWrite: boolean;
}

/** The type of comments that editors write to each other in the text of a post. Those who may edit the post read and write them, nobody else. */
export const NOTE = 'note';

/** The capability of those who moderate comments. */
export const MODERATE = 'moderate_comments';

/** List parameters for moderators, with the value that everybody may send. */
const RESTRICTED: Readonly<Record<string, unknown>> = {
  author: undefined,
  author_exclude: undefined,
  author_email: undefined,
  type: 'comment',
  status: 'approve',
};

const forbidden = (text: string): { message: string } => ({
  message: `Sorry, you are not allowed to ${text}.`,
});

function refuseParameters(args: Args, { identity }: Call): RestError | null {
  if (can(identity, MODERATE)) return null;
  if (args['context'] === 'edit') return commentError('rest_forbidden_context');
  const names = Object.entries(RESTRICTED)
    .filter(([name, open]) => own(args, name) !== open)
    .map(([name]) => name);
  return names.length === 0
    ? null
    : commentError('rest_forbidden_param', { message: `Query parameter not permitted: ${names.join(', ')}` });
}

/** The subject of a permission that checked a comment: the comment, and its post if it still exists. */
export interface CheckedComment {
  readonly comment: CommentRecord;
  readonly post: PostRecord | null;
}

/** Whether the caller may change the comment: those who may edit its post, and moderators, unless it is a note. */
export function mayChange(
  { access }: Pick<CommentDeps, 'access'>,
  { identity }: Call,
  { comment, post }: CheckedComment,
): boolean {
  return (
    (comment.type !== NOTE && can(identity, MODERATE)) || (post !== null && access.mayEdit(identity, post))
  );
}

/** Only moderators write in the name of others. `stored`: what a changed comment says already. */
function refuseAuthor(args: Args, { identity, request }: Call, stored?: CommentRecord): RestError | null {
  if (can(identity, MODERATE)) return null;
  if (![undefined, identity.id, stored?.author].includes(args['author'] as number | undefined))
    return commentError('rest_comment_invalid_author');
  return [undefined, request.address, stored?.author_ip].includes(args['author_ip'] as string | undefined)
    ? null
    : commentError('rest_comment_invalid_author_ip');
}

type Refuse = (call: Call, checked: CheckedComment, args: Args) => RestError | null;

/** Checks permissions on posts and comments. */
class CommentRights {
  readonly #context: CommentDeps;

  constructor(context: CommentDeps) {
    this.#context = context;
  }

  /** The refusal to read comments of a post. A password is checked after the right to read the post. */
  async refusePost(call: Call, post: PostRecord, password: unknown): Promise<RestError | null> {
    const { access, passwords } = this.#context;
    // A wrong password is counted as a guess, and then opens nothing.
    if (post.password !== '' && access.mayReadComments(call.identity, { ...post, password: '' }, ''))
      await passwords.open(call, [post], typeof password === 'string' ? password : undefined);
    return access.mayReadComments(call.identity, post, password)
      ? null
      : commentError('rest_cannot_read_post');
  }

  /** The refusal of notes on a post. */
  #refuseNote({ identity }: Call, post: PostRecord): RestError | null {
    const { access, content } = this.#context;
    if (!access.mayEdit(identity, post)) return commentError('rest_cannot_create_note');
    return content.types.get(post.type)?.features.has('notes') === true
      ? null
      : commentError('rest_comment_not_supported_post_type');
  }

  /** Notes are listed by posts that the caller may edit. */
  async #listNotes({ post: ids }: Args, call: Call): Promise<Verdict> {
    const { access } = this.#context;
    const posts = await Promise.all((ids as readonly number[]).map((id) => this.#context.findPost(call, id)));
    const mayRead =
      posts.length > 0 && posts.every((post) => post !== null && access.mayEdit(call.identity, post));
    return (
      mayRead || commentError('rest_forbidden_param', { message: 'Query parameter not permitted: type' })
    );
  }

  async list(args: Args, call: Call): Promise<Verdict> {
    if (args['type'] === NOTE) return this.#listNotes(args, call);
    for (const id of args['post'] as readonly number[]) {
      if (id === 0 && !can(call.identity, MODERATE))
        return commentError('rest_cannot_read', forbidden('read comments without a post'));
      const post = id === 0 ? null : await this.#context.findPost(call, id);
      const refusal = post === null ? null : await this.refusePost(call, post, args['password']);
      if (refusal !== null) return refusal;
    }
    return refuseParameters(args, call) ?? true;
  }

  async create(args: Args, call: Call): Promise<Verdict> {
    const { identity } = call;
    const isNote = args['type'] === NOTE;
    if (identity.id === 0 && (isNote || !this.#context.visitorsMayWrite))
      return commentError('rest_comment_login_required');
    const foreign = refuseAuthor(args, call);
    if (foreign !== null) return foreign;
    if (args['status'] !== undefined && !isNote && !can(identity, MODERATE))
      return commentError('rest_comment_invalid_status');
    const post = await this.#context.findPost(call, Number(args['post'] ?? 0));
    if (post === null) return commentError('rest_comment_invalid_post_id');
    if (isNote && post.status !== 'trash') return this.#refuseNote(call, post) ?? subject(post);
    if (post.status === 'draft') return commentError('rest_comment_draft_post');
    if (post.status === 'trash') return commentError('rest_comment_trash_post');
    const refusal = await this.refusePost(call, post, args['password']);
    return refusal ?? (post.comment_status === 'open' ? subject(post) : commentError('rest_comment_closed'));
  }

  /** A permission on the comment that the parameter `id` names. */
  on(refuse: Refuse): RecordPermission<CheckedComment> {
    return async (args, call) => {
      const comment = await this.#context.collection.load(call, own(args, 'id'));
      if (comment === null) return commentError('rest_comment_invalid_id');
      const checked: CheckedComment = { comment, post: await this.#context.findPost(call, comment.post) };
      return refuse(call, checked, args) ?? subject(checked);
    };
  }

  async read(args: Args, call: Call): Promise<Verdict> {
    const verdict = await this.on(() => null)(args, call);
    if (verdict instanceof RestError) return verdict;
    const { comment, post } = verdict.record;
    const { identity } = call;
    if (comment.type === NOTE)
      return mayChange(this.#context, call, { comment, post }) ? verdict : commentError('rest_cannot_read');
    if (args['context'] === 'edit' && !can(identity, MODERATE)) return commentError('rest_forbidden_context');
    const refusal =
      post === null ? commentError('rest_cannot_read') : await this.refusePost(call, post, args['password']);
    const isOwn = identity.id !== 0 && comment.author === identity.id;
    const isShown =
      (comment.status === 'approved' && refusal === null) ||
      isOwn ||
      mayChange(this.#context, call, { comment, post });
    if (!isShown) return commentError('rest_cannot_read');
    return refusal === null || can(identity, MODERATE) ? verdict : refusal;
  }
}

/** Refusals of changes, which the handlers check again. */
export function createCommentRefusals(context: CommentDeps): Readonly<Record<'update' | 'remove', Refuse>> {
  return {
    update: (call, checked, args) =>
      mayChange(context, call, checked)
        ? refuseAuthor(args, call, checked.comment)
        : commentError('rest_cannot_edit'),
    remove: (call, checked) =>
      mayChange(context, call, checked) ? null : commentError('rest_cannot_delete'),
  };
}

/** Permission functions of comments by id. */
export function createCommentPermissions(context: CommentDeps): Readonly<Record<string, Permission>> {
  const rights = new CommentRights(context);
  const refusals = createCommentRefusals(context);
  return {
    'cms.comments.list': (args, call) => rights.list(args, call),
    'cms.comments.create': (args, call) => rights.create(args, call),
    'cms.comments.read': (args, call) => rights.read(args, call),
    'cms.comments.update': rights.on(refusals.update),
    'cms.comments.remove': rights.on(refusals.remove),
  };
}
