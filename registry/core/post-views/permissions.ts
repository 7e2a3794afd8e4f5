import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { RestError } from '../../../lib/core/errors.ts';
import { can } from '../../../lib/core/identity.ts';
import { Limiter } from '../../../lib/core/limiter.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { own } from '../../../lib/core/objects.ts';
import type { RecordPermission, Refuse as RefuseRecord } from '../../../lib/crud/plain-collection.ts';
import { type Args, type Call, type Permission, subject } from '../../../lib/route/call.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { createGuessLimits, type GuessBounds } from '../accounts/guess-limits.ts';
import type { PreviewedPost, Previews } from '../previews/previews.ts';
import { perKind, type PostKind } from '../records/kind.ts';
import { postError } from '../records/post-errors.ts';
import { type PostRecord, toPost } from '../records/post-record.ts';
import { findStandIn, readChain } from '../translations/fallback.ts';
import type { CmsDeps, KindDeps, PasswordGuard } from './post-deps.ts';

const BOUNDS: GuessBounds = { atTargetFromAddress: 60, fromAddress: 300, atTarget: 1000 };
const REFUSAL = 'Too many wrong passwords. Wait before trying again.';

/** Limit under attack for guesses of callers without a network address: 40 per second, and 64 that wait. */
const SLOW_GUESSES = { atOnce: 2, waiting: 64 };
const SLOW_MS = 50;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether this is the password of a protected post. The comparison takes constant time. */
export function isPassword(post: Pick<PostRecord, 'password'>, given: string): boolean {
  return given !== '' && post.password !== '' && timingSafeEqual(digest(given), digest(post.password));
}

/** Guesses are counted in the memory of this process, for each post, and together for all lists. */
export function createPasswordGuard(now: () => number): PasswordGuard {
  const limits = createGuessLimits(now, BOUNDS, REFUSAL);
  const slow = new Limiter(SLOW_GUESSES);
  const judge = async (
    { request: { address } }: Call,
    target: string,
    isRight: () => boolean,
  ): Promise<boolean> => {
    const guess = { target, address };
    limits.check(guess);
    if (address === '' && limits.isUnderAttack(target)) await slow.run(() => setTimeout(SLOW_MS));
    if (isRight()) return true;
    limits.fail(guess);
    return false;
  };
  return {
    check: (call, post, given) => {
      if (typeof given !== 'string' || given === '') return undefined;
      // Checked once per request even if several permissions ask, so that one guess counts once. The cached promise also keeps a refusal.
      return call.once(`password ${post.id}`, async () => {
        if (!(await judge(call, `post ${post.id}`, () => isPassword(post, given))))
          throw postError('rest_post_incorrect_password');
      });
    },
    async open(call, posts, given) {
      const closed = given === undefined || given === '' ? [] : posts.filter((post) => post.password !== '');
      if (given === undefined || closed.length === 0) return new Set();
      const opened = closed.filter((post) => isPassword(post, given));
      await judge(call, 'list', () => opened.length > 0);
      return new Set(opened.map((post) => post.id));
    },
  };
}

const invalidId = (): RestError => postError('rest_post_invalid_id');
const invalidParent = (): RestError => postError('rest_post_invalid_parent');

function listPosts({ rights }: PostKind): Permission {
  return (args, { identity }) => {
    if (args['context'] !== 'edit' || rights.has(identity, 'edit_posts')) return true;
    return postError('rest_forbidden_context', {
      message: 'Sorry, you are not allowed to edit posts in this post type.',
    });
  };
}

function createPost(kind: PostKind): Permission {
  return (args, { identity }) => {
    if (args['id'] !== undefined) return postError('rest_post_exists');
    return (
      refuseWrite(kind, { args, identity }, 'create') ??
      (kind.rights.has(identity, 'create_posts') ? true : postError('rest_cannot_create'))
    );
  };
}

type Verdict = Awaited<ReturnType<RecordPermission<PostRecord>>>;

