import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseDriver } from '../../adapters/sqlite/choose-driver.ts';
import { isSafeForMany } from '../../adapters/sqlite/ownership.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { contractCollections as collections } from '../support/store-collections.ts';
import { inFolder } from '../support/temporary.ts';

interface Done { readonly created: readonly number[]; readonly slugs: number; readonly increments: number; readonly errors: readonly string[] }

const WRITER = fileURLToPath(new URL('../support/process-writer.js', import.meta.url));
const PROCESSES = 4;
const COMMITS = Number(process.env['PROCESS_COMMITS'] ?? 100);
const run = promisify(execFile);

const { engine } = await chooseDriver();

async function write(directory: string, number: number): Promise<Done> {
  const { stdout } = await run(process.execPath, ['--no-warnings', WRITER, directory, String(number), String(COMMITS)]);
  return JSON.parse(stdout) as Done;
}

const processes = suite('sqlite: several processes');
if (isSafeForMany(engine)) {
  processes(`${PROCESSES} of them write at once: nothing is lost, no id or slug is given twice, nobody waits in vain`, () => inFolder(async (directory) => {
    const store = await createSqliteStore({ directory, collections });
    await store.commit([{ op: 'create', collection: 'articles', values: { title: 'counter' } }]);
    const results = await Promise.all(Array.from({ length: PROCESSES }, (_, number) => write(directory, number)));
    assert.equal(results.flatMap(({ errors }) => errors), []);
    const created = results.flatMap((result) => result.created);
    assert.is(created.length, PROCESSES * COMMITS);
    assert.is(new Set(created).size, created.length);
    assert.is(results.reduce((sum, { slugs }) => sum + slugs, 0), COMMITS);
    assert.is((await store.get('articles', 1))?.['level'], results.reduce((sum, { increments }) => sum + increments, 0));
    assert.is((await store.find({ collection: 'articles', total: true, limit: 0 })).total, 1 + PROCESSES * COMMITS + COMMITS);
    assert.is((await store.find({ collection: 'notes', total: true, limit: 0 })).total, PROCESSES * COMMITS);
    await store.close();
  }));
} else {
  processes(`a second one is refused, because SQLite ${engine} could lose its commits`, () => inFolder(async (directory) => {
    const store = await createSqliteStore({ directory, collections });
    const refused = await write(directory, 1).then(() => '', (error: { readonly stderr?: string }) => String(error.stderr));
    assert.match(refused, new RegExp(`in use by another process \\(${process.pid}\\)`));
    await store.commit([{ op: 'create', collection: 'articles', values: {} }]);
    await store.close();
  }));
}
processes.run();
