import type { Call } from '../../lib/call.ts';
import { and, eq, oneOf } from '../../lib/query.ts';
import type { Store, StoredRecord } from '../../lib/store.ts';
import type { PostBase } from './context.ts';
import { loadHistories, NO_HISTORY, type PostHistory } from './history.ts';
import { selectLinks } from './post-links.ts';
import { toPost, type PostRecord } from './post-record.ts';
import type { PostView } from './post-view.ts';

/** Terms by id. */
export type Terms = ReadonlyMap<number, StoredRecord>;

/** What is at hand because the post has just been written, and need not be loaded. `histories`: by the id of the post, of all that are shown. */
export interface Known {
  readonly terms?: Terms;
  readonly histories?: ReadonlyMap<number, PostHistory>;
}

/** Which posts to show, and how. */
export interface ViewRequest {
  readonly posts: readonly PostRecord[];
  readonly context: string;
  readonly isUnlocked?: (post: PostRecord) => boolean;
  readonly known?: Known | undefined;
}

const NO_TERMS: Terms = new Map();

/** The terms with these ids as far as there are such, beside those that are known. */
export async function loadTerms(store: Store, ids: Iterable<number>, known = NO_TERMS): Promise<Terms> {
  const missing = new Set<number>();
  for (const id of ids) if (!known.has(id)) missing.add(id);
  if (missing.size === 0) return known;
  const { records } = await store.find({ collection: 'terms', where: oneOf('id', [...missing]), fields: ['name', 'taxonomy', 'slug'] });
  const terms = new Map(known);
  for (const record of records) terms.set(record.id, record);
  return terms;
}

function termsOf(posts: readonly PostRecord[]): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const post of posts) {
    for (const id of post.categories) ids.add(id);
    for (const id of post.tags) ids.add(id);
  }
  return ids;
}

const NO_SIBLINGS: ReadonlyMap<number, readonly PostRecord[]> = new Map();

async function loadSiblings({ store }: PostBase, posts: readonly PostRecord[]): Promise<ReadonlyMap<number, readonly PostRecord[]>> {
  const groups = [...new Set(posts.map((post) => post.group))].filter((group) => group !== 0);
  if (groups.length === 0) return NO_SIBLINGS;
  const { records } = await store.find({
    collection: 'posts', where: and(oneOf('group', groups), eq('status', 'publish')), fields: ['group', 'language', 'slug', 'status'],
  });
  return new Map(groups.map((group) => [group, records.map(toPost).filter((record) => record.group === group)]));
}

/** Loads what the representations of a list of posts need. */
export async function loadViews(ports: PostBase, call: Call, { posts, context, isUnlocked = () => false, known = {} }: ViewRequest): Promise<readonly PostView[]> {
  const [settings, terms, siblings, histories] = await Promise.all([
    ports.settings(), loadTerms(ports.store, termsOf(posts), known.terms), loadSiblings(ports, posts),
    known.histories ?? loadHistories(ports.store, posts.map((post) => post.id)),
  ]);
  const links = selectLinks(call.site.names, { identity: call.identity, context });
  const asked = call.args['excerpt_length'];
  const excerptWords = typeof asked === 'number' ? asked : settings.excerptLength;
  return posts.map((post) => ({
    post, call, context, settings, excerptWords, links, terms, history: histories.get(post.id) ?? NO_HISTORY, isUnlocked: isUnlocked(post),
    siblings: siblings.get(post.group)?.filter((sibling) => sibling.id !== post.id) ?? [],
  }));
}
