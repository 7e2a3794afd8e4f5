import type { CollectionDescriptor, Store } from '../../../lib/index.ts';
import { collectionsOf, createContentModel } from '../../../registry/index.ts';
import { openStore } from './open-store.ts';
import { readSite, type SiteDescription } from './read-site.ts';
import type { SiteValues } from './site-options.ts';

/** The open store of a command, and the site that it holds. */
export interface CommandStore extends SiteDescription {
  readonly store: Store;
  /** The collections that it was opened with. */
  readonly collections: readonly CollectionDescriptor[];
}

/** Runs a function that uses an open resource. Closes the resource if the function fails. */
export async function closeOnFailure<T>(opened: { close(): Promise<void> }, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the store that the options name for a command, and closes it afterwards. @throws what the options, the store or the command throw */
export async function withStore<T>(values: SiteValues, use: (opened: CommandStore) => Promise<T>): Promise<T> {
  const site = await readSite(values);
  const collections = collectionsOf(createContentModel(site.content));
  const { store } = await openStore(values.store, collections);
  const result = await closeOnFailure(store, () => use({ ...site, store, collections }));
  await store.close();
  return result;
}
