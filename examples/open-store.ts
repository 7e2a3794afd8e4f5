import { createMemoryStore } from '../adapters/memory-store.ts';
import { createSqliteStore } from '../adapters/sqlite-store.ts';
import type { CollectionDescriptor, Store } from '../lib/index.ts';

type Open = (address: string, collections: readonly CollectionDescriptor[]) => Promise<Store>;

function note(message: string, error?: unknown): void {
  console.error(`note: ${message}`, ...(error === undefined ? [] : [error]));
}

/** Kinds of store by the beginning of `--store`. */
const STORES: readonly (readonly [form: RegExp, open: Open])[] = [
  [/^memory$/, async (_address, collections) => createMemoryStore(collections)],
  [/^file:./, (address, collections) => createSqliteStore({ directory: address.slice('file:'.length), collections, log: note })],
];

/** Opens the store of `--store`. @throws TypeError for an address of another form; whatever the store throws when it can not be opened. */
export async function openStore(address: string, collections: readonly CollectionDescriptor[]): Promise<Store> {
  const [, open] = STORES.find(([form]) => form.test(address)) ?? [];
  if (address.startsWith('postgres:')) throw new TypeError(`--store "${address}": the PostgreSQL store is not built yet`);
  if (open === undefined) throw new TypeError(`--store "${address}": not one of memory, file:DIRECTORY, postgres://…`);
  return open(address, collections);
}
