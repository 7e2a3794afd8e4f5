import { type Store, type StoredRecord, and, eq, not } from '../../../../lib/index.ts';
import { type PostRecord, toPost } from '../../../plugin.ts';

/** The post of the same group in another language; null when there is none. Posts in the trash do not count. */
export async function findSibling(
  store: Store,
  post: StoredRecord,
  language: string,
): Promise<PostRecord | null> {
  const group = Number(post['group']);
  if (group === 0) return null;
  const where = and(
    eq('group', group),
    eq('language', language),
    eq('type', String(post['type'])),
    not(eq('status', 'trash')),
    not(eq('id', post.id)),
  );
  const {
    records: [found],
  } = await store.find({ collection: 'posts', where, order: [{ field: 'id', direction: 'asc' }], limit: 1 });
  return found === undefined ? null : toPost(found);
}

/** The translation of the parent of a post; 0 if it has none. */
export async function findParent(store: Store, { parent }: PostRecord, language: string): Promise<number> {
  const above = parent === 0 ? null : await store.get('posts', parent);
  return above === null ? 0 : ((await findSibling(store, above, language))?.id ?? 0);
}
