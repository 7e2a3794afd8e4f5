import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { type Connections, NO_LIMITS, openConnections } from '../../adapters/stores/postgres/connections.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Store } from '../../lib/store/store.ts';
import { makeFolder } from './temporary.ts';

/** A server that the tests may use freely. */
export interface TestPostgres {
  readonly url: string;
  /** Null when the tests cannot stop the server. */
  readonly control: ServerControl | null;
}

export interface ServerControl {
  start(): Promise<void>;
  /** `immediate` stops the server as a crash does. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** `SIGSTOP`: the server accepts connections but does not respond until `SIGCONT`. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Stops the server and removes its files. This is also done when the process ends, even when it is killed. */
  remove(): Promise<void>;
}

export interface ClusterOptions {
  /** false is faster, for tests that do not stop the server. */
  readonly fsync: boolean;
  /** true: a separate server that can be stopped. Default false: the files of a process share one. */
  readonly own?: boolean;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The user to run servers as; null: the present one. PostgreSQL refuses to run as root. */
export function findUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout, 10),
    );
    if (uid !== undefined && gid !== undefined && !Number.isNaN(uid + gid)) return { uid, gid };
  }
  throw new Error('no unprivileged user to run PostgreSQL as');
}

const execute = promisify(execFile);

/** Creates and starts a separate server in a new folder, on a socket only. It ends with this process. */
export async function startCluster({
  fsync,
}: ClusterOptions): Promise<TestPostgres & { readonly control: ServerControl }> {
  const folder = makeFolder();
  const user = findUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const run = async (program: string, args: readonly string[]): Promise<void> => {
    await execute(program, args, { cwd: '/', ...user });
  };
  const cluster = `${folder}/cluster`;
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'max_connections=120',
    'shared_buffers=32MB',
    ...(fsync ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']),
  ];
  const start = (): Promise<void> =>
    run('pg_ctl', [
      '-D',
      cluster,
      '-w',
      '-s',
      '-t',
      '60',
      '-l',
      `${folder}/log`,
      '-o',
      settings.map((each) => `-c "${each}"`).join(' '),
      'start',
    ]);
  // Waits until this process closes its end of the pipe, which also happens on kill -9.
  const watch = spawn(
    'sh',
    ['-c', 'cat; pg_ctl -D "$1/cluster" -s -m immediate stop; rm -rf "$1"', 'sh', folder],
    { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', ...user },
  );
  watch.unref();
  (watch.stdin as unknown as { unref(): void }).unref();
  await run('initdb', [
    '-D',
    cluster,
    '-U',
    'routebook',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ]);
  await start();
  return {
    url: `postgres://routebook@localhost/postgres?host=${encodeURIComponent(folder)}`,
    control: {
      signal: (signal) => {
        const [postmaster = ''] = readFileSync(`${cluster}/postmaster.pid`, 'utf8').split('\n');
        const backends = spawnSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' })
          .stdout.trim()
          .split(/\s+/);
        for (const pid of [postmaster, ...backends]) process.kill(Number(pid), signal);
      },
      start,
      stop: (mode) => run('pg_ctl', ['-D', cluster, '-w', '-s', '-m', mode, 'stop']),
      remove: () =>
        new Promise((resolve) => {
          watch.once('exit', () => resolve());
          watch.ref();
          watch.stdin.end();
        }),
    },
  };
}

const hasPrograms = (): boolean => spawnSync('initdb', ['--version']).status === 0;

/** Servers of this process by `fsync`. */
const shared = new Map<boolean, Promise<TestPostgres | null>>();

/** The server named by `ROUTEBOOK_TEST_POSTGRES`, otherwise one that this process starts; null when neither is available. */
export async function findPostgres({ fsync, own = false }: ClusterOptions): Promise<TestPostgres | null> {
  const url = process.env['ROUTEBOOK_TEST_POSTGRES'];
  if (own) return hasPrograms() ? startCluster({ fsync }) : null;
  if (url !== undefined && url !== '') return { url, control: null };
  const found =
    shared.get(fsync) ??
    (hasPrograms()
      ? startCluster({ fsync }).then((started) => ({ ...started, control: null }))
      : Promise.resolve(null));
  shared.set(fsync, found);
  return found;
}

/** Replaces the tests that need a server with one test. It logs the reason, and fails when `ROUTEBOOK_REQUIRE_POSTGRES` is 1. */
export function skipPostgres(name: string): void {
  const test = suite(name);
  test('SKIPPED: PostgreSQL is not available', () => {
    console.error(`SKIPPED ${name}: neither initdb on PATH nor a server named by ROUTEBOOK_TEST_POSTGRES`);
    assert.is.not(process.env['ROUTEBOOK_REQUIRE_POSTGRES'], '1', 'PostgreSQL is required here');
  });
  test.run();
}

/** A connection for statements that a store does not run. */
export function openAdmin(url: string): Promise<Connections> {
  return openConnections({ url, schema: 'public', most: 1, limits: NO_LIMITS, onLost: () => undefined });
}

/** A unique name for a schema. */
export function nameSchema(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

export async function dropSchema(url: string, schema: string): Promise<void> {
  const admin = await openAdmin(url);
  await admin.use((connection) => connection.script(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
  await admin.close();
}

/** An empty store in a separate schema, which `close` removes. */
export async function createTestStore(
  url: string,
  collections: readonly CollectionDescriptor[],
): Promise<Store> {
  const schema = nameSchema();
  const store = await createPostgresStore({ url, schema, collections, durability: 'relaxed' });
  return {
    ...store,
    close: async () => {
      await store.close();
      await dropSchema(url, schema);
    },
  };
}
