import { pause } from '../../../lib/core/cooperative.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { RestResponse, type Dependencies } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq } from '../../../lib/store/query.ts';
import type { Operation } from '../../../lib/store/store.ts';
import { loadLinkParts, permalink } from '../addresses/permalink.ts';
import { renderTitle } from '../content/render/render.ts';
import { toStamp } from '../content/site-time.ts';
import { withEnding } from '../content/slug.ts';
import { inTreeTurn, claimTree } from '../limits/locks.ts';
import { loadViews, type ViewRequest } from '../post-views/load-views.ts';
import { openPreview, subjectPost, isPassword, refusalsOf } from '../post-views/permissions.ts';
import type { CmsDeps, KindDeps } from '../post-views/post-deps.ts';
import { toPostAddress, linkOf, MAY_BE_MARKDOWN, type PostView } from '../post-views/post-representation.ts';
import type { PostHandlers } from '../post-views/routes.ts';
import { readsOfPost } from '../post-views/show-posts.ts';
import { nextModified } from '../post-writes/post-dates.ts';
import type { PostArgs } from '../post-writes/post-values.ts';
import {
  savePost,
  chooseSlug,
  changePost,
  createPost,
  updatePost,
  type SavedPost,
} from '../post-writes/write-post.ts';
import { SURROUNDINGS } from '../records/collections.ts';
import { listBelongings, type PostHistory } from '../records/history.ts';
import { postError } from '../records/post-errors.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import { listByLanguage } from '../translations/translation-links.ts';
import { isEmbedding } from './embeds.ts';

/** Handler of the translations of one post, in the order of the site's languages. */
export function createListTranslations({ store, kind, settings, content, nextDue }: KindDeps) {
  const load = async (post: PostRecord, { identity }: Call): Promise<readonly PostRecord[]> => {
    if (post.group === 0) return [post];
    const { records } = await store.find({
      collection: 'posts',
      where: and(eq('group', post.group), eq('type', kind.type.name), kind.rights.readable(identity)),
    });
    return records.map(toPost).filter(({ status, id }) => status !== 'trash' || id === post.id);
  };
  return async (_args: unknown, call: Call): Promise<RestResponse> => {
    const site = await settings();
    const posts = await load(subjectPost(call), call);
    const linkParts = await loadLinkParts({ store, types: content.types, settings: site }, posts);
    const shown = listByLanguage(posts, site, (post) => ({
      title: renderTitle(post.title),
      status: post.status,
      link: permalink(post, call.site, { type: kind.type, linkParts, settings: site }),
    }));
    return new RestResponse(shown, {
      dependsOn: { records: [], collections: call.endpoint.cache ?? [], until: nextDue() },
    });
  };
}

/** The operations that move the children of a post up to its parent when it is deleted. A slug that is taken there gets a suffix. */
async function toChildMoves(
  { store, kind }: KindDeps,
  { id, type, parent }: PostRecord,
): Promise<readonly Operation[]> {
  if (!kind.type.hierarchical) return [];
  const { records } = await store.find({
    collection: 'posts',
    where: and(eq('parent', id), eq('type', type)),
  });
  const moves: Operation[] = [];
  const chosen = new Set<string>();
  for (const child of records.map(toPost)) {
    const slug = await chooseSlug(store, [type, child.language, parent], { slug: child.slug, chosen });
    moves.push({
      op: 'update',
      collection: 'posts',
      id: child.id,
      version: child.version,
      values: { parent, slug },
    });
  }
  return moves.length === 0 ? moves : [await claimTree(store, type), ...moves];
}

const TRASHED = '__trashed';

/** A post of a translation group lists its siblings, and the address of a child contains those of its ancestors, which any write may change. Every other post stays the same until it is written itself. */
function toDependencies(
  { nextDue, content, shortcodes }: KindDeps,
  view: PostView,
  isPrivate: boolean,
): Dependencies {
  const { post, history, call } = view;
  const records = [
    ['posts', post.id, post.version],
    ['post_history', history.id, history.version],
  ] as const;
  // Not cached: the next caller would learn from a cached response that the password is right, and the guess would not be counted.
  // With the core controllers, embedded records have dependencies of their own.
  if (isPrivate || (content.core && isEmbedding(call)))
    return { records, collections: SURROUNDINGS, until: 0 };
  const reads = readsOfPost(shortcodes, post);
  if (reads === null) return { records, collections: SURROUNDINGS, until: 0 };
  return post.group === 0 && post.parent === 0 && reads.length === 0
    ? { records, collections: SURROUNDINGS, language: post.language, until: Infinity }
    : {
        records,
        collections: [...SURROUNDINGS, 'posts', ...reads.filter((each) => each !== 'posts')],
        until: nextDue(),
      };
}

interface ShowRequest {
  readonly post: PostRecord;
  readonly as: string;
  /** Default 200. */
  readonly status?: number;
  /** In addition to the headers of every post. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The header `Link` names the address of the post on the site. */
  readonly isAlternate?: true;
  readonly isUnlocked?: boolean;
  /** The response is for this caller alone. */
  readonly isUncached?: true;
  /** Present if it is known because the post was just written. */
  readonly history?: PostHistory | null;
}

