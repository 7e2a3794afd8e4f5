import type { Call } from '../../lib/call.ts';
import { toQuery } from '../../lib/params.ts';
import { and, eq, oneOf } from '../../lib/query.ts';
import type { StoredRecord } from '../../lib/store.ts';
import type { SiteSettings } from '../site/settings.ts';
import type { PostBase } from './context.ts';
import { loadHistories, NO_HISTORY, type PostHistory } from './history.ts';
import { toPost, type PostRecord } from './post-record.ts';

/** What the representation of a post needs beside the record. Loaded for a whole list at once. */
export interface PostView {
  readonly post: PostRecord;
  readonly call: Call;
  /** `view`, `embed` or `edit`. */
  readonly context: string;
  readonly settings: SiteSettings;
  /** Terms of all posts of the list by id. */
  readonly terms: ReadonlyMap<number, StoredRecord>;
  /** Published posts of the translation group, without this one. */
  readonly siblings: readonly PostRecord[];
  /** Number of revisions, and id of the newest revision or autosave (0: none). */
  readonly history: PostHistory;
  /** Whether the caller named the post's password. */
  readonly isUnlocked: boolean;
}

/** Which posts to show, and how. */
export interface ViewRequest {
  readonly posts: readonly PostRecord[];
  readonly context: string;
  readonly isUnlocked?: (post: PostRecord) => boolean;
}

const OUT: ReadonlySet<string> = new Set(['publish', 'private']);

/** Address of a post for people: by slug once it is out, by id before. */
export function permalink(post: Pick<PostRecord, 'id' | 'slug' | 'status' | 'language'>, call: Call): string {
  const home = call.site.home(post.language);
  return OUT.has(post.status) && post.slug !== '' ? `${home}/${post.slug}/` : `${home}/?${toQuery({ p: String(post.id) })}`;
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
  return posts.map((post) => ({
    post, call, context, settings, terms, history: histories.get(post.id) ?? NO_HISTORY, isUnlocked: isUnlocked(post),
    siblings: (siblings.get(post.group) ?? []).filter((sibling) => sibling.id !== post.id),
  }));
}
