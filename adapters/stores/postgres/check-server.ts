import { StoreError } from '../../../lib/store/store.ts';
import type { Connection } from './connections.ts';

/** Settings that may lose an acknowledged commit, and what to do about each of them. */
const UNSAFE: Readonly<Record<string, string>> = {
  fsync: 'fsync is off: a power failure damages the database. Switch it on',
  full_page_writes: 'full_page_writes is off: a power failure can damage the database. Switch it on',
  synchronous_commit:
    'synchronous_commit is off: a crash loses commits that were acknowledged. Switch it on, for this role or for the server',
};

async function readSettings(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.query(
    "SELECT name, setting FROM pg_settings WHERE name = ANY($1) UNION ALL SELECT 'standby', pg_is_in_recovery()::text",
    [['server_encoding', 'server_version', ...Object.keys(UNSAFE)]],
  );
  return new Map(rows.map((row) => [String(row['name']), String(row['setting'])]));
}

/** Checks that acknowledged commits are safe on the server. @returns its version. @throws StoreError `unavailable` */
export async function checkServer(connection: Connection, durability: 'full' | 'relaxed'): Promise<string> {
  const settings = await readSettings(connection);
  const refuse = (fault: string): never => {
    throw new StoreError('unavailable', `The PostgreSQL server cannot be used: ${fault}.`);
  };
  if (settings.get('server_encoding') !== 'UTF8')
    refuse(`the database has the encoding ${String(settings.get('server_encoding'))}. Create one with UTF8`);
  if (settings.get('standby') === 'true') refuse('it is a standby that takes no writes. Name the primary');
  const [, fault] = Object.entries(UNSAFE).find(([name]) => settings.get(name) === 'off') ?? [];
  if (fault !== undefined && durability === 'full') refuse(`${fault}, or ask for relaxed durability`);
  return settings.get('server_version') ?? '';
}
