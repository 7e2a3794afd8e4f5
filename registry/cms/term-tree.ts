import { oneOf } from '../../lib/store/query.ts';
import type { Store } from '../../lib/store/store.ts';

/** Ids of these terms and of all their descendants. */
export async function loadDescendants({ store }: { readonly store: Store }, roots: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const children = new Map<number, number[]>();
  const seen = new Set(roots);
  for (let level: readonly number[] = roots; level.length > 0;) {
    const { records } = await store.find({ collection: 'terms', where: oneOf('parent', level), fields: ['parent'] });
    const fresh = records.filter((record) => !seen.has(record.id));
    for (const record of fresh) {
      seen.add(record.id);
      const parent = Number(record['parent']);
      children.set(parent, [...children.get(parent) ?? [], record.id]);
    }
    level = fresh.map((record) => record.id);
  }
  const below = (id: number): readonly number[] => [id, ...(children.get(id) ?? []).flatMap(below)];
  return new Map(roots.map((id) => [id, below(id)]));
}
