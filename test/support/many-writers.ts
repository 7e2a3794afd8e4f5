import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import type { Store } from '../../lib/store/store.ts';
import { countRuns } from './long-mode.ts';

/** Report of a writer at its end. */
interface Done {
  readonly created: readonly number[];
  readonly slugs: number;
  readonly increments: number;
  readonly errors: readonly string[];
}

const WRITER = fileURLToPath(new URL('process-writer.js', import.meta.url));
const execute = promisify(execFile);

/** Number of processes that write concurrently. */
export const PROCESSES = 4;

/** Number of commits per writer. */
export const toCommits = (usual: number): number => countRuns(usual, 10 * usual);

/** Runs `process-writer` in a separate process: location of the store, number of the writer, commits, and the schema, if any. Rejects when it fails. */
export async function runWriter(...args: readonly (string | number)[]): Promise<Done> {
  const { stdout } = await execute(process.execPath, ['--no-warnings', WRITER, ...args.map(String)]);
  return JSON.parse(stdout) as Done;
}

/** Lets several writers commit concurrently to an empty store of the contract's collections. No commit may be lost, and no id or slug may be used twice. */
export async function checkManyWriters(
  store: Store,
  commits: number,
  write: (number: number) => Promise<Done>,
): Promise<void> {
  await store.commit([{ op: 'create', collection: 'articles', values: { title: 'counter' } }]);
  const results = await Promise.all(Array.from({ length: PROCESSES }, (_, number) => write(number)));
  assert.equal(
    results.flatMap(({ errors }) => errors),
    [],
  );
  const created = results.flatMap((result) => result.created);
  assert.is(created.length, PROCESSES * commits);
  assert.is(new Set(created).size, created.length);
  assert.is(
    results.reduce((sum, { slugs }) => sum + slugs, 0),
    commits,
  );
  assert.is(
    (await store.get('articles', 1))?.['level'],
    results.reduce((sum, { increments }) => sum + increments, 0),
  );
  assert.is(
    (await store.find({ collection: 'articles', total: true, limit: 0 })).total,
    1 + PROCESSES * commits + commits,
  );
  assert.is((await store.find({ collection: 'notes', total: true, limit: 0 })).total, PROCESSES * commits);
}
