import type { Call } from '../../lib/call.ts';
import { and, eq, oneOf } from '../../lib/query.ts';
import type { StoredRecord } from '../../lib/store.ts';
import type { PostBase } from './context.ts';
import { loadHistories, NO_HISTORY } from './history.ts';
import { selectLinks } from './post-links.ts';
import { toPost, type PostRecord } from './post-record.ts';
import type { PostView } from './post-view.ts';

/** Which posts to show, and how. */
export interface ViewRequest {
  readonly posts: readonly PostRecord[];
  readonly context: string;
  readonly isUnlocked?: (post: PostRecord) => boolean;
}

async function loadTerms({ store }: PostBase, posts: readonly PostRecord[]): Promise<ReadonlyMap<number, StoredRecord>> {
  const ids = [...new Set(posts.flatMap((post) => [...post.categories, ...post.tags]))];
  if (ids.length === 0) return new Map();
  const { records } = await store.find({ collection: 'terms', where: oneOf('id', ids), fields: ['name', 'taxonomy', 'slug'] });
  return new Map(records.map((record) => [record.id, record]));
}

async function loadSiblings({ store }: PostBase, posts: readonly PostRecord[]): Promise<ReadonlyMap<number, readonly PostRecord[]>> {
  const groups = [...new Set(posts.map((post) => post.group).filter((group) => group !== 0))];
  if (groups.length === 0) return new Map();
  const { records } = await store.find({
    collection: 'posts', where: and(oneOf('group', groups), eq('status', 'publish')), fields: ['group', 'language', 'slug', 'status'],
  });
  return new Map(groups.map((group) => [group, records.map(toPost).filter((record) => record.group === group)]));
}

/** Loads what the representations of a list of posts need. */
export async function loadViews(ports: PostBase, call: Call, { posts, context, isUnlocked = () => false }: ViewRequest): Promise<readonly PostView[]> {
  const [settings, terms, siblings, histories] = await Promise.all([
    ports.settings(), loadTerms(ports, posts), loadSiblings(ports, posts), loadHistories(ports.store, posts.map((post) => post.id)),
  ]);
  const links = selectLinks(call.site.names, { identity: call.identity, context });
  return posts.map((post) => ({
    post, call, context, settings, links, terms, history: histories.get(post.id) ?? NO_HISTORY, isUnlocked: isUnlocked(post),
    siblings: (siblings.get(post.group) ?? []).filter((sibling) => sibling.id !== post.id),
  }));
}
