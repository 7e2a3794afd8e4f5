import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CollectionDescriptor, logToConsole, type Store, StoreError } from '../../../lib/index.ts';
import { createMemoryStore } from '../../memory-store.ts';
import { createPostgresStore } from '../../postgres-store.ts';
import { createSqliteStore } from '../../sqlite-store.ts';
import { PostgresFailure, TAKEN } from '../../stores/postgres/errors.ts';
import { findDamage } from '../../stores/sqlite/errors.ts';
import { UsageError } from '../frame/options.ts';
import { readJson } from './read-json.ts';
import { findConfig } from './site-config.ts';

/** A store. `shared`: other processes may open it at the same time. */
interface OpenedStore {
  readonly store: Store;
  readonly shared: boolean;
}

type Log = (message: string, error?: unknown) => void;

/** What a store is opened with. */
interface Opening {
  readonly collections: readonly CollectionDescriptor[];
  readonly log: Log;
}

type Open = (address: string, opening: Opening) => Promise<OpenedStore>;

/** The log of a server: notes and failures. */
export const logAll: Log = (message, error) =>
  logToConsole({ level: error === undefined ? 'info' : 'error', message, error });

/** The log of a command: failures. */
export const logFailures: Log = (message, error) => {
  if (error !== undefined) logAll(message, error);
};

/** What to do about a failure of the server. Empty for the others, whose message says it itself: those without a cause, and records that violate a unique key. */
function toRemedy(cause: unknown): string {
  if (cause === undefined || (cause instanceof PostgresFailure && cause.state === TAKEN)) return '';
  const isCrowded = cause instanceof PostgresFailure && cause.isCrowded;
  return isCrowded
    ? '. Each process uses up to 10 connections: allow more of them (max_connections of the server, or the limit of the role), or start fewer --workers'
    : '. Check that the server runs, and the address, login and database of --store';
}

/** Names the database of an address, without the login. */
function inDatabase(address: string, { code, message, cause }: StoreError): StoreError {
  const { host, pathname } = new URL(address);
  return new StoreError(code, `--store postgres://${host}${pathname}: ${message}${toRemedy(cause)}`, {
    cause,
  });
}

/** Names the store in an error that says what is wrong with it, because a store does not know how it was named. */
export function nameStore(address: string, error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  if (error.cause instanceof PostgresFailure) return inDatabase(address, error);
  return findDamage(error) === undefined
    ? error
    : new StoreError(error.code, `--store "${address}": ${error.message}`, { cause: error.cause });
}

/** `?schema=` and `?pooling=` are options of the store and are removed; the rest of the address goes to the driver. */
const openPostgres: Open = async (address, { collections, log }) => {
  if (!URL.canParse(address))
    throw new TypeError(
      '--store postgres://…: is not a valid address. The form is postgres://user:password@host:5432/database',
    );
  const url = new URL(address);
  const options = Object.fromEntries(
    ['schema', 'pooling'].flatMap((name) =>
      url.searchParams.has(name) ? [[name, url.searchParams.get(name)]] : [],
    ),
  );
  for (const name of Object.keys(options)) url.searchParams.delete(name);
  try {
    return {
      store: await createPostgresStore({ url: String(url), ...options, collections, log }),
      shared: true,
    };
  } catch (error) {
    throw error instanceof StoreError ? inDatabase(address, error) : error;
  }
};

const FILE = 'file:';

/** Whether the address is a directory that holds no store yet. */
export function isMissing(address: string): boolean {
  return address.startsWith(FILE) && !existsSync(join(address.slice(FILE.length), 'site.db'));
}

/** Kinds of store by the form of `--store`. */
const STORES: readonly (readonly [form: RegExp, open: Open])[] = [
  [
    /^memory$/,
    async (_address, { collections }) => ({ store: createMemoryStore(collections), shared: false }),
  ],
  [
    /^file:./,
    async (address, { collections, log }) => {
      const store = await createSqliteStore({ directory: address.slice(FILE.length), collections, log });
      return { store, shared: store.shared };
    },
  ],
  [/^postgres(?:ql)?:\/\//, openPostgres],
];

/** Opens the store of `--store`. @throws TypeError for an address of another form, and what the store throws if it cannot be opened */
export async function openStore(address: string, opening: Opening): Promise<OpenedStore> {
  const [, open] = STORES.find(([form]) => form.test(address)) ?? [];
  if (open === undefined)
    throw new UsageError(`--store "${address}": must be memory, file:DIRECTORY or postgres://…`);
  return open(address, opening);
}

/** The pictures of the demo site. They are served where the library has no file of that name. */
export const DEMO_UPLOADS = fileURLToPath(new URL('../../../../examples/demo-uploads/', import.meta.url));

/** The directory of uploads without an option or a configuration that names one: beside the data of a file store, else `./uploads`. */
export function toUploadsDirectory(store: string): string {
  return store.startsWith(FILE) ? join(store.slice(FILE.length), 'uploads') : 'uploads';
}

/** The directory in which `serve` with this store and configuration keeps uploads. */
export async function findUploadsDirectory({
  store,
  config: given,
}: {
  readonly store: string;
  readonly config: string | undefined;
}): Promise<string> {
  const config = findConfig(given);
  const document =
    config === undefined
      ? {}
      : ((await readJson(config)) as { readonly directories?: { readonly media?: string } });
  return document.directories?.media ?? toUploadsDirectory(store);
}
