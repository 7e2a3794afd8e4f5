import { own } from '../../../lib/core/objects.ts';
import { changeRecord, type PlainChange } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { invalidParams } from '../../../lib/schema/invalid.ts';
import type { Operation, StoredRecord } from '../../../lib/store/store.ts';
import { userOf } from '../accounts/user-roles.ts';
import { claimTree, inTreeTurn } from '../limits/claim-tree.ts';
import type { KindDeps, PostDeps } from '../post-views/post-deps.ts';
import { UNWRITABLE_STATUS } from '../records/checks.ts';
import { postError } from '../records/post-errors.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import { POST_STATUSES } from '../schemas/args.ts';
import { checkLanguage, planLinks } from '../translations/translation-links.ts';
import { findReferences } from './find-references.ts';
import { toPostValues, type PostArgs, type PostValues } from './post-values.ts';
import { toRevisionOf } from './revision-of.ts';
import { savePost, type SavedPost } from './save-post.ts';

/** @throws RestError `rest_invalid_author` for a user who does not exist */
export async function checkAuthor(
  { store }: Pick<PostDeps, 'store'>,
  author: number | undefined,
): Promise<void> {
  if (author === undefined || author === 0) return;
  if (author < 0 || (await store.get('users', author)) === null) throw postError('rest_invalid_author');
}

function checkStatus(status: string | undefined, current: PostRecord | null): void {
  if (
    status === undefined ||
    status === current?.status ||
    (POST_STATUSES as readonly string[]).includes(status)
  )
    return;
  throw invalidParams([['status', UNWRITABLE_STATUS]]);
}

/** A post after a write. `also`: changes of other posts in the same commit. */
interface PostDraft {
  readonly values: PostValues;
  readonly also: readonly Operation[];
}

/** The values of a post after a write, with every reference looked up. */
async function toDraft(
  context: KindDeps,
  call: Call,
  { args, current }: { args: PostArgs; current: PostRecord | null },
): Promise<PostDraft> {
  const settings = await context.settings();
  const language = current === null || call.given.has('ml_language') ? call.language : current.language;
  await checkAuthor(context, args.author);
  const { type, rights } = context.kind;
  const isLinkable = (record: StoredRecord): boolean =>
    record['type'] === type.name && rights.mayEdit(call.identity, toPost(record));
  const links = await planLinks(context.store, { collection: 'posts', current, language, isLinkable }, args);
  await checkLanguage(context.store, { collection: 'posts', current }, { language, group: links?.group });
  checkStatus(args.status, current);
  const found = await findReferences(context, { args, current });
  const values = toPostValues({
    kind: context.kind,
    args,
    current,
    identity: call.identity,
    found: links === null ? found : { ...found, group: links.group },
    language,
    defaultCategory: own(settings.defaultCategory, language) ?? 0,
    discussion: settings.discussion,
    now: context.now(),
    zone: settings.zone,
    curie: call.site.names.curie,
  });
  return { values, also: links?.also ?? [] };
}

/** Creates a post. @throws RestError as `toPostValues` and `findReferences`, and `rest_invalid_author` */
export async function createPost(context: KindDeps, call: Call, args: PostArgs): Promise<SavedPost> {
  const { values, also } = await toDraft(context, call, { args, current: null });
  return savePost(context.store, { current: null, values, durability: call.durability, also });
}

interface Change<T> extends PlainChange<PostRecord, T> {
  readonly context: PostDeps;
  readonly call: Call;
}

/** Runs a change on the post that the permission checked, as `changeRecord`. @throws RestError `rest_post_invalid_id` if the post no longer exists */
export function changePost<T>({ context, call, ...change }: Change<T>, first: PostRecord): Promise<T> {
  const reload = async (): Promise<PostRecord> => {
    const found = await context.store.get('posts', first.id);
    if (found === null) throw postError('rest_post_invalid_id');
    return toPost(found);
  };
  return changeRecord(call, first, { ...change, reload });
}

/** Changes a post and stores its new text as a revision, in one commit. @throws RestError as `toPostValues`, and `rest_invalid_author` */
export async function updatePost(
  context: KindDeps,
  call: Call,
  { args, current }: { args: PostArgs; current: PostRecord },
): Promise<SavedPost> {
  const { store, kind } = context;
  const change = async (claimed: readonly Operation[]): Promise<SavedPost> => {
    const { values, also } = await toDraft(context, call, { args, current });
    const { id, title, content, excerpt, meta } = current;
    const revision = await toRevisionOf(
      context,
      { id, title, content, excerpt, meta, ...values },
      { kind, author: userOf(call.identity) },
    );
    return savePost(store, {
      current,
      values,
      durability: call.durability,
      also: [...claimed, ...also, ...revision],
    });
  };
  const isMoved = (args.parent ?? 0) > 0 && args.parent !== current.parent;
  return isMoved
    ? inTreeTurn(store, kind.type.name, async () => change([await claimTree(store, kind.type.name)]))
    : change([]);
}
