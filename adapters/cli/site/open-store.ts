import { createMemoryStore } from '../../memory-store.ts';
import { createPostgresStore } from '../../postgres-store.ts';
import { createSqliteStore } from '../../sqlite-store.ts';
import { logToConsole, type CollectionDescriptor, type Store } from '../../../lib/index.ts';

/** A store. `shared`: other processes may open it at the same time. */
export interface OpenedStore {
  readonly store: Store;
  readonly shared: boolean;
}

type Open = (address: string, collections: readonly CollectionDescriptor[]) => Promise<OpenedStore>;

function note(message: string, error?: unknown): void {
  logToConsole({ level: error === undefined ? 'info' : 'error', message, error });
}

/** `?schema=` is the schema of the tables and is removed; the rest of the address goes to the driver. */
const openPostgres: Open = async (address, collections) => {
  if (!URL.canParse(address)) throw new TypeError('--store postgres://…: is not a valid address. The form is postgres://user:password@host:5432/database');
  const url = new URL(address);
  const schema = url.searchParams.get('schema');
  url.searchParams.delete('schema');
  const store = await createPostgresStore({ url: String(url), ...(schema === null ? {} : { schema }), collections, log: note });
  return { store, shared: true };
};

/** Kinds of store by the form of `--store`. */
const STORES: readonly (readonly [form: RegExp, open: Open])[] = [
  [/^memory$/, async (_address, collections) => ({ store: createMemoryStore(collections), shared: false })],
  [/^file:./, async (address, collections) => {
    const store = await createSqliteStore({ directory: address.slice('file:'.length), collections, log: note });
    return { store, shared: store.shared };
  }],
  [/^postgres(?:ql)?:\/\//, openPostgres],
];

/** Opens the store of `--store`. @throws TypeError for an address of another form, and what the store throws if it cannot be opened */
export async function openStore(address: string, collections: readonly CollectionDescriptor[]): Promise<OpenedStore> {
  const [, open] = STORES.find(([form]) => form.test(address)) ?? [];
  if (open === undefined) throw new TypeError(`--store "${address}": must be memory, file:DIRECTORY or postgres://…`);
  return open(address, collections);
}
