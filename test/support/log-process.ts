import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { createChangeLog } from '../../lib/changes/change-log.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';

// A process to be killed: `node log-process.js ADDRESS SCHEMA ROLE [FILE]`. ADDRESS: a directory, or postgres://….
// A `writer` prints each text after its commit was acknowledged. A `reader` adds a line to FILE for each change, and goes on after the
// last whole line; it prints that it is there. `both` is a writer that reads as well. A `finisher` is a reader that ends when nothing is left.
const NOTES: CollectionDescriptor = {
  name: 'notes',
  fields: { text: { type: 'text' } },
  logged: { keeps: ['text'] },
};
const AT_ONCE = 2;
/** Tells this process from a later one with its number. */
const LIFE = randomUUID();
/** A writer rests, because the order of many processes is tried, not their throughput. */
const REST_MS = 10;

const [address = '', schema = '', role = '', file = ''] = process.argv.slice(2);
const store = address.startsWith('postgres:')
  ? await createPostgresStore({ url: address, schema, collections: [NOTES], durability: 'relaxed' })
  : await createSqliteStore({ directory: address, collections: [NOTES] });

async function write(line: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const text = `${LIFE}-${line}-${count}`;
    const [note] = await store.commit([{ op: 'create', collection: 'notes', values: { text } }]);
    // Synchronous and unbuffered, because an acknowledgement counts even if it is the last thing this process does.
    writeSync(1, `${text}\n`);
    if (count % 3 === 0) {
      await store.commit([
        { op: 'update', collection: 'notes', id: note?.id ?? 0, values: { text: `${text}-again` } },
      ]);
      writeSync(1, `${text}-again\n`);
    }
    await pause(REST_MS);
  }
}

async function read(): Promise<void> {
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = known.slice(0, known.lastIndexOf('\n') + 1);
  if (whole !== known) truncateSync(file, Buffer.byteLength(whole));
  const notes = Number(whole.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? 0);
  const log = createChangeLog(store, ['notes']);
  if (role === 'reader') writeSync(1, 'here\n');
  for await (const { changes } of log.follow(
    { notes },
    { signal: new AbortController().signal, limit: 50 },
  )) {
    for (const { revision, id, fields } of changes)
      appendFileSync(file, `${revision} ${id} ${String(fields['text'])}\n`);
    if (role === 'finisher' && changes.length === 0) break;
  }
  await store.close();
}

const writers = role === 'writer' || role === 'both' ? AT_ONCE : 0;
await Promise.all([
  ...Array.from({ length: writers }, (_each, line) => write(line)),
  ...(role === 'writer' ? [] : [read()]),
]);
