import { own, perObject } from '../../../lib/core/objects.ts';
import { changeRecord, type PlainChange } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { invalidParams } from '../../../lib/schema/invalid.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq } from '../../../lib/store/query.ts';
import {
  type Durability,
  type Operation,
  type Store,
  type StoredRecord,
  StoreError,
} from '../../../lib/store/store.ts';
import { userOf } from '../accounts/roles.ts';
import type { Terms } from '../addresses/permalink.ts';
import { findFreeNumber, listTakenSlugs, toSuffixed } from '../content/slug.ts';
import { claimTree, inTreeTurn } from '../limits/locks.ts';
import type { Taxonomy } from '../model/content-type.ts';
import type { KindDeps, PostDeps } from '../post-views/post-deps.ts';
import { NEW_HISTORY, type PostHistory, toHistory, toOldSlugs } from '../records/history.ts';
import { UNWRITABLE_STATUS } from '../records/kind.ts';
import { parentError, postError } from '../records/post-errors.ts';
import { type PostRecord, toPost } from '../records/post-record.ts';
import { POST_STATUSES } from '../schemas/post-args.ts';
import { checkLanguage, planLinks } from '../translations/translation-links.ts';
import { toRevisionOf } from './new-revision.ts';
import { type FoundReferences, type PostArgs, type PostValues, toPostValues } from './post-values.ts';

/** A write of one post with everything that belongs to it, as one commit. */
interface SavePost {
  /** null for a new post. */
  readonly current: PostRecord | null;
  /** Fields to write. `slug` is the wanted slug; it gets a suffix if it is taken. */
  readonly values: Readonly<Record<string, Json>> & { readonly slug: string };
  /** Durability of the call. Default `now`. */
  readonly durability?: Durability;
  /** Further operations of the same commit. The id of a new post is `{ $ref: 'post' }`. */
  readonly also?: readonly Operation[];
}

/** The `post` as it was stored. `history` is present if the commit wrote it. */
export interface SavedPost {
  readonly post: PostRecord;
  readonly history: PostHistory | null;
}

const ATTEMPTS = 20;
const MOST_SPREAD = 256;

/** Slugs are unique among the posts of a type and language with the same parent. */
type SlugScope = readonly [type: Json, language: Json, parent: Json];

/** A slug that is taken, in its scope. `own`: the slug that the post has there. */
interface TakenSlug {
  readonly scope: SlugScope;
  readonly slug: string;
  readonly own?: string;
}

function findNumber(
  store: Store,
  { scope: [type, language, parent], ...wanted }: TakenSlug,
): Promise<number> {
  const where = and(eq('type', String(type)), eq('language', String(language)), eq('parent', Number(parent)));
  return findFreeNumber(wanted, (slugs) => listTakenSlugs(store, { collection: 'posts', where }, slugs));
}

/** The numbers of a slug for the writers of this process that want it at the same time. Each gets another one, so that they do not lose races to each other. */
interface Numbers {
  writers: number;
  given: number;
  readonly first: Promise<number>;
}

const openNumbers = perObject((_store: Store) => new Map<string, Numbers>());

/** `next`: a number that is probably free, further away the more attempts have failed, because another process writes as well. `leave` must be called at the end. */
function joinNumbers(
  store: Store,
  { scope, slug }: TakenSlug,
): { next: (attempt: number) => Promise<number>; leave: () => void } {
  const open = openNumbers(store);
  const key = JSON.stringify([...scope, slug]);
  const numbers = open.get(key) ?? { writers: 0, given: 0, first: findNumber(store, { scope, slug }) };
  open.set(key, numbers);
  numbers.writers += 1;
  return {
    next: async (attempt) => {
      const at =
        numbers.given + Math.floor(Math.random() * Math.min(4 ** Math.max(0, attempt - 2), MOST_SPREAD));
      numbers.given = at + 1;
      return (await numbers.first) + at;
    },
    leave: () => {
      numbers.writers -= 1;
      if (numbers.writers === 0) open.delete(key);
    },
  };
}

