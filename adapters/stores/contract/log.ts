import { runWithSource } from '../../../lib/store/change-source.ts';
import type { Change, ChangesPage, Positions } from '../../../lib/store/change.ts';
import { eq } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { CaseList, type StoreCase } from './cases.ts';
import * as assert from './expect.ts';
import { rejectsStore } from './rejects.ts';
import { article, note } from './steps.ts';

const LOG = new CaseList('the log of changes');

const read = async (store: Store, after = 0, limit = 100): Promise<ChangesPage> =>
  store.changes({ after: { articles: after }, limit });

/** What does not depend on the clock and the first revision. */
const plain = ({ at: _at, revision: _revision, ...rest }: Change): unknown => rest;
const ids = ({ changes }: ChangesPage): readonly number[] => changes.map(({ id }) => id);

const WHO = 'https://id.example auth0|8 é';

LOG.test('each change is logged with what it was, what it is, and who made it', async (store) => {
  const before = Date.now();
  const source = { by: 7, from: 'import', request: 'r-1' } as const;
  await store.commit(
    [article({ status: 'draft', language: 'en', tags: [2, 1], title: 'One' })],
    'now',
    source,
  );
  await runWithSource({ by: WHO, from: 'request' }, () =>
    store.commit([
      { op: 'update', collection: 'articles', id: 1, values: { status: 'publish', slug: 'one' } },
    ]),
  );
  await store.commit([{ op: 'remove', collection: 'articles', id: 1 }]);
  const { changes } = await read(store);
  const common = { collection: 'articles', id: 1 };
  const first = { status: 'draft', language: 'en', tags: [2, 1], slug: false };
  const last = { ...first, status: 'publish', slug: true };
  assert.equal(changes.map(plain), [
    { ...common, version: 1, op: 'create', ...source, fields: first, before: null },
    {
      ...common,
      version: 2,
      op: 'update',
      by: WHO,
      from: 'request',
      request: '',
      fields: last,
      before: first,
    },
    { ...common, version: 2, op: 'remove', by: 0, from: 'command', request: '', fields: last, before: last },
  ]);
  assert.ok(changes.every(({ at }) => at >= before && at <= Date.now()));
});

LOG.test('every change of a commit has its own revision, also those of removeAll', async (store) => {
  await store.commit([1, 2, 3, 4].map((level) => article({ level })));
  await store.commit([
    { op: 'removeAll', collection: 'articles', where: { op: 'gt', field: 'level', value: 2 } },
    { op: 'removeAll', collection: 'articles', where: eq('level', 9) },
    { op: 'update', collection: 'articles', id: 1, values: {} },
  ]);
  const { changes, heads } = await read(store);
  assert.equal(
    changes.map(({ op, id }) => `${op} ${id}`),
    ['create 1', 'create 2', 'create 3', 'create 4', 'remove 3', 'remove 4', 'update 1'],
  );
  assert.ok(changes.every(({ revision }, at) => at === 0 || revision > Number(changes[at - 1]?.revision)));
  assert.is(changes.at(-1)?.revision, heads['articles']);
  assert.is(await store.revision(['articles']), heads['articles']);
});

LOG.test('it is read in parts, from where the last one ended', async (store) => {
  for (let level = 1; level <= 5; level += 1) await store.commit([article({ level })]);
  const found: number[] = [];
  for (let after = 0; ;) {
    const page = await read(store, after, 2);
    found.push(...ids(page));
    const last = page.changes.at(-1);
    if (last === undefined) break;
    after = last.revision;
  }
  assert.equal(found, [1, 2, 3, 4, 5]);
  assert.equal(ids(await read(store, 0, 0)), []);
});

LOG.test('a failed commit logs nothing, and a collection without a log has none', async (store) => {
  await store.commit([article({ slug: 'a' }), note({ text: 'x' })]);
  await rejectsStore(store.commit([article({}), article({ slug: 'a' })]), 'unique');
  assert.equal(ids(await read(store)), [1]);
  await rejectsStore((async () => store.changes({ after: { notes: 0 }, limit: 1 }))(), 'invalid');
  await rejectsStore((async () => store.changes({ after: { nothing: 0 }, limit: 1 }))(), 'invalid');
  const wrong = { by: -1 };
  await rejectsStore(store.commit([article({})], 'now', wrong), 'invalid');
});

LOG.test('commits that are made at once are all logged, in the order of their revisions', async (store) => {
  const commits = Array.from({ length: 40 }, (_each, level) =>
    store.commit([article({ level, slug: level % 4 === 3 ? 'taken' : '' })], 'now', { by: level + 1 }),
  );
  const made = (await Promise.allSettled(commits)).flatMap((each, at) =>
    each.status === 'fulfilled' ? [`${at + 1} ${String(each.value[0]?.id)}`] : [],
  );
  const { changes } = await read(store);
  assert.equal(changes.map(({ by, id }) => `${by} ${id}`).toSorted(), made.toSorted());
  assert.equal(
    changes.map(({ revision }) => revision),
    changes.map(({ revision }) => revision).toSorted((one, other) => one - other),
  );
});

LOG.test('changes can be forgotten from the oldest on, and what is missing is told', async (store) => {
  for (let level = 1; level <= 4; level += 1) await store.commit([article({ level })]);
  const all = (await read(store)).changes;
  const second = Number(all[1]?.revision);
  const through: Positions = { articles: second };
  while (await store.forgetChanges(through));
  await rejectsStore((async () => read(store, second - 1))(), 'expired');
  assert.equal(ids(await read(store, second)), [3, 4]);
  const { starts } = await read(store, 0, 0);
  assert.is(starts['articles'], second);
  while (await store.forgetChanges({ articles: Number.MAX_SAFE_INTEGER }));
  const { starts: end, heads } = await read(store, 0, 0);
  assert.is(end['articles'], heads['articles']);
  await store.commit([article({ level: 5 })]);
  assert.equal(ids(await read(store, heads['articles'])), [5]);
});

/** The log of changes. */
export const log: readonly StoreCase[] = LOG.cases;