/** Length in characters from which a text takes some milliseconds to write, show and send. Other requests get a turn in between. */
const LONG_TEXT = 100_000;

/** The response that shows one post. */
export async function showPost(
  context: KindDeps,
  call: Call,
  { post, as, status = 200, headers, isAlternate, isUnlocked = false, isUncached, history }: ShowRequest,
): Promise<RestResponse> {
  const request: ViewRequest = {
    posts: [post],
    context: as,
    isUnlocked: () => isUnlocked,
    ...(history ? { histories: new Map([[post.id, history]]) } : {}),
  };
  const [view] = await loadViews(context, call, request);
  if (view === undefined) throw postError('rest_post_invalid_id');
  const isLong = post.content.length > LONG_TEXT;
  if (isLong) await pause();
  const showing = context.show.one(view);
  const shown = showing instanceof Promise ? await showing : showing;
  if (isLong) await pause();
  return new RestResponse(shown, {
    status,
    headers: Object.assign(
      { 'Content-Language': post.language },
      isAlternate
        ? { Link: `<${linkOf(post, view)}>; rel="alternate"; type="text/html"`, ...MAY_BE_MARKDOWN }
        : undefined,
      headers,
    ),
    version: post.version,
    dependsOn: toDependencies(context, view, isUnlocked || isUncached === true),
  });
}

/** A preview is for the one who has its address: no cache keeps it, and no link of it tells the address. */
const PREVIEW_HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const;

function readPost(
  context: CmsDeps & KindDeps,
  args: { readonly context: string; readonly password?: string },
  call: Call,
): MaybePromise<RestResponse> {
  const post = subjectPost(call);
  return thenMaybe(openPreview(context.previews, call, post), (preview) =>
    showPost(context, call, {
      post,
      as: args.context,
      isAlternate: true,
      isUnlocked: preview?.isOpen ?? isPassword(post, args.password ?? ''),
      ...(preview === null ? {} : { isUncached: true, headers: PREVIEW_HEADERS }),
    }),
  );
}

async function trashPost(context: KindDeps, call: Call, post: PostRecord): Promise<RestResponse> {
  if (post.status === 'trash') throw postError('rest_already_trashed');
  const stamp = toStamp(context.now(), (await context.settings()).zone);
  const slug = post.slug === '' ? '' : withEnding(post.slug, TRASHED);
  const values = {
    status: 'trash',
    trashed_from: post.status,
    trashed_slug: post.slug,
    slug,
    sticky: false,
    ...nextModified(post, stamp),
  };
  const { also, after } = await context.planDeparture(post.id, 'trashed');
  const { post: trashed } = await savePost(context.store, {
    current: post,
    values,
    durability: call.durability,
    also,
  });
  after();
  return showPost(context, call, { post: trashed, as: 'edit' });
}

async function erasePost(context: KindDeps, call: Call, post: PostRecord): Promise<RestResponse> {
  const shown = await showPost(context, call, { post, as: 'edit' });
  const { also, after } = await context.planDeparture(post.id, 'deleted');
  const erase = async (): Promise<unknown> =>
    context.store.commit(
      [
        ...(await toChildMoves(context, post)),
        { op: 'remove', collection: 'posts', id: post.id, version: post.version },
        ...listBelongings(post.id),
        ...also,
      ],
      call.durability,
    );
  const { hierarchical, name } = context.kind.type;
  await (hierarchical ? inTreeTurn(context.store, name, erase) : erase());
  after();
  const { _links: _dropped, ...previous } = shown.body as Record<string, unknown>;
  return new RestResponse({ deleted: true, previous });
}

/** Changes the post of the call. */
export async function updateSubject(context: KindDeps, call: Call, args: PostArgs): Promise<RestResponse> {
  const run = (current: PostRecord): Promise<SavedPost> => updatePost(context, call, { args, current });
  const { update: refuse } = refusalsOf(context.kind);
  const saved = await changePost({ context, call, refuse, run }, subjectPost(call));
  return showPost(context, call, { ...saved, as: 'edit' });
}

/** Handlers of single posts. */
export function createPostHandlers(
  context: CmsDeps & KindDeps,
): Pick<PostHandlers, 'read' | 'create' | 'update' | 'remove'> {
  return {
    read: (args, call) => readPost(context, args, call),
    create: async (args, call) => {
      const saved = await createPost(context, call, args);
      const headers = { Location: toPostAddress(context.kind, saved.post, call) };
      return showPost(context, call, { ...saved, as: 'edit', status: 201, headers });
    },
    update: (args, call) => updateSubject(context, call, args),
    remove: async ({ force }, call) => {
      const run = (post: PostRecord): Promise<RestResponse> =>
        force ? erasePost(context, call, post) : trashPost(context, call, post);
      const { remove: refuse } = refusalsOf(context.kind);
      return changePost({ context, call, refuse, run }, subjectPost(call));
    },
  };
}
