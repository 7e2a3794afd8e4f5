import type { Call } from '../../lib/route/call.ts';
import type { RestError } from '../../lib/core/errors.ts';
import { checkIfMatch } from '../../lib/http/etag.ts';
import { own } from '../../lib/core/objects.ts';
import { and, eq } from '../../lib/store/query.ts';
import { invalidParams } from '../../lib/dispatch/resolve.ts';
import { retryRaces } from '../site/retry.ts';
import { POST_STATUSES } from './args.ts';
import { UNWRITABLE_STATUS } from './checks.ts';
import type { PostContext } from './context.ts';
import { postError } from './errors.ts';
import type { Check } from './permissions.ts';
import { toPost, type PostRecord } from './post-record.ts';
import { toPostValues, type FoundReferences, type PostArgs, type PostValues } from './post-values.ts';
import { toRevisionOf } from './revision-of.ts';
import { savePost, type SavedPost } from './save-post.ts';
import type { Terms } from './terms.ts';

/** Terms that exist, and an image that exists: what is unknown is ignored, as the peer does. */
async function findReferences({ store }: PostContext, args: PostArgs, terms: Terms): Promise<FoundReferences> {
  const { categories, tags, featured_media: media } = args;
  const image = media === undefined || media === 0 ? null : await store.get('media', media);
  const isImage = image !== null && String(image['mime_type']).startsWith('image/');
  const ofTaxonomy = (taxonomy: string, ids: readonly number[]): readonly number[] => [...new Set(ids)].filter((id) => terms.get(id)?.['taxonomy'] === taxonomy);
  return {
    ...(categories === undefined ? {} : { categories: ofTaxonomy('category', categories) }),
    ...(tags === undefined ? {} : { tags: ofTaxonomy('post_tag', tags) }),
    ...(media === 0 || isImage ? { featured_media: media } : {}),
  };
}

async function checkAuthor({ store }: PostContext, author: number | undefined): Promise<void> {
  if (author === undefined || author === 0) return;
  if (author < 0 || await store.get('users', author) === null) throw postError('rest_invalid_author');
}

function checkStatus(status: string | undefined, current: PostRecord | null): void {
  if (status === undefined || status === current?.status || (POST_STATUSES as readonly string[]).includes(status)) return;
  throw invalidParams([['status', UNWRITABLE_STATUS]]);
}

/** A post can not take a language in which its translation group has another post already. */
async function checkLanguage({ store }: PostContext, current: PostRecord | null, language: string): Promise<void> {
  if (current === null || current.group === 0 || current.language === language) return;
  const { records } = await store.find({ collection: 'posts', where: and(eq('group', current.group), eq('language', language)), limit: 1, fields: [] });
  if (records.length === 0) return;
  throw invalidParams([['ml_language', { code: 'rest_invalid_param', message: `ml_language: post ${String(records[0]?.id)} is the translation into "${language}" already.`, data: null }]]);
}

/** What a write makes of a post, with everything that it names looked up. */
async function toDraft(context: PostContext, call: Call, { args, current }: { args: PostArgs; current: PostRecord | null }): Promise<PostValues> {
  const settings = await context.settings();
  const language = current === null || call.given.has('ml_language') ? call.language : current.language;
  await checkAuthor(context, args.author);
  await checkLanguage(context, current, language);
  checkStatus(args.status, current);
  const terms = await context.terms([...args.categories ?? [], ...args.tags ?? []]);
  return toPostValues({
    args, current, identity: call.identity, found: await findReferences(context, args, terms), language,
    defaultCategory: own(settings.defaultCategory, language) ?? 0, now: context.now(), zone: settings.zone, curie: call.site.names.curie,
  });
}

/** Makes a post. @throws RestError as `toPostValues`, and `rest_invalid_author` */
export async function createPost(context: PostContext, call: Call, args: PostArgs): Promise<SavedPost> {
  const values = await toDraft(context, call, { args, current: null });
  return savePost(context.store, { current: null, values, durability: call.durability });
}

interface Change<T> {
  readonly context: PostContext;
  readonly call: Call;
  /** The right to the change, asked again of a post that has changed meanwhile. */
  readonly check: Check;
  readonly run: (post: PostRecord) => Promise<T>;
}

/**
 * Runs a change on the post that the permission saw. When somebody else wrote at the same moment, it starts again on
 * the new state, with the right checked anew; with `If-Match` only while the post itself is the one that was asked for.
 * @throws RestError `rest_precondition_failed`, `rest_conflict`, `rest_post_invalid_id` when the post has gone
 */
export async function changePost<T>({ context, call, check, run }: Change<T>, first: PostRecord): Promise<T> {
  let post: PostRecord | null = first;
  return retryRaces(async () => {
    post ??= await loadAgain(context, first.id, () => postError('rest_post_invalid_id'));
    checkIfMatch(call, post.version);
    if (post !== first) check(call, post, call.args);
    const current = post;
    post = null;
    return run(current);
  });
}

async function loadAgain({ store }: PostContext, id: number, missing: () => RestError): Promise<PostRecord> {
  const found = await store.get('posts', id);
  if (found === null) throw missing();
  return toPost(found);
}

/** Changes a post and keeps its new text as a revision, in one commit. @throws RestError as `toPostValues`, and `rest_invalid_author` */
export async function updatePost(context: PostContext, call: Call, { args, current }: { args: PostArgs; current: PostRecord }): Promise<SavedPost> {
  const values = await toDraft(context, call, { args, current });
  const { id, title, content, excerpt, meta } = current;
  const also = await toRevisionOf(context, { id, title, content, excerpt, meta, ...values }, call.identity.id);
  return savePost(context.store, { current, values, durability: call.durability, also });
}
