import { RestError } from '../../../lib/core/errors.ts';
import { thenMaybe, type MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { own } from '../../../lib/core/objects.ts';
import type { RecordPermission } from '../../../lib/crud/plain-collection.ts';
import type { Args, Call, Permission } from '../../../lib/route/call.ts';
import { subject } from '../../../lib/route/subject.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import type { PreviewedPost, Previews } from '../previews/previews.ts';
import type { PostKind } from '../records/kind.ts';
import { postError } from '../records/post-errors.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import { refusalsOf, refuseWrite, type Refuse } from '../records/refusals.ts';
import { findFirst, readChain } from '../translations/fallback.ts';
import type { CmsDeps } from './cms-deps.ts';
import type { KindDeps } from './post-deps.ts';

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

type Found = StoredRecord | null;
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
  const find = (id: unknown): MaybePromise<Found> =>
    thenMaybe(store.get('posts', Number(id)), (post) => {
      if (post === null || !mayDependOnDue(post)) return post;
      // Publishing other posts does not change this one.
      return thenMaybe(publishDue(), () =>
        post['status'] === 'future' ? store.get('posts', post.id) : post,
      );
    });
  // Loaded once per call: the permissions that `Allow` needs read the same post.
  const load = (call: Call, id: unknown): MaybePromise<Found> =>
    call.once(`post ${String(id)}`, () => find(id));
  const onPost =
    ({ param, missing }: PostPlace, refuse: Refuse) =>
    (args: Args, call: Call): ReturnType<RecordPermission<PostRecord>> =>
      thenMaybe(load(call, own(args, param)), (found) => {
        if (found === null || found['type'] !== kind.type.name) return missing();
        const post = toPost(found);
        return refuse(call, post, args) ?? subject(post);
      });
  const refuse = refusalsOf(kind);
  const readOne = onPost(BY_ID, refuse.read);
  /** The record that the call is about, or the one that stands in for it. */
  const read = (args: Args, call: Call): MaybePromise<Verdict> =>
    args['ml_fallback'] === undefined ? readOne(args, call) : readFirst(args, call);
  const readFirst = async (args: Args, call: Call): Promise<Verdict> => {
    const chain = readChain(call, args['ml_fallback'] as readonly string[], await settings());
    const found = await load(call, args['id']);
    if (found === null || found['type'] !== kind.type.name) return invalidId();
    // The id of a hidden record does not tell which translations it has.
    if (refuse.read(call, toPost(found), { context: 'view' }) !== null) return readOne(args, call);
    const fits = (each: StoredRecord): boolean => refuse.read(call, toPost(each), args) === null;
    const first = await findFirst(store, found, { of: ['posts', 'type'], chain, fits });
    return first === null ? readOne(args, call) : subject(toPost(first));
  };
  /** A token is never ignored: where it does not open the post, the published text is not shown either. */
  const readPreview = async (args: Args, call: Call): Promise<Verdict> => {
    if (args['context'] !== 'view') return postError('rest_forbidden_context');
    const found = await load(call, args['id']);
    if (found === null || found['type'] !== kind.type.name) return postError('rest_preview_invalid');
    const previewed = await openPreview(previews, call, toPost(found));
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