/** Whether the date of a scheduled post can change how this post looks: it is scheduled itself, or it lists its translations. */
function mayDependOnDue(post: StoredRecord): boolean {
  return post['status'] === 'future' || post['group'] !== 0;
}

/** How a permission finds the post that it checks. */
interface PostPlace {
  /** The parameter with the id of the post. */
  readonly param: 'id' | 'parent';
  readonly missing: () => RestError;
}

const BY_ID: PostPlace = { param: 'id', missing: invalidId };
const BY_PARENT: PostPlace = { param: 'parent', missing: invalidParent };

/** Permission functions, by the names that `routes.ts` has for them. If one names a post, its subject is the post that it checked. */
export function createPostPermissions({
  store,
  kind,
  settings,
  publishDue,
  passwords,
  previews,
}: KindDeps & Pick<CmsDeps, 'publishDue' | 'passwords' | 'previews'>): Readonly<Record<string, Permission>> {
  const find = (id: unknown): MaybePromise<StoredRecord | null> =>
    thenMaybe(store.get('posts', Number(id)), (post) => {
      if (post === null || !mayDependOnDue(post)) return post;
      // Publishing other posts does not change this one.
      return thenMaybe(publishDue(), () =>
        post['status'] === 'future' ? store.get('posts', post.id) : post,
      );
    });
  // Loaded once per call: the permissions that `Allow` needs read the same post.
  const load = (call: Call, id: unknown): MaybePromise<PostRecord | null> =>
    call.once(`post ${String(id)}`, () =>
      thenMaybe(find(id), (found) => (found?.['type'] === kind.type.name ? toPost(found) : null)),
    );
  const onPost =
    ({ param, missing }: PostPlace, refuse: Refuse) =>
    (args: Args, call: Call): ReturnType<RecordPermission<PostRecord>> =>
      thenMaybe(load(call, own(args, param)), (post) =>
        post === null ? missing() : (refuse(call, post, args) ?? subject(post)),
      );
  const refuse = refusalsOf(kind);
  const readOne = onPost(BY_ID, refuse.read);
  /** The record that the call is about, or the one that stands in for it. */
  const read = (args: Args, call: Call): MaybePromise<Verdict> =>
    args['ml_fallback'] === undefined ? readOne(args, call) : readFirst(args, call);
  const readFirst = async (args: Args, call: Call): Promise<Verdict> => {
    const chain = readChain(call, args['ml_fallback'] as readonly string[], await settings());
    const post = await load(call, args['id']);
    if (post === null) return invalidId();
    // The id of a hidden record does not tell which translations it has.
    if (refuse.read(call, post, { context: 'view' }) !== null) return readOne(args, call);
    const fits = (each: StoredRecord): boolean => refuse.read(call, toPost(each), args) === null;
    const first = await findStandIn(store, post, { of: ['posts', 'type'], chain, fits });
    return first === null ? readOne(args, call) : subject(toPost(first));
  };
  /** A token is never ignored: where it does not open the post, the published text is not shown either. */
  const readPreview = async (args: Args, call: Call): Promise<Verdict> => {
    if (args['context'] !== 'view') return postError('rest_forbidden_context');
    const post = await load(call, args['id']);
    const previewed = post === null ? null : await openPreview(previews, call, post);
    return previewed === null ? postError('rest_preview_invalid') : subject(previewed.post);
  };
  const usePreviews: Refuse = (call, post) =>
    call.identity.id === 0 ? postError('rest_forbidden') : refuse.read(call, post, { context: 'view' });
  return {
    list: listPosts(kind),
    create: createPost(kind),
    read: (args, call) =>
      hasPreview(args)
        ? readPreview(args, call)
        : thenMaybe(read(args, call), (verdict) => {
            if (verdict instanceof RestError) return verdict;
            // Checked after the right to read, so that nobody can guess the password of a post that is hidden from them.
            return thenMaybe(passwords.check(call, verdict.record, args['password']), () => verdict);
          }),
    update: onPost(BY_ID, refuse.update),
    remove: onPost(BY_ID, refuse.remove),
    'translations.list': onPost(BY_ID, (call, post) => refuse.read(call, post, { context: 'view' })),
    'previews.use': onPost(BY_ID, usePreviews),
    'revisions.read': onPost(BY_PARENT, refuse.readRevisions),
    'revisions.remove': onPost(BY_PARENT, refuse.removeRevisions),
    'autosaves.list': onPost({ param: 'id', missing: invalidParent }, refuse.readAutosaves),
    'autosaves.read': onPost(BY_PARENT, refuse.readAutosaves),
    'autosaves.create': onPost(BY_ID, refuse.edit),
  };
}

