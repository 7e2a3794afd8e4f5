import { createPostgresStore } from '../../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Store } from '../../../lib/store/store.ts';
import { startCluster } from '../../support/postgres.ts';
import { inFolder } from '../../support/temporary.ts';

/** Where a measurement runs. */
export type Kind = 'sqlite' | 'postgres';

/** Opens a store on the same, at first empty, database each time. */
export type OpenAgain = (collections: readonly CollectionDescriptor[]) => Promise<Store>;

/** Lends an empty database, and removes it. A PostgreSQL server of its own is started for it. `fsync: false`: for questions that are not about writes. */
export async function withDatabase(
  kind: Kind,
  { fsync }: { readonly fsync: boolean },
  use: (open: OpenAgain, url: string | null) => Promise<void>,
): Promise<void> {
  const durability = fsync ? 'full' : 'relaxed';
  if (kind === 'sqlite') {
    await inFolder((directory) =>
      use((collections) => createSqliteStore({ directory, collections, durability }), null),
    );
    return;
  }
  const { url, control } = await startCluster({ fsync });
  try {
    await use((collections) => createPostgresStore({ url, collections, durability }), url);
  } finally {
    await control.remove();
  }
}

/** The median of the times of `run`, in milliseconds, after one that does not count. */
export async function medianOf(times: number, run: (at: number) => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (let at = -1; at < times; at += 1) {
    const began = performance.now();
    await run(at);
    if (at >= 0) found.push(performance.now() - began);
  }
  return found.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}
