import { RestError } from '../../../lib/core/errors.ts';
import { can } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import type { RecordPermission } from '../../../lib/crud/plain-collection.ts';
import type { Args, Call, Permission, Verdict } from '../../../lib/route/call.ts';
import { subject } from '../../../lib/route/subject.ts';
import type { CommentRecord } from '../records/comment-record.ts';
import type { PostRecord } from '../records/post-record.ts';
import { MODERATE, NOTE, type CommentDeps } from './deps.ts';
import { commentError } from './errors.ts';

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
