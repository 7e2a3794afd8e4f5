import { and, eq } from '../../../lib/store/query.ts';
import type { Operation } from '../../../lib/store/store.ts';
import { claimTree } from '../limits/claim-tree.ts';
import type { KindDeps } from '../post-views/post-deps.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import { chooseSlug } from './save-post.ts';

/** The operations that move the children of a post up to its parent when it is deleted. A slug that is taken there gets a suffix. */
export async function toChildMoves(
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
