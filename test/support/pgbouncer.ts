import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { findUser } from './postgres.ts';
import { makeFolder, removeFolder } from './temporary.ts';

/** Debian installs it outside the PATH of users. */
const PROGRAMS = ['pgbouncer', '/usr/sbin/pgbouncer'];
const PORT = 6432;

/** A connection pooler in front of a server. */
export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The command of PgBouncer; undefined when it is not installed. */
export function findPgBouncer(): string | undefined {
  return PROGRAMS.find((program) => spawnSync(program, ['--version']).status === 0);
}

/** Starts PgBouncer on a socket, with at most two connections to the server for each pool. */
export async function startPgBouncer(
  program: string,
  { url, mode }: { readonly url: string; readonly mode: 'session' | 'transaction' },
): Promise<PgBouncer> {
  const folder = makeFolder();
  const user = findUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const server = new URL(url);
  const target = `host=${server.searchParams.get('host') ?? server.hostname}${server.port === '' ? '' : ` port=${server.port}`} user=${server.username}`;
  const settings = {
    listen_addr: '',
    unix_socket_dir: folder,
    listen_port: PORT,
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: mode === 'session' ? 40 : 4,
    max_client_conn: 100,
    logfile: `${folder}/log`,
    pidfile: `${folder}/pid`,
  };
  writeFileSync(
    `${folder}/ini`,
    `[databases]\n* = ${target}\n[pgbouncer]\n${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n')}\n`,
  );
  const child = spawn(program, ['-q', `${folder}/ini`], { cwd: '/', stdio: 'ignore', ...user });
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
  });
  for (let turn = 0; !existsSync(`${folder}/.s.PGSQL.${PORT}`); turn += 1) {
    if (turn > 500) throw new Error('PgBouncer did not start');
    await pause(10);
  }
  return {
    url: `postgres://${server.username}@localhost:${PORT}${server.pathname}?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      removeFolder(folder);
    },
  };
}