/** A free slug for a post that moves to another parent, or '' if it has none. `chosen`: slugs that other posts of the same commit take there. */
export async function chooseSlug(
  store: Store,
  scope: SlugScope,
  { slug, chosen }: { slug: string; chosen: Set<string> },
): Promise<string> {
  if (slug === '') return slug;
  const key = (candidate: string): string => `${String(scope[1])} ${candidate}`;
  let free = toSuffixed(slug, await findNumber(store, { scope, slug }));
  for (let n = 2; chosen.has(key(free)); n += 1) free = toSuffixed(slug, n);
  chosen.add(key(free));
  return free;
}

/** @throws StoreError `unique` if the slug is taken */
async function commitPost(
  store: Store,
  { current, values, durability = 'now', also = [] }: SavePost,
  { slug, language }: { readonly slug: string; readonly language: string },
): Promise<SavedPost> {
  const write: Operation =
    current === null
      ? { op: 'create', collection: 'posts', values: { ...values, slug }, as: 'post' }
      : {
          op: 'update',
          collection: 'posts',
          id: current.id,
          values: { ...values, slug },
          version: current.version,
        };
  const place = { slug, language, status: String(values['status'] ?? current?.status ?? '') };
  const operations = [
    write,
    ...(current === null ? [NEW_HISTORY] : await toOldSlugs(store, current, place)),
    ...also,
  ];
  const results = await store.commit(operations, durability);
  const [post] = results;
  if (post === null || post === undefined) throw new TypeError('the store must return the record of a write');
  const history = results[operations.findIndex(({ collection }) => collection === 'post_history')] ?? null;
  return { post: toPost(post), history: history === null ? null : toHistory(history) };
}

/**
 * Stores a post under a slug that is unique in its type and language, among the posts with the same parent. Only the store knows for certain whether the wanted slug is free.
 * If it rejects the commit, a suffix is chosen, and again if another writer takes that slug at the same time.
 * @throws StoreError `version` if the post has changed meanwhile; `missing` if it no longer exists.
 */
export async function savePost(store: Store, save: SavePost): Promise<SavedPost> {
  const { current, values } = save;
  const scope = [
    values['type'] ?? current?.type ?? '',
    values['language'] ?? current?.language ?? '',
    values['parent'] ?? current?.parent ?? 0,
  ] as const;
  const language = String(scope[1]);
  const own = current?.language === language && current.parent === scope[2] ? current.slug : '';
  const taken = { scope, slug: values.slug, own };
  let { slug } = values;
  let numbers: ReturnType<typeof joinNumbers> | undefined;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await commitPost(store, save, { slug, language });
      } catch (error) {
        const slugWasTaken =
          error instanceof StoreError && error.code === 'unique' && error.fields.includes('slug');
        if (!slugWasTaken || attempt === ATTEMPTS) throw error;
        // The number that the post has may be the first one that is free for it.
        if (attempt === 1 && own !== '') slug = toSuffixed(taken.slug, await findNumber(store, taken));
        else {
          numbers ??= joinNumbers(store, taken);
          slug = toSuffixed(taken.slug, await numbers.next(attempt));
        }
      }
    }
  } finally {
    numbers?.leave();
  }
}

/** A write: what was sent, and the stored post; null for a new post. */
interface Write {
  readonly args: PostArgs;
  readonly current: PostRecord | null;
}

type IdLists = Readonly<Record<string, readonly number[] | undefined>>;

/** The terms that were sent for each taxonomy of the type. */
const sentTerms = (
  taxonomies: readonly Taxonomy[],
  args: PostArgs,
): readonly (readonly [Taxonomy, readonly number[]])[] =>
  taxonomies.flatMap((taxonomy) => {
    const ids = own(args as IdLists, taxonomy.base);
    return ids === undefined ? [] : [[taxonomy, ids] as const];
  });