/** Whether the caller sent the token of a preview. */
const hasPreview = (args: Args): boolean =>
  typeof own(args, 'preview') === 'string' && args['preview'] !== '';

/** What the token of this call opens; null: it has none. Asked once for each call. @throws RestError `rest_preview_invalid` */
export function openPreview(
  previews: Previews,
  call: Call,
  post: PostRecord,
): MaybePromise<PreviewedPost> | null {
  const { args, request } = call;
  if (!hasPreview(args)) return null;
  return call.once(`preview of ${post.id}`, () =>
    previews.open(String(args['preview']), post, request.siteUrl),
  );
}

/** The post that the permission of this call checked. */
export function subjectPost(call: Call): PostRecord {
  return call.subject as PostRecord;
}

/** Returns the reason why the caller must not do this to the current post, or null if it is allowed. */
export type Refuse = RefuseRecord<PostRecord>;

const message = (text: string): { message: string } => ({
  message: `Sorry, you are not allowed to ${text}.`,
});

/** Rights that depend on what is written: a post for another author, a sticky post, or terms. */
export function refuseWrite(
  { rights, taxonomies }: Pick<PostKind, 'rights' | 'taxonomies'>,
  { args, identity }: Pick<Call, 'args' | 'identity'>,
  verb: 'create' | 'update',
): RestError | null {
  const author = Number(args['author'] ?? 0);
  if (author !== 0 && author !== identity.id && !rights.has(identity, 'edit_others_posts'))
    return postError('rest_cannot_edit_others', message(`${verb} posts as this user`));
  const mayStick =
    args['sticky'] !== true ||
    rights.has(identity, 'edit_others_posts') ||
    rights.has(identity, 'publish_posts');
  if (!mayStick) return postError('rest_cannot_assign_sticky');
  const assigns = taxonomies.some(
    ({ base, capabilities }) => own(args, base) !== undefined && !can(identity, capabilities.assign_terms),
  );
  return assigns && rights.has(identity, 'edit_posts') ? postError('rest_cannot_assign_term') : null;
}

/** The refusals of a type, by what the caller wants to do. */
export const refusalsOf = perKind((kind) => {
  const { rights } = kind;
  const without =
    (right: 'mayEdit' | 'mayDelete', ...error: Parameters<typeof postError>): Refuse =>
    ({ identity }, post) =>
      rights[right](identity, post) ? null : postError(...error);
  const edit = without('mayEdit', 'rest_cannot_edit');
  return {
    read: ({ identity }, post, args) => {
      if (args['context'] === 'edit' && !rights.mayEdit(identity, post))
        return postError('rest_forbidden_context');
      return rights.mayRead(identity, post) ? null : postError('rest_forbidden');
    },
    edit,
    update: (call, post, args) =>
      edit(call, post, args) ?? refuseWrite(kind, { args, identity: call.identity }, 'update'),
    remove: without('mayDelete', 'rest_cannot_delete'),
    readRevisions: without('mayEdit', 'rest_cannot_read'),
    removeRevisions: without('mayDelete', 'rest_cannot_delete', message('delete revisions of this post')),
    readAutosaves: without('mayEdit', 'rest_cannot_read', message('view autosaves of this post')),
  } satisfies Readonly<Record<string, Refuse>>;
});
