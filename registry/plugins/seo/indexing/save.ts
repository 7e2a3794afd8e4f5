import { type Store, StoreError, and, eq } from '../../../../lib/index.ts';
import { pause, retryRaces } from '../../../plugin.ts';
import { toLinkPath, type LinkPage } from './found-links.ts';
import { toIndexable, toWritten, type Indexable, type IndexableValues } from './indexable.ts';

const LINKS_AT_ONCE = 200;

/** Finds an indexable by its key. */
export async function findIndexable(store: Store, key: string): Promise<Indexable | null> {
  const {
    records: [record],
  } = await store.find({ collection: 'seo_indexables', where: eq('key', key), limit: 1 });
  return record === undefined ? null : toIndexable(record);
}

/** When an indexable is written, and how links to its page are stored. `gmt`: the time to store. */
interface Writing extends Omit<LinkPage, 'path'> {
  readonly gmt: string;
}

async function write(store: Store, values: IndexableValues, writing: Writing): Promise<Indexable> {
  const { gmt } = writing;
  const found = await findIndexable(store, values.key);
  const isMoved = found !== null && found.path !== values.path;
  const [record] = await store.commit([
    found === null
      ? {
          op: 'create',
          collection: 'seo_indexables',
          values: { ...values, created_gmt: gmt, updated_gmt: gmt },
        }
      : // The relative links of a page that has moved lead elsewhere.
        {
          op: 'update',
          collection: 'seo_indexables',
          id: found.id,
          values: { ...values, ...(isMoved ? { links_version: 0 } : {}), updated_gmt: gmt },
        },
  ]);
  const saved = toWritten(record);
  if (isMoved) await renewLinks(store, found.id);
  return found === null || isMoved ? adoptLinks(store, saved, writing) : saved;
}

/** Creates or updates the indexable with this key. When two writers collide, the later one overwrites the earlier. */
export async function saveIndexable(
  store: Store,
  values: IndexableValues,
  writing: Writing,
): Promise<Indexable> {
  try {
    return await write(store, values, writing);
  } catch (error) {
    if (!(error instanceof StoreError) || (error.code !== 'unique' && error.code !== 'missing')) throw error;
    return write(store, values, writing);
  }
}

/** Renews the pages of the next links behind one. @returns the last of these links; null: there are no more */
async function renewSome(store: Store, target: number, behind: number): Promise<number | null> {
  const { records } = await store.find({
    collection: 'seo_links',
    where: and(eq('target', target), { op: 'gt', field: 'id', value: behind }),
    order: [{ field: 'id', direction: 'asc' }],
    fields: ['indexable'],
    limit: LINKS_AT_ONCE,
  });
  const owners = new Set(records.map(({ indexable }) => Number(indexable)));
  if (owners.size > 0)
    await store.commit(
      [...owners].map((id) => ({
        op: 'update',
        collection: 'seo_indexables',
        id,
        values: { links_version: 0 },
      })),
    );
  return records.at(-1)?.id ?? null;
}

/** Lets the links of all pages that link to an indexable be read again, because they may lead elsewhere now. */
async function renewLinks(store: Store, target: number): Promise<void> {
  for (let behind: number | null = 0; behind !== null; await pause()) {
    const from: number = behind;
    // One of the pages may be removed at the same moment, with its links.
    behind = await retryRaces(() => renewSome(store, target, from));
  }
}

/** Sets the target of links that were found before the indexable existed at this path. */
async function adoptLinks(
  store: Store,
  indexable: Indexable,
  place: Omit<LinkPage, 'path'>,
): Promise<Indexable> {
  if (indexable.path === '') return indexable;
  const path = toLinkPath(`${place.siteUrl}${indexable.path}`, place);
  let adopted = 0;
  for (;;) {
    const { records } = await store.find({
      collection: 'seo_links',
      where: and(eq('path', path), eq('target', 0)),
      fields: [],
      limit: LINKS_AT_ONCE,
    });
    if (records.length === 0) break;
    await store.commit(
      records.map(({ id }) => ({
        op: 'update',
        collection: 'seo_links',
        id,
        values: { target: indexable.id },
      })),
    );
    adopted += records.length;
    await pause();
  }
  return adopted === 0 ? indexable : countIncoming(store, indexable.id);
}

/** Recounts the pages that link to an indexable. */
export async function countIncoming(store: Store, id: number): Promise<Indexable> {
  const { total } = await store.find({
    collection: 'seo_links',
    where: and(eq('target', id), eq('type', 'internal')),
    fields: [],
    limit: 1,
    total: true,
  });
  const [record] = await store.commit([
    { op: 'update', collection: 'seo_indexables', id, values: { incoming_link_count: total } },
  ]);
  return toWritten(record);
}
