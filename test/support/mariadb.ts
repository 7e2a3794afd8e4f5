import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync } from 'node:fs';
import { makeFolder, removeFolder } from './temporary.ts';

/** A server of its own, on a socket. */
export interface TestMariadb {
  readonly socketPath: string;
  readonly user: string;
  stop(): Promise<void>;
}

const isInstalled = (): boolean =>
  ['mariadbd', 'mariadb-install-db', 'mariadb-admin'].every(
    (program) => spawnSync(program, ['--version'], { env: PATHS }).status === 0,
  );
// Debian keeps servers in a folder that is not on the path of every user.
const PATHS = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` };

function isUp(socketPath: string): boolean {
  return (
    spawnSync('mariadb-admin', [`--socket=${socketPath}`, 'ping'], { env: PATHS, stdio: 'ignore' }).status ===
    0
  );
}

function end(server: ChildProcess, folder: string): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => {
      removeFolder(folder);
      resolve();
    });
    server.kill('SIGKILL');
  });
}

/** Starts a server in a new folder; null when MariaDB is not installed. */
export async function startMariadb(): Promise<TestMariadb | null> {
  if (!isInstalled()) return null;
  const folder = makeFolder();
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? 'mysql' : execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  if (isRoot)
    chownSync(
      folder,
      Number(execFileSync('id', ['-u', user], { encoding: 'utf8' })),
      Number(execFileSync('id', ['-g', user], { encoding: 'utf8' })),
    );
  const socketPath = `${folder}/socket`;
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${folder}/data`,
      `--user=${user}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { env: PATHS, stdio: 'ignore' },
  );
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${folder}/data`,
      `--socket=${socketPath}`,
      '--skip-networking',
      `--user=${user}`,
      '--innodb-flush-log-at-trx-commit=0',
    ],
    { env: PATHS, stdio: 'ignore' },
  );
  process.once('exit', () => server.kill('SIGKILL'));
  for (let tries = 0; tries < 300 && !isUp(socketPath); tries += 1)
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  return { socketPath, user: 'root', stop: () => end(server, folder) };
}
