import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { chooseDriver } from '../../adapters/stores/sqlite/drivers.ts';
import type { Change } from '../../lib/store/change.ts';
import type { Store, StoredRecord } from '../../lib/store/store.ts';
import { postCollections } from '../../registry/core/records/collections.ts';

/** Result of killing a process: all numbers but `acknowledged` should be 0. */
export interface CrashOutcome {
  acknowledged: number;
  lost: number;
  /** Acknowledged changes that the log does not have exactly once. */
  unlogged: number;
  /** Changes in the log that no record has, or out of order. */
  invented: number;
  half: number;
  failedStarts: number;
  damaged: number;
}

const WRITER = fileURLToPath(new URL('crash-writer.js', import.meta.url));

/** Starts a writer on the directory, kills it at a random moment and returns the commits that it acknowledged. */
async function killWriter(directory: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--no-warnings', WRITER, directory], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * 60);
    output += chunk.toString();
  });
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  if (output === '') throw new Error(`the writer did not start: ${errors}`);
  // The last line may be incomplete. An incomplete line does not acknowledge anything.
  return output.slice(0, output.lastIndexOf('\n')).split('\n');
}

function countHalves(posts: readonly StoredRecord[], revisions: readonly StoredRecord[]): number {
  const counts = new Map<number, number>();
  for (const { parent } of revisions) counts.set(Number(parent), (counts.get(Number(parent)) ?? 0) + 1);
  const halfPosts = posts.filter((post) => counts.get(post.id) !== post.version).length;
  const ids = new Set(posts.map((post) => post.id));
  return halfPosts + [...counts.keys()].filter((parent) => !ids.has(parent)).length;
}

/** The changes of posts, read on from cursor to cursor as a reader does that is killed after each page. */
async function readLog(store: Store): Promise<readonly Change[]> {
  const all: Change[] = [];
  for (let after = { posts: 0 }; ;) {
    const { changes } = await store.changes({ after, limit: 97 });
    all.push(...changes);
    const last = changes.at(-1);
    if (last === undefined) return all;
    after = { posts: last.revision };
  }
}

function inspectLog(
  log: readonly Change[],
  posts: readonly StoredRecord[],
  { lines, outcome }: { readonly lines: readonly string[]; readonly outcome: CrashOutcome },
): void {
  const counts = new Map<string, number>();
  for (const { op, id } of log) {
    const key = `${op}d ${id}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  outcome.unlogged += lines.filter((line) => counts.get(line) !== 1).length;
  const versions = posts.reduce((sum, { version }) => sum + version, 0);
  outcome.invented += Math.abs(log.length - versions);
  outcome.invented += log.filter(({ revision }, at) => revision <= (log[at - 1]?.revision ?? 0)).length;
}

async function inspect(directory: string, lines: readonly string[], outcome: CrashOutcome): Promise<void> {
  const store = await createSqliteStore({ directory, collections: postCollections });
  const { records: posts } = await store.find({ collection: 'posts', fields: [] });
  const { records: revisions } = await store.find({ collection: 'revisions', fields: ['parent'] });
  inspectLog(await readLog(store), posts, { lines, outcome });
  await store.close();
  const versions = new Map(posts.map((post) => [post.id, post.version]));
  outcome.lost += lines.filter((line) => {
    const [word, id] = line.split(' ');
    return (versions.get(Number(id)) ?? 0) < (word === 'updated' ? 2 : 1);
  }).length;
  outcome.half += countHalves(posts, revisions);
}

async function isDamaged(directory: string): Promise<boolean> {
  const connection = (await chooseDriver()).open(join(directory, 'site.db'), 0);
  const result = connection.prepare('PRAGMA integrity_check').get([])?.[0];
  connection.close();
  return result !== 'ok';
}

/** Kills a writing process `runs` times on one growing store, and checks the store after each time. */
export async function runCrashes(directory: string, runs: number): Promise<CrashOutcome> {
  const outcome: CrashOutcome = {
    acknowledged: 0,
    lost: 0,
    unlogged: 0,
    invented: 0,
    half: 0,
    failedStarts: 0,
    damaged: 0,
  };
  const told: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const lines = await killWriter(directory);
    told.push(...lines);
    outcome.acknowledged += lines.length;
    try {
      await inspect(directory, told, outcome);
    } catch {
      outcome.failedStarts += 1;
    }
    if (await isDamaged(directory)) outcome.damaged += 1;
  }
  return outcome;
}
