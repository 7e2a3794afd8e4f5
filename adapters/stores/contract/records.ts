import { and, eq, gte, hasAny, oneOf } from '../../../lib/store/query.ts';
import type { Operation } from '../../../lib/store/store.ts';
import {
  article,
  CaseList,
  count,
  createOne,
  dump,
  find,
  findIds,
  note,
  rejectsStore,
  remove,
  removeAll,
  type StoreCase,
  update,
} from './cases.ts';
import * as assert from './expect.ts';

const RECORDS = new CaseList('records');

RECORDS.test(
  'a record has an id, version 1 and an empty value for every field that was not given',
  async (store) => {
    const expected = {
      id: 1,
      version: 1,
      title: 'One',
      slug: '',
      language: '',
      status: '',
      date: '',
      level: 0,
      sticky: false,
      tags: [],
      words: [],
      extra: null,
    };
    const [created] = await store.commit([article({ title: 'One' })]);
    assert.equal(created, expected);
    assert.equal(await store.get('articles', 1), expected);
    assert.equal((await find(store)).records, [expected]);
  },
);

RECORDS.test('values are read back unchanged', async (store) => {
  const values = {
    title: 'Ünïcode \u{1F600} ﬁ',
    slug: "'; DROP TABLE articles; --",
    language: 'a%_\\"',
    date: '9999-12-31',
    level: Number.MIN_SAFE_INTEGER,
    sticky: true,
    tags: [3, 1, 3, Number.MAX_SAFE_INTEGER],
    words: ['b', '', 'a', "x'y"],
    extra: { list: [1, 1.5, null, true, '\0 \uD800 "'], deep: { a: {} }, $ref: 'x', ['__proto__']: 1, '': 2 },
  };
  const { id } = await createOne(store, values);
  const found = await store.get('articles', id);
  assert.is(
    JSON.stringify(found),
    JSON.stringify({
      id,
      version: 1,
      title: values.title,
      slug: values.slug,
      language: values.language,
      status: '',
      date: values.date,
      level: values.level,
      sticky: true,
      tags: values.tags,
      words: values.words,
      extra: values.extra,
    }),
  );
});

RECORDS.test('NUL and lone surrogates become U+FFFD, and -0 becomes 0', async (store) => {
  const { id } = await createOne(store, { title: 'a\0b\uD800c', words: ['\uDC00'], level: -0 });
  const found = await store.get('articles', id);
  assert.is(found?.['title'], 'a\uFFFDb\uFFFDc');
  assert.equal(found?.['words'], ['\uFFFD']);
  assert.ok(Object.is(found?.['level'], 0));
  assert.is(await count(store, eq('title', 'a\0b\uDFFFc')), 1);
});

RECORDS.test(
  'a text has at most as many characters as its field says, counted by code point',
  async (store) => {
    const longest = '\u{1F600}'.repeat(40);
    const { id } = await createOne(store, { date: longest });
    const updateDate = (date: string): Operation => update(id, { date });
    for (const operation of [article({ date: `${longest}x` }), updateDate(`${longest}x`)]) {
      const { message } = await rejectsStore(store.commit([operation]), 'invalid');
      assert.ok(message.includes('date has 41 characters, and at most 40 are allowed'), message);
    }
    assert.is((await store.get('articles', id))?.['date'], longest);
    assert.equal(await findIds(store, { where: oneOf('date', [longest, `${longest}x`]) }), [id]);
  },
);

RECORDS.test('a missing record is null', async (store) => {
  for (const id of [1, 0, -1, 1.5, NaN, Infinity, 2 ** 60]) assert.is(await store.get('articles', id), null);
});

RECORDS.test('versions are read without the records, 0 for a missing record', async (store) => {
  const { id } = await createOne(store, { title: 'a' });
  const [other] = await store.commit([note({ text: 'n' }), update(id, { title: 'b' })]);
  const keys = [
    ['articles', id],
    ['notes', other?.id ?? 0],
    ['articles', id + 1],
    ['articles', 0],
    ['articles', 1.5],
    ['articles', NaN],
    ['articles', 2 ** 60],
  ] as const;
  assert.equal(await store.versions(keys), [2, 1, 0, 0, 0, 0, 0]);
  assert.equal(await store.versions([]), []);
  await store.commit([remove(id)]);
  assert.equal(await store.versions([['articles', id]]), [0]);
});

RECORDS.test('changing the passed values later has no effect', async (store) => {
  const extra = { list: [1] };
  const tags = [1];
  const { id } = await createOne(store, { extra, tags });
  extra.list.push(2);
  tags.push(2);
  const found = await store.get('articles', id);
  assert.equal([found?.['extra'], found?.['tags']], [{ list: [1] }, [1]]);
});

