import { own } from '../../../lib/core/objects.ts';
import type { Terms } from '../addresses/read-terms.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import type { KindDeps } from '../post-views/post-deps.ts';
import { parentError } from '../records/post-errors.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import type { FoundReferences, PostArgs } from './post-values.ts';

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
  { featured_media: media }: PostArgs,
): Promise<Pick<FoundReferences, 'featured_media'>> {
  if (media === undefined) return {};
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
  { args: { parent }, current }: Write,
): Promise<Pick<FoundReferences, 'parent'>> {
  if (parent === undefined || parent === current?.parent) return {};
  if (parent === 0) return { parent };
  const found = parent < 0 ? null : await context.store.get('posts', parent);
  if (found === null || found['type'] !== context.kind.type.name) throw parentError('rest_post_invalid_id');
  return { parent: current !== null && (await isLoop(context, current.id, toPost(found))) ? 0 : parent };
}

/** What a write refers to, as far as it exists. @throws RestError `rest_post_invalid_id` for an unknown parent */
export async function findReferences(context: KindDeps, write: Write): Promise<FoundReferences> {
  return {
    ...(await findTerms(context, write)),
    ...(await findImage(context, write.args)),
    ...(await findParent(context, write)),
  };
}
