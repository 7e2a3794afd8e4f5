import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import type { Store } from '../../lib/store/store.ts';
import { collections } from '../../registry/index.ts';
import { createTestStore } from './postgres.ts';

/** A store for the collections of the registry, and a function that removes its files. */
export interface OpenedStore {
  readonly store: Store;
  remove(): Promise<void>;
}

export async function openMemory(): Promise<OpenedStore> {
  const store = createMemoryStore(collections);
  return { store, remove: () => store.close() };
}

export async function openSqlite(): Promise<OpenedStore> {
  const directory = await mkdtemp(join(tmpdir(), 'routebook-site-'));
  const store = await createSqliteStore({ directory, collections, durability: 'relaxed', log: () => undefined });
  return {
    store,
    async remove() {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function openPostgres(url: string): Promise<OpenedStore> {
  const store = await createTestStore(url, collections);
  return { store, remove: () => store.close() };
}

/** The stores on which complete sites are tested on every Node version, by name. */
export const STORES: Readonly<Record<string, () => Promise<OpenedStore>>> = { memory: openMemory, SQLite: openSqlite };