RECORDS.test('changing the returned records has no effect', async (store) => {
  const [created] = await store.commit([article({ title: 'a', extra: { list: [1] }, tags: [1] })]);
  const before = await dump(store);
  const read = await store.get('articles', 1);
  const { records: found } = await find(store, { fields: ['extra', 'tags', 'title'] });
  for (const record of [created, read, ...found]) {
    // A frozen record throws, and a copy accepts the change. Both are allowed.
    const { extra, tags } = record as unknown as { extra: { list: number[] }; tags: number[] };
    for (const spoil of [
      () => Object.assign(record ?? {}, { title: 'b' }),
      () => extra.list.push(2),
      () => tags.push(2),
    ]) {
      try {
        spoil();
      } catch (error) {
        assert.instance(error, TypeError);
      }
    }
  }
  assert.is(await dump(store), before);
});

/** Values are stored and read back unchanged. */
export const records: readonly StoreCase[] = RECORDS.cases;

const CHANGES = new CaseList('changes');

CHANGES.test('an update writes the given values and adds one to the version', async (store) => {
  await createOne(store, { title: 'a', level: 1 });
  const [updated] = await store.commit([update(1, { title: 'b' })]);
  assert.equal([updated?.['title'], updated?.['level'], updated?.version], ['b', 1, 2]);
  await store.commit([update(1, {}, 2)]);
  assert.is((await store.get('articles', 1))?.version, 3);
});

CHANGES.test('a remove returns the removed record', async (store) => {
  const created = await createOne(store, { title: 'a', tags: [1] });
  assert.equal(await store.commit([remove(1, 1)]), [created]);
  assert.is(await store.get('articles', 1), null);
  assert.is(await count(store, hasAny('tags', [1])), 0);
});

CHANGES.test('a change of a missing record fails with `missing`', async (store) => {
  await rejectsStore(store.commit([update(1, {})]), 'missing');
  await rejectsStore(store.commit([remove(1, 1)]), 'missing');
});

CHANGES.test('a change of another version fails with `version`', async (store) => {
  await createOne(store);
  await rejectsStore(store.commit([update(1, {}, 2)]), 'version');
  await rejectsStore(store.commit([remove(1, 0)]), 'version');
  assert.is((await store.get('articles', 1))?.version, 1);
});

CHANGES.test('removeAll removes every match, and no match is not an error', async (store) => {
  await store.commit([article({ level: 1 }), article({ level: 2 }), article({ level: 3 })]);
  const removal: Operation = removeAll(gte('level', 2));
  assert.equal(await store.commit([removal]), [null]);
  assert.equal(await store.commit([removal]), [null]);
  assert.equal(await findIds(store), [1]);
});

CHANGES.test('removeAll sees earlier operations of the commit', async (store) => {
  await store.commit([
    article({ level: 1 }),
    article({ level: 2 }),
    update(1, { level: 2 }),
    removeAll(eq('level', 2)),
  ]);
  assert.is(await count(store), 0);
});

CHANGES.test('each operation of a commit returns the record as it left it', async (store) => {
  const made = await store.commit([article({ level: 1 }), update(1, { level: 2 }), update(1, { level: 3 })]);
  assert.equal(
    made.map((record) => [record?.version, record?.['level']]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  );
});

/** Update, remove and removeAll. */
export const changes: readonly StoreCase[] = CHANGES.cases;

const IDS = new CaseList('ids');

IDS.test('ids are never used again', async (store) => {
  await store.commit([article({}), article({})]);
  await store.commit([remove(2)]);
  assert.is((await createOne(store)).id, 3);
  await store.commit([removeAll(and())]);
  assert.is((await createOne(store)).id, 4);
});

IDS.test('an id can be given if it is not in use, and the next one is larger', async (store) => {
  assert.is((await createOne(store, { id: 10 })).id, 10);
  assert.is((await createOne(store)).id, 11);
  assert.is((await createOne(store, { id: 5 })).id, 5);
  assert.is((await createOne(store)).id, 12);
  const error = await rejectsStore(store.commit([article({ id: 10 })]), 'unique');
  assert.equal(error.fields, ['id']);
});

IDS.test('a given id has at most 15 digits', async (store) => {
  assert.is((await createOne(store, { id: 999_999_999_999_999 })).id, 999_999_999_999_999);
  assert.is((await createOne(store)).id, 1_000_000_000_000_000);
});

IDS.test('collections count ids separately', async (store) => {
  const made = await store.commit([article({}), article({}), note({ order: 1, text: 'a' })]);
  assert.equal(
    made.map((record) => record?.id),
    [1, 2, 1],
  );
});

IDS.test('$ref is replaced by the id of an earlier operation', async (store) => {
  const made = await store.commit([
    article({ id: 7 }, 'new'),
    article({ level: { $ref: 'new' } }, 'second'),
    note({ article: { $ref: 'second' }, text: 'x' }),
    update(7, { level: { $ref: 'second' } }),
  ]);
  assert.equal([made[1]?.['level'], made[2]?.['article'], made[3]?.['level']], [7, 8, 8]);
});

IDS.test('a failed commit does not use up an id', async (store) => {
  await rejectsStore(
    store.commit([article({}), article({ id: 50 }), { op: 'remove', collection: 'notes', id: 9 }]),
    'missing',
  );
  assert.is((await createOne(store)).id, 1);
});

/** Ids and references to them. */
export const ids: readonly StoreCase[] = IDS.cases;