/** The ids of a taxonomy, without repetitions. As in WordPress, unknown ids are ignored. */
const ofTaxonomy = ({ name }: Taxonomy, ids: readonly number[], terms: Terms): readonly number[] =>
  [...new Set(ids)].filter((id) => terms.get(id)?.['taxonomy'] === name);

/** The terms to store, by field. Terms of registered taxonomies share a field, so that those of the others stay in it. */
async function findTerms(
  context: KindDeps,
  { args, current }: Write,
): Promise<Pick<FoundReferences, 'categories' | 'tags' | 'terms'>> {
  const sent = sentTerms(context.kind.taxonomies, args);
  if (sent.length === 0) return {};
  const shares = sent.some(([{ field }]) => field === 'terms');
  const kept = shares ? (current?.terms ?? []) : [];
  const terms = await context.terms([...sent.flatMap(([, ids]) => ids), ...kept]);
  const replaced = new Set(sent.map(([{ name }]) => name));
  const found: Record<string, readonly number[]> = shares
    ? { terms: kept.filter((id) => !replaced.has(String(terms.get(id)?.['taxonomy']))) }
    : {};
  for (const [taxonomy, ids] of sent)
    found[taxonomy.field] = [
      ...(taxonomy.field === 'terms' ? (found['terms'] ?? []) : []),
      ...ofTaxonomy(taxonomy, ids, terms),
    ];
  return found;
}

/** The image that was sent. As in WordPress, what exists and is not an image counts as none, and an unknown id is ignored. */
async function findImage(
  { store }: KindDeps,
  media: number,
): Promise<Pick<FoundReferences, 'featured_media'>> {
  if (media === 0) return { featured_media: 0 };
  const found = (await store.get('media', media)) ?? (await store.get('posts', media));
  if (found === null) return {};
  return { featured_media: String(found['mime_type']).startsWith('image/') ? media : 0 };
}

/** Whether the post would be its own ancestor below this parent. */
async function isLoop({ store }: KindDeps, id: number, parent: PostRecord): Promise<boolean> {
  const seen = new Set<number>();
  for (let next: PostRecord | null = parent; next !== null && !seen.has(next.id);) {
    if (next.id === id) return true;
    seen.add(next.id);
    const above: Awaited<ReturnType<typeof store.get>> =
      next.parent === 0 ? null : await store.get('posts', next.parent);
    next = above === null ? null : toPost(above);
  }
  return false;
}

/** The parent that was sent. As in WordPress, a post that would be its own ancestor moves to the top. @throws RestError `rest_post_invalid_id` */
async function findParent(
  context: KindDeps,
  current: PostRecord | null,
  parent: number,
): Promise<Pick<FoundReferences, 'parent'>> {
  if (parent === current?.parent) return {};
  if (parent === 0) return { parent };
  const found = parent < 0 ? null : await context.store.get('posts', parent);
  if (found === null || found['type'] !== context.kind.type.name) throw parentError('rest_post_invalid_id');
  return { parent: current !== null && (await isLoop(context, current.id, toPost(found))) ? 0 : parent };
}

/** What a write refers to, as far as it exists. @throws RestError `rest_post_invalid_id` for an unknown parent */
async function findReferences(context: KindDeps, write: Write): Promise<FoundReferences> {
  const { featured_media: media, parent } = write.args;
  return {
    ...(await findTerms(context, write)),
    ...(media === undefined ? {} : await findImage(context, media)),
    ...(parent === undefined ? {} : await findParent(context, write.current, parent)),
  };
}

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
  if (args.author !== undefined) await checkAuthor(context, args.author);
  const { type, rights } = context.kind;
  const isLinkable = (record: StoredRecord): boolean =>
    record['type'] === type.name && rights.mayEdit(call.identity, toPost(record));
  const links =
    (args.ml_translation_of ?? args.ml_translations) === undefined
      ? null
      : await planLinks(context.store, { collection: 'posts', current, language, isLinkable }, args);
  if (current !== null && current.language !== language)
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
