import type { RestError } from '../../../lib/core/errors.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { groupBy } from '../../../lib/core/objects.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq, oneOf } from '../../../lib/store/query.ts';
import { ADDRESSED, loadLinkParts } from '../addresses/permalink.ts';
import { loadHistories, NO_HISTORY, type PostHistory } from '../records/history.ts';
import { postError } from '../records/post-errors.ts';
import { type PostRecord, termIdsOf, toPost } from '../records/post-record.ts';
import { createTypeRights } from '../records/rights.ts';
import type { CmsDeps, KindDeps, PostBase } from './post-deps.ts';
import { type PostView, selectLinks } from './post-representation.ts';

/** Finds a record of any served type: null if there is none, an error if the caller may not read it. */
export type FindReadable = (call: Call, id: number) => MaybePromise<PostRecord | RestError | null>;

/** The record with this id if its type is served, loaded once per call. Scheduled records that are due are published first. */
export function createFindPost({
  store,
  publishDue,
  content: { types },
}: Pick<CmsDeps, 'store' | 'publishDue' | 'content'>): (
  call: Call,
  id: number,
) => MaybePromise<PostRecord | null> {
  const find = async (id: number): Promise<PostRecord | null> => {
    await publishDue();
    const found = await store.get('posts', id);
    return found !== null && types.get(String(found['type']))?.served === true ? toPost(found) : null;
  };
  return (call, id) => call.once(`record ${id}`, () => find(id));
}

/** Creates a `FindReadable`. Whether a password protects the record is not checked. */
export function createFindReadable(context: CmsDeps): FindReadable {
  const find = createFindPost(context);
  const rightsOf = createTypeRights(context.content);
  return (call, id) =>
    thenMaybe(find(call, id), (post) =>
      post === null || rightsOf(post.type).mayRead(call.identity, post) ? post : postError('rest_forbidden'),
    );
}

/** Which posts to show, and how. */
export interface ViewRequest {
  readonly posts: readonly PostRecord[];
  readonly context: string;
  readonly isUnlocked?: (post: PostRecord) => boolean;
  /** Histories of all the posts, if they are known because the posts were just written. */
  readonly histories?: ReadonlyMap<number, PostHistory> | undefined;
}

const NO_SIBLINGS: ReadonlyMap<number, readonly PostRecord[]> = new Map();

function loadSiblings(
  { store }: PostBase,
  posts: readonly PostRecord[],
): MaybePromise<ReadonlyMap<number, readonly PostRecord[]>> {
  const groups = [...new Set(posts.map((post) => post.group))].filter((group) => group !== 0);
  if (groups.length === 0) return NO_SIBLINGS;
  return store
    .find({
      collection: 'posts',
      where: and(oneOf('group', groups), eq('status', 'publish')),
      fields: ['group', ...ADDRESSED],
    })
    .then(({ records }) => groupBy(records.map(toPost), ({ group }) => group));
}

/** Loads what the representations of a list of posts need. */
export async function loadViews(
  ports: KindDeps,
  call: Call,
  { posts, context, isUnlocked = () => false, histories: known }: ViewRequest,
): Promise<readonly PostView[]> {
  const [settings, terms, siblings, histories] = await Promise.all([
    ports.settings(),
    ports.terms(posts.flatMap(termIdsOf)),
    loadSiblings(ports, posts),
    known ??
      loadHistories(
        ports.store,
        posts.map((post) => post.id),
      ),
  ]);
  const {
    kind,
    store,
    content: { types },
  } = ports;
  const loading = loadLinkParts({ store, types, settings }, [...posts, ...[...siblings.values()].flat()]);
  const linkParts = loading instanceof Promise ? await loading : loading;
  const links = selectLinks(kind, call.site.names, { identity: call.identity, context });
  const length = call.args['excerpt_length'];
  const excerptWords = typeof length === 'number' ? length : settings.excerptLength;
  return posts.map((post) => ({
    post,
    kind,
    call,
    log: ports.log,
    context,
    linkParts,
    settings,
    excerptWords,
    links,
    terms,
    history: histories.get(post.id) ?? NO_HISTORY,
    isUnlocked: isUnlocked(post),
    ...(call.args['ml_fallback'] === undefined || post.language === call.language
      ? {}
      : { standsFor: call.language }),
    siblings: siblings.get(post.group)?.filter((sibling) => sibling.id !== post.id) ?? [],
  }));
}
