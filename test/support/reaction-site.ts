// A process to be killed: a site with a plugin whose reaction notes what it gets. `node reaction-site.js DIRECTORY ROUND POINT`
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { collectionsOf, createContentModel, createSite } from '../../registry/index.ts';
import { definePlugin } from '../../registry/plugin.ts';
import { until } from './until.ts';

const [directory = '', round = '0', point = 'none'] = process.argv.slice(2);
/** Commits of one process. */
const COMMITS = 6;
const BEGIN = Date.UTC(2026, 0, 1);
/** The lease of a killed process is over for the next one. */
const AHEAD_MS = 60_000;

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
const note = (file: string, line: string): void => appendFileSync(join(directory, file), `${line}\n`);
let calls = 0;

const crash = definePlugin(
  {
    name: 'crash',
    collections: [{ name: 'crash_notes', fields: { text: { type: 'text' } }, logged: true }],
    reactions: [{ to: ['crash_notes'], run: 'crash.note' }],
  },
  () => ({
    'crash.note': (changes) => {
      calls += 1;
      if (point === 'before') die();
      changes.forEach(({ revision, id }, index) => {
        if (point === 'within' && index === Math.floor(changes.length / 2) && calls > 1) die();
        note('seen', `${round} ${revision} ${id}`);
      });
      // The place is moved after this.
      if (point === 'after' && calls > 1) queueMicrotask(die);
      if (point === 'moving' && calls > 1) setImmediate(die);
    },
  }),
);

const plugins = [crash];
const store = await createSqliteStore({
  directory: join(directory, 'store'),
  collections: collectionsOf(createContentModel('seed'), plugins),
  log: () => undefined,
});
const site = await createSite({
  store,
  plugins,
  now: () => BEGIN + Number(round) * AHEAD_MS,
  log: () => undefined,
});
const readPlace = async (): Promise<number> => {
  const { records } = await store.find({ collection: 'change_readers' });
  const positions = (records[0]?.['positions'] ?? {}) as Readonly<Record<string, number>>;
  return positions['crash_notes'] ?? -1;
};
await until(async () => (await readPlace()) >= 0, 'the place of the reaction');
if (point === 'none') {
  const { crash_notes: head = 0 } = await site.changes.heads();
  await until(async () => (await readPlace()) >= head, 'the last change');
  for (let after = 0; after < head;) {
    const { changes } = await site.changes.read({ crash_notes: after }, 500);
    for (const { revision } of changes) note('log', String(revision));
    after = changes.at(-1)?.revision ?? head;
  }
  await site.close();
  await store.close();
} else {
  for (let count = 0; count < COMMITS; count += 1) {
    const committing = store.commit([
      { op: 'create', collection: 'crash_notes', values: { text: `${round}-${count}` } },
      { op: 'create', collection: 'crash_notes', values: { text: `${round}-${count}-more` } },
    ]);
    if (point === 'commit' && count === COMMITS - 1) setImmediate(die);
    for (const { id } of (await committing) as readonly { readonly id: number }[])
      note('written', String(id));
    // The reaction gets some of them alone.
    if (count % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  setTimeout(die, point === 'idle' ? 40 : 2000);
}
