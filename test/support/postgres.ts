import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_LIMITS, openConnections, type Connections } from '../../adapters/postgres/connections.ts';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Store } from '../../lib/store/store.ts';
import { makeFolder } from './temporary.ts';

/** A server that the tests may do with as they like. */
export interface TestPostgres {
  readonly url: string;
  /** Null: it is not ours to stop. */
  readonly control: ServerControl | null;
}

export interface ServerControl {
  start(): Promise<void>;
  /** `immediate` is what a crash is. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** `SIGSTOP`: the server is there and says nothing, until `SIGCONT`. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Stops the server and removes everything. Otherwise done when this process ends, however it ends. */
  remove(): Promise<void>;
}

export interface ClusterOptions {
  /** False: faster, for tests that do not end the server. */
  readonly fsync: boolean;
  /** Not the server that is named: one to stop and start. Default false. */
  readonly own?: boolean;
}

interface User { readonly uid: number; readonly gid: number }

/** PostgreSQL refuses to run as root. */
function findUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout, 10));
    if (uid !== undefined && gid !== undefined && !Number.isNaN(uid + gid)) return { uid, gid };
  }
  throw new Error('no unprivileged user to run PostgreSQL as');
}

const execute = promisify(execFile);

/** Makes and starts a server of its own in a new folder, on a socket only. Gone when this process is. */
export async function startCluster({ fsync }: ClusterOptions): Promise<TestPostgres & { readonly control: ServerControl }> {
  const folder = makeFolder();
  const user = findUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const run = async (program: string, args: readonly string[]): Promise<void> => { await execute(program, args, { cwd: '/', ...user }); };
  const cluster = `${folder}/cluster`;
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=60', 'shared_buffers=32MB', ...(fsync ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'])];
  const start = (): Promise<void> => run('pg_ctl', ['-D', cluster, '-w', '-s', '-t', '60', '-l', `${folder}/log`, '-o', settings.map((each) => `-c "${each}"`).join(' '), 'start']);
  // Waits for this process's end of the pipe to close, which also a kill -9 does.
  const watch = spawn('sh', ['-c', 'cat; pg_ctl -D "$1/cluster" -s -m immediate stop; rm -rf "$1"', 'sh', folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', ...user });
  watch.unref();
  (watch.stdin as unknown as { unref(): void }).unref();
  await run('initdb', ['-D', cluster, '-U', 'routebook', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions']);
  await start();
  return {
    url: `postgres://routebook@localhost/postgres?host=${encodeURIComponent(folder)}`,
    control: {
      signal: (signal) => {
        const [postmaster = ''] = readFileSync(`${cluster}/postmaster.pid`, 'utf8').split('\n');
        const backends = spawnSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' }).stdout.trim().split(/\s+/);
        for (const pid of [postmaster, ...backends]) process.kill(Number(pid), signal);
      },
      start, stop: (mode) => run('pg_ctl', ['-D', cluster, '-w', '-s', '-m', mode, 'stop']),
      remove: () => new Promise((resolve) => {
        watch.once('exit', () => resolve());
        watch.ref();
        watch.stdin.end();
      }),
    },
  };
}

/** The server named by `ROUTEBOOK_TEST_POSTGRES`, else one of our own, which the caller removes; null where neither is there. */
export async function findPostgres(options: ClusterOptions): Promise<TestPostgres | null> {
  const url = process.env['ROUTEBOOK_TEST_POSTGRES'];
  if (url !== undefined && url !== '' && options.own !== true) return { url, control: null };
  return spawnSync('initdb', ['--version']).status === 0 ? startCluster(options) : null;
}

/** One test in place of those that need a server: it says so, and fails where `ROUTEBOOK_REQUIRE_POSTGRES` is 1. */
export function skipPostgres(name: string): void {
  const test = suite(name);
  test('SKIPPED: there is no PostgreSQL', () => {
    console.error(`SKIPPED ${name}: neither initdb on PATH nor a server named by ROUTEBOOK_TEST_POSTGRES`);
    assert.is.not(process.env['ROUTEBOOK_REQUIRE_POSTGRES'], '1', 'PostgreSQL is required here');
  });
  test.run();
}

/** A connection for what no store does. */
export function openAdmin(url: string): Promise<Connections> {
  return openConnections({ url, schema: 'public', most: 1, limits: NO_LIMITS, onLost: () => undefined });
}

/** A name for a schema that nobody else has. */
export function nameSchema(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

export async function dropSchema(url: string, schema: string): Promise<void> {
  const admin = await openAdmin(url);
  await admin.use((connection) => connection.script(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
  await admin.close();
}

/** An empty store in a schema of its own, which `close` removes. */
export async function createTestStore(url: string, collections: readonly CollectionDescriptor[]): Promise<Store> {
  const schema = nameSchema();
  const store = await createPostgresStore({ url, schema, collections, durability: 'relaxed' });
  return { ...store, close: async () => { await store.close(); await dropSchema(url, schema); } };
}
