import { eq, type Predicate } from '../../../lib/store/query.ts';
import type { Operation, StoredRecord } from '../../../lib/store/store.ts';
import { claimTree } from '../limits/claim-tree.ts';
import type { TermRecord } from '../records/term-record.ts';
import type { TermDeps } from './deps.ts';

/** Most posts that are changed in one commit. */
const AT_ONCE = 200;

/** The post without the term. A post that loses its last term may get another one. */
async function toPostUpdate(
  { taxonomy: { field }, termsWithout }: TermDeps,
  post: StoredRecord,
  removed: number,
): Promise<Operation> {
  const left = (post[field] as readonly number[]).filter((id) => id !== removed);
  const terms = left.length > 0 ? left : await termsWithout(String(post['language']));
  return {
    op: 'update',
    collection: 'posts',
    id: post.id,
    version: post.version,
    values: { [field]: terms },
  };
}

async function listPostUpdates(context: TermDeps, removed: number): Promise<readonly Operation[]> {
  const { field } = context.taxonomy;
  const where: Predicate = { op: 'hasAny', field, values: [removed] };
  const { records } = await context.store.find({
    collection: 'posts',
    where,
    limit: AT_ONCE,
    fields: [field, 'language'],
  });
  return Promise.all(records.map((post) => toPostUpdate(context, post, removed)));
}

/** The operations that belong to the removal of a term: its posts lose it, and its children move up to its parent. Posts beyond the first few are changed before. */
export async function listRemovalEffects(
  context: TermDeps,
  { id, parent }: TermRecord,
): Promise<readonly Operation[]> {
  let posts = await listPostUpdates(context, id);
  while (posts.length === AT_ONCE) {
    await context.store.commit(posts);
    posts = await listPostUpdates(context, id);
  }
  const { records } = await context.store.find({ collection: 'terms', where: eq('parent', id), fields: [] });
  const moves = records.map((child): Operation => ({
    op: 'update',
    collection: 'terms',
    id: child.id,
    version: child.version,
    values: { parent },
  }));
  return moves.length === 0
    ? posts
    : [...posts, await claimTree(context.store, context.taxonomy.name), ...moves];
}
