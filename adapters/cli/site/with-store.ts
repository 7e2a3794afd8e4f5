import type { Store } from '../../../lib/index.ts';
import type { Additions } from '../frame/command.ts';
import { UsageError } from '../frame/options.ts';
import { isMissing, logFailures, nameStore, openStore } from './open-store.ts';
import { readSite, type SiteDescription, type SiteSource } from './read-site.ts';
import type { SiteValues } from './site-options.ts';

/** The open store of a command, and the site that it holds. */
export interface CommandStore extends SiteDescription {
  readonly store: Store;
}

/** Runs a function that uses an open resource. Closes the resource if the function fails. */
export async function closeOnFailure<T>(
  opened: { close(): Promise<void> },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** `creates`: the command may begin a new site. Default false: a directory without a store is refused, because its name is probably misspelt. */
export interface StoreUse {
  readonly creates?: boolean;
  /** The command changes nothing: an empty store in memory stands for one that is not there. Default false. */
  readonly leaves?: boolean;
  /** Gets the notes of the store. Default: only failures are written. */
  readonly log?: typeof logFailures;
}

/** @throws UsageError for a store that a command cannot use */
function checkAddress(address: string, { creates = false }: StoreUse): void {
  if (address === 'memory')
    throw new UsageError(
      '--store memory: the store would be empty again when the command ends. Name file:DIRECTORY or postgres://…',
    );
  if (!creates && isMissing(address))
    throw new TypeError(`--store "${address}": there is no store. Name the one that "routebook serve" uses`);
}

/** Opens the store that the options name for a command, and closes it afterwards. @throws what the options, the store or the command throw */
export async function withStore<T>(
  values: SiteValues & Pick<SiteSource, 'names'> & Partial<Additions>,
  use: (opened: CommandStore) => Promise<T>,
  options: StoreUse = {},
): Promise<T> {
  const site = await readSite(values);
  checkAddress(values.store, options);
  const address = options.leaves === true && isMissing(values.store) ? 'memory' : values.store;
  const { collections } = site;
  const { store } = await openStore(address, { collections, log: options.log ?? logFailures });
  const result = await closeOnFailure(store, () => use({ ...site, store })).catch((error: unknown) => {
    throw nameStore(values.store, error);
  });
  await store.close();
  return result;
}
