import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Store } from '../../lib/store/store.ts';
import { collections as usual } from '../../registry/index.ts';
import { createTestStore } from './postgres.ts';

/** A store for the collections of a site, and a function that removes its files. */
export interface OpenedStore {
  readonly store: Store;
  remove(): Promise<void>;
}

/** Opens an empty store. Default: for the collections of a site without further content. */
export type OpenStore = (collections?: readonly CollectionDescriptor[]) => Promise<OpenedStore>;

export async function openMemory(collections: readonly CollectionDescriptor[] = usual): Promise<OpenedStore> {
  const store = createMemoryStore(collections);
  return { store, remove: () => store.close() };
}

export async function openSqlite(collections: readonly CollectionDescriptor[] = usual): Promise<OpenedStore> {
  const directory = await mkdtemp(join(tmpdir(), 'routebook-site-'));
  const store = await createSqliteStore({
    directory,
    collections,
    durability: 'relaxed',
    log: () => undefined,
  });
  return {
    store,
    async remove() {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function openPostgres(
  url: string,
  collections: readonly CollectionDescriptor[] = usual,
): Promise<OpenedStore> {
  const store = await createTestStore(url, collections);
  return { store, remove: () => store.close() };
}

/** The stores on which complete sites are tested on every Node version, by name. */
export const STORES: Readonly<Record<string, OpenStore>> = { memory: openMemory, SQLite: openSqlite };
