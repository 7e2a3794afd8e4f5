import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CollectionDescriptor } from '../../lib/collection.ts';
import type { Predicate } from '../../lib/query.ts';
import type { Operation, Store, StoredRecord, Values } from '../../lib/store.ts';
import { contractCollections } from './store-collections.ts';
import { readCases } from './store-contract-reads.ts';
import { invalidOperations, invalidQueries } from './store-contract-invalid.ts';
import { rejectsStore } from './store-rejects.ts';

/** Opens an empty store of these collections; its `close` also removes what the test left behind. */
export type CreateStore = (collections: readonly CollectionDescriptor[]) => Promise<Store>;

/** Runs `test` on a fresh store and closes it. */
type OnStore = (test: (store: Store) => Promise<void>) => () => Promise<void>;

const article = (values: Values, as?: string): Operation => ({ op: 'create', collection: 'articles', values, ...(as === undefined ? {} : { as }) });
const note = (values: Values): Operation => ({ op: 'create', collection: 'notes', values });

async function createOne(store: Store, values: Values = {}): Promise<StoredRecord> {
  const [record] = await store.commit([article(values)]);
  assert.ok(record);
  return record;
}

async function dump(store: Store): Promise<string> {
  return JSON.stringify([await store.find({ collection: 'articles', total: true }), await store.find({ collection: 'notes', total: true })]);
}

function records(name: string, onStore: OnStore): void {
  const test = suite(`${name}: records`);
  test('a record has an id, version 1 and an empty value for every field that was not given', onStore(async (store) => {
    const expected = { id: 1, version: 1, title: 'One', slug: '', language: '', status: '', date: '', level: 0, sticky: false, tags: [], words: [], extra: null };
    const [created] = await store.commit([article({ title: 'One' })]);
    assert.equal(created, expected);
    assert.equal(await store.get('articles', 1), expected);
    assert.equal((await store.find({ collection: 'articles' })).records, [expected]);
  }));
  test('values come back as they were given', onStore(async (store) => {
    const values = {
      title: 'Ünïcode \u{1F600} ﬁ', slug: "'; DROP TABLE articles; --", language: 'a%_\\"', date: '9999-12-31', level: Number.MIN_SAFE_INTEGER, sticky: true,
      tags: [3, 1, 3, Number.MAX_SAFE_INTEGER], words: ['b', '', 'a', "x'y"],
      extra: { list: [1, 1.5, null, true, '\0 \uD800 "'], deep: { a: {} }, $ref: 'x', ['__proto__']: 1, '': 2 },
    };
    const { id } = await createOne(store, values);
    const found = await store.get('articles', id);
    assert.is(JSON.stringify(found), JSON.stringify({ id, version: 1, title: values.title, slug: values.slug, language: values.language, status: '', date: values.date, level: values.level, sticky: true, tags: values.tags, words: values.words, extra: values.extra }));
  }));
  test('what no database can hold becomes U+FFFD: NUL and lone surrogates; -0 becomes 0', onStore(async (store) => {
    const { id } = await createOne(store, { title: 'a\0b\uD800c', words: ['\uDC00'], level: -0 });
    const found = await store.get('articles', id);
    assert.is(found?.['title'], 'a\uFFFDb\uFFFDc');
    assert.equal(found?.['words'], ['\uFFFD']);
    assert.ok(Object.is(found?.['level'], 0));
    assert.is((await store.find({ collection: 'articles', where: { op: 'eq', field: 'title', value: 'a\0b\uDFFFc' } })).records.length, 1);
  }));
  test('a record that was not found is null', onStore(async (store) => {
    for (const id of [1, 0, -1, 1.5, NaN, Infinity, 2 ** 60]) assert.is(await store.get('articles', id), null);
  }));
  test('what the caller does to his values later changes nothing', onStore(async (store) => {
    const extra = { list: [1] };
    const tags = [1];
    const { id } = await createOne(store, { extra, tags });
    extra.list.push(2);
    tags.push(2);
    const found = await store.get('articles', id);
    assert.equal([found?.['extra'], found?.['tags']], [{ list: [1] }, [1]]);
  }));
  test('what the caller does to the records he got changes nothing', onStore(async (store) => {
    const [created] = await store.commit([article({ title: 'a', extra: { list: [1] }, tags: [1] })]);
    const before = await dump(store);
    const read = await store.get('articles', 1);
    const { records: found } = await store.find({ collection: 'articles', fields: ['extra', 'tags', 'title'] });
    for (const record of [created, read, ...found]) {
      // A frozen record throws, a copy takes it: both are fine.
      const { extra, tags } = record as unknown as { extra: { list: number[] }; tags: number[] };
      for (const spoil of [() => Object.assign(record ?? {}, { title: 'b' }), () => extra.list.push(2), () => tags.push(2)]) {
        try { spoil(); } catch (error) { assert.instance(error, TypeError); }
      }
    }
    assert.is(await dump(store), before);
  }));
  test.run();
}

function changes(name: string, onStore: OnStore): void {
  const test = suite(`${name}: changes`);
  test('an update writes the given values and adds one to the version', onStore(async (store) => {
    await createOne(store, { title: 'a', level: 1 });
    const [updated] = await store.commit([{ op: 'update', collection: 'articles', id: 1, values: { title: 'b' } }]);
    assert.equal([updated?.['title'], updated?.['level'], updated?.version], ['b', 1, 2]);
    await store.commit([{ op: 'update', collection: 'articles', id: 1, values: {}, version: 2 }]);
    assert.is((await store.get('articles', 1))?.version, 3);
  }));
  test('a remove answers the record as it was', onStore(async (store) => {
    const created = await createOne(store, { title: 'a', tags: [1] });
    assert.equal(await store.commit([{ op: 'remove', collection: 'articles', id: 1, version: 1 }]), [created]);
    assert.is(await store.get('articles', 1), null);
    assert.is((await store.find({ collection: 'articles', where: { op: 'hasAny', field: 'tags', values: [1] }, total: true })).total, 0);
  }));
  test('a change of a record that is not there is `missing`', onStore(async (store) => {
    await rejectsStore(store.commit([{ op: 'update', collection: 'articles', id: 1, values: {} }]), 'missing');
    await rejectsStore(store.commit([{ op: 'remove', collection: 'articles', id: 1, version: 1 }]), 'missing');
  }));
  test('a change of another version is `version`', onStore(async (store) => {
    await createOne(store);
    await rejectsStore(store.commit([{ op: 'update', collection: 'articles', id: 1, values: {}, version: 2 }]), 'version');
    await rejectsStore(store.commit([{ op: 'remove', collection: 'articles', id: 1, version: 0 }]), 'version');
    assert.is((await store.get('articles', 1))?.version, 1);
  }));
  test('removeAll removes every match, and no match is no error', onStore(async (store) => {
    await store.commit([article({ level: 1 }), article({ level: 2 }), article({ level: 3 })]);
    const remove: Operation = { op: 'removeAll', collection: 'articles', where: { op: 'gte', field: 'level', value: 2 } };
    assert.equal(await store.commit([remove]), [null]);
    assert.equal(await store.commit([remove]), [null]);
    assert.equal((await store.find({ collection: 'articles' })).records.map((record) => record.id), [1]);
  }));
  test('removeAll sees what the commit did before', onStore(async (store) => {
    await store.commit([article({ level: 1 }), article({ level: 2 }), { op: 'update', collection: 'articles', id: 1, values: { level: 2 } }, { op: 'removeAll', collection: 'articles', where: { op: 'eq', field: 'level', value: 2 } }]);
    assert.is((await store.find({ collection: 'articles', total: true })).total, 0);
  }));
  test('a thousand concurrent changes with a version: each success counts once', onStore(async (store) => {
    await createOne(store);
    const attempt = async (): Promise<boolean> => {
      const record = await store.get('articles', 1);
      return store.commit([{ op: 'update', collection: 'articles', id: 1, values: { level: Number(record?.['level']) + 1 }, version: record?.version ?? 0 }]).then(() => true, () => false);
    };
    const results = await Promise.all(Array.from({ length: 100 }, async () => [await attempt(), await attempt(), await attempt()]));
    assert.is((await store.get('articles', 1))?.['level'], results.flat().filter(Boolean).length);
  }));
  test.run();
}

function ids(name: string, onStore: OnStore): void {
  const test = suite(`${name}: ids`);
  test('ids are never used again', onStore(async (store) => {
    await store.commit([article({}), article({})]);
    await store.commit([{ op: 'remove', collection: 'articles', id: 2 }]);
    assert.is((await createOne(store)).id, 3);
    await store.commit([{ op: 'removeAll', collection: 'articles', where: { op: 'and', of: [] } }]);
    assert.is((await createOne(store)).id, 4);
  }));
  test('an id may be given, must be free, and the next one is larger', onStore(async (store) => {
    assert.is((await createOne(store, { id: 10 })).id, 10);
    assert.is((await createOne(store)).id, 11);
    assert.is((await createOne(store, { id: 5 })).id, 5);
    assert.is((await createOne(store)).id, 12);
    const error = await rejectsStore(store.commit([article({ id: 10 })]), 'unique');
    assert.equal(error.fields, ['id']);
  }));
  test('a given id is largest at 15 digits', onStore(async (store) => {
    assert.is((await createOne(store, { id: 999_999_999_999_999 })).id, 999_999_999_999_999);
    assert.is((await createOne(store)).id, 1_000_000_000_000_000);
  }));
  test('collections count for themselves', onStore(async (store) => {
    const made = await store.commit([article({}), article({}), note({ order: 1, text: 'a' })]);
    assert.equal(made.map((record) => record?.id), [1, 2, 1]);
  }));
  test('$ref stands for the id that an earlier operation made', onStore(async (store) => {
    const made = await store.commit([article({ id: 7 }, 'new'), article({ level: { $ref: 'new' } }, 'second'), note({ article: { $ref: 'second' }, text: 'x' }),
      { op: 'update', collection: 'articles', id: 7, values: { level: { $ref: 'second' } } }]);
    assert.equal([made[1]?.['level'], made[2]?.['article'], made[3]?.['level']], [7, 8, 8]);
  }));
  test('a failed commit uses up no id', onStore(async (store) => {
    await rejectsStore(store.commit([article({}), article({ id: 50 }), { op: 'remove', collection: 'notes', id: 9 }]), 'missing');
    assert.is((await createOne(store)).id, 1);
  }));
  test.run();
}

function atomicity(name: string, onStore: OnStore): void {
  const test = suite(`${name}: atomic commits`);
  const failing: readonly (readonly [what: string, operation: Operation, code: 'missing' | 'version' | 'unique' | 'invalid'])[] = [
    ['missing', { op: 'update', collection: 'notes', id: 99, values: {} }, 'missing'],
    ['version', { op: 'update', collection: 'articles', id: 1, values: {}, version: 77 }, 'version'],
    ['unique', article({ language: 'nl', slug: 'one' }), 'unique'],
    ['invalid', article({ nothing: 1 }), 'invalid'],
  ];
  for (const [what, operation, code] of failing) {
    test(`nothing is left of a commit that fails with ${what}`, onStore(async (store) => {
      await store.commit([article({ language: 'nl', slug: 'one', tags: [1, 2], words: ['a'] }), article({ level: 2, tags: [2] }), note({ order: 1, text: 'a' })]);
      const before = await dump(store);
      const revision = await store.revision(['articles', 'notes']);
      await rejectsStore(store.commit([
        article({ title: 'new', tags: [5] }), note({ order: 2, text: 'b' }), { op: 'update', collection: 'articles', id: 2, values: { title: 'changed', tags: [9] } },
        { op: 'remove', collection: 'notes', id: 1 }, { op: 'update', collection: 'articles', id: 1, values: { level: 7 } },
        { op: 'removeAll', collection: 'articles', where: { op: 'eq', field: 'title', value: 'changed' } }, operation,
      ]), code);
      assert.is(await dump(store), before);
      assert.is(await store.revision(['articles', 'notes']), revision);
      const tagged = await store.find({ collection: 'articles', where: { op: 'hasAny', field: 'tags', values: [5, 9] }, total: true });
      assert.is(tagged.total, 0);
    }));
  }
  test('a commit of nothing is fine', onStore(async (store) => { assert.equal(await store.commit([]), []); }));
  test('commits at once: those that fit succeed, the others change nothing', onStore(async (store) => {
    const slugs = ['a', 'b', 'a', 'c', 'b', 'a'];
    const results = await Promise.all(slugs.map((slug) => store.commit([article({ slug }), note({ order: 0, article: 0, text: slug })]).then(() => 'ok', (error: { code?: string }) => error.code)));
    // The second note has the key (article, order) of the first, whatever its slug.
    assert.equal(results, ['ok', 'unique', 'unique', 'unique', 'unique', 'unique']);
    assert.is((await store.find({ collection: 'articles', total: true })).total, 1);
    assert.is((await createOne(store)).id, 2);
  }));
  test.run();
}

/** A text that no index of a database can hold, nor make much shorter. */
function longText(length: number): string {
  let seed = 7;
  return Array.from({ length }, () => String.fromCharCode(0x4E00 + (seed = (seed * 16_807) % 2_147_483_647) % 0x4000)).join('');
}

function longTexts(name: string, onStore: OnStore): void {
  const test = suite(`${name}: long texts`);
  // Around the length that a store may index, and far beyond it.
  const LENGTHS = [148, 149, 150, 151, 199, 200, 201, 255, 256, 5000];
  for (const length of LENGTHS) {
    test(`of ${length} characters and some more are compared and ordered to the last one`, onStore(async (store) => {
      const base = longText(length);
      const texts = [base, `${base}a`, `${base}b`, base.slice(0, -1), 'z'];
      await store.commit(texts.map((text) => article({ title: text, slug: text, language: text, status: text, words: [text, `${text}!`] })));
      const find = async (where: Predicate): Promise<readonly number[]> => (await store.find({ collection: 'articles', where })).records.map((record) => record.id);
      for (const [index, text] of texts.entries()) {
        const rest = [1, 2, 3, 4, 5].filter((id) => id !== index + 1);
        for (const field of ['title', 'slug', 'status']) {
          assert.equal(await find({ op: 'eq', field, value: text }), [index + 1]);
          assert.equal(await find({ op: 'not', of: { op: 'in', field, values: [text] } }), rest);
          const smaller = texts.flatMap((other, at) => (other < text ? [at + 1] : []));
          assert.equal(await find({ op: 'lt', field, value: text }), smaller);
          assert.equal(await find({ op: 'lte', field, value: text }), [...smaller, index + 1].toSorted());
        }
        assert.equal(await find({ op: 'equalsFolded', field: 'title', text: text.toUpperCase() }), [index + 1]);
        assert.equal(await find({ op: 'hasAny', field: 'words', values: [text] }), [index + 1]);
        assert.equal(await find({ op: 'hasAll', field: 'words', values: [`${text}!`, text] }), [index + 1]);
      }
      for (const field of ['title', 'slug', 'language']) {
        const { records: found } = await store.find({ collection: 'articles', order: [{ field, direction: 'asc' }] });
        assert.equal(found.map((record) => record.id), [5, 4, 1, 2, 3]);
      }
    }));
    test(`of ${length} characters and some more are told apart by unique keys, and only then`, onStore(async (store) => {
      const base = longText(length);
      await store.commit([article({ slug: base }), article({ slug: `${base}a` }), article({ slug: `${base}b` }), article({ slug: base.slice(0, -1) })]);
      for (const slug of [base, `${base}a`]) assert.equal((await rejectsStore(store.commit([article({ slug })]), 'unique')).fields, ['language', 'slug']);
      await store.commit([article({ slug: base, language: 'nl' })]);
    }));
  }
  test.run();
}

function uniqueKeys(name: string, onStore: OnStore): void {
  const test = suite(`${name}: unique keys`);
  test('a taken key is `unique` and names its fields, on create and on update', onStore(async (store) => {
    await store.commit([article({ language: 'nl', slug: 'a' }), article({ language: 'nl', slug: 'b' }), article({ language: 'en', slug: 'a' })]);
    const created = await rejectsStore(store.commit([article({ language: 'nl', slug: 'a' })]), 'unique');
    assert.equal(created.fields, ['language', 'slug']);
    const updated = await rejectsStore(store.commit([{ op: 'update', collection: 'articles', id: 2, values: { slug: 'a' } }]), 'unique');
    assert.equal(updated.fields, ['language', 'slug']);
  }));
  test('a record keeps its own key, and case and accents count', onStore(async (store) => {
    await store.commit([article({ language: 'nl', slug: 'a' }), article({ language: 'nl', slug: 'A' }), article({ language: 'nl', slug: 'á' })]);
    await store.commit([{ op: 'update', collection: 'articles', id: 1, values: { slug: 'a', level: 2 } }]);
  }));
  test('the excepted value is free for all', onStore(async (store) => {
    await store.commit([article({ language: 'nl' }), article({ language: 'nl' }), article({ language: 'nl', slug: '' })]);
  }));
  test('a key is free again after remove and update', onStore(async (store) => {
    await store.commit([article({ slug: 'a' }), article({ slug: 'b' })]);
    await store.commit([{ op: 'remove', collection: 'articles', id: 1 }, article({ slug: 'a' }), { op: 'update', collection: 'articles', id: 2, values: { slug: 'c' } }, article({ slug: 'b' })]);
  }));
  test('the first key of the descriptor is named when both are taken', onStore(async (store) => {
    await store.commit([note({ article: 1, order: 1, text: 'x' }), note({ article: 1, order: 2, text: 'y' })]);
    assert.equal((await rejectsStore(store.commit([note({ article: 1, order: 1, text: 'y' })]), 'unique')).fields, ['article', 'order']);
    assert.equal((await rejectsStore(store.commit([note({ article: 1, order: 3, text: 'y' })]), 'unique')).fields, ['text']);
  }));
  test.run();
}

function reads(name: string, onStore: OnStore): void {
  const test = suite(`${name}: queries`);
  for (const { what, data, query, expected } of readCases) {
    test(what, onStore(async (store) => {
      if (data.length > 0) await store.commit(data.map((values) => article(values)));
      const { records: found, total } = await store.find({ collection: 'articles', total: true, ...query });
      assert.equal(found.map((record) => record.id), expected);
      const everything = await store.find({ collection: 'articles', ...(query.where === undefined ? {} : { where: query.where }) });
      assert.is(total, everything.records.length);
      assert.is(everything.total, -1);
    }));
  }
  test('a projection has the fields asked for, in the order of the descriptor, with id and version', onStore(async (store) => {
    await createOne(store, { title: 'a', tags: [2] });
    const read = async (fields: readonly string[]): Promise<string> => JSON.stringify((await store.find({ collection: 'articles', fields })).records[0]);
    assert.is(await read(['tags', 'title']), '{"id":1,"version":1,"title":"a","tags":[2]}');
    assert.is(await read(['version', 'title', 'title']), '{"id":1,"version":1,"title":"a"}');
    assert.is(await read([]), '{"id":1,"version":1}');
  }));
  test('a total stays right while records come, change and go', onStore(async (store) => {
    const where = { op: 'contains', field: 'title', text: 'x' } as const;
    const total = async (): Promise<number> => (await store.find({ collection: 'articles', where, limit: 0, total: true })).total;
    await store.commit(Array.from({ length: 1500 }, (_, index) => article({ title: index % 2 === 0 ? 'x' : 'y' })));
    const totals = [await total()];
    for (const operation of [article({ title: 'X' }), article({ title: 'y' }), { op: 'update', collection: 'articles', id: 1, values: { title: 'y' } }, { op: 'update', collection: 'articles', id: 2, values: { title: 'xx' } }, { op: 'remove', collection: 'articles', id: 3 }] satisfies Operation[]) {
      await store.commit([operation]);
      totals.push(await total());
    }
    await rejectsStore(store.commit([article({ title: 'x' }), { op: 'remove', collection: 'articles', id: 3 }]), 'missing');
    totals.push(await total());
    await store.commit([{ op: 'removeAll', collection: 'articles', where }]);
    assert.equal([...totals, await total()], [750, 751, 751, 750, 751, 750, 750, 0]);
  }));
  test.run();
}

function mistakes(name: string, onStore: OnStore): void {
  const test = suite(`${name}: mistakes of the program`);
  test('a query that does not fit the collection is `invalid`', onStore(async (store) => {
    await createOne(store);
    for (const query of invalidQueries) {
      try {
        await rejectsStore(store.find(query), 'invalid');
      } catch (error) {
        throw new Error(`query ${JSON.stringify(query)}`, { cause: error });
      }
    }
  }));
  test('an operation that does not fit the collection is `invalid`, and nothing of its commit happens', onStore(async (store) => {
    await createOne(store, { slug: 'kept' });
    const before = await dump(store);
    for (const operation of invalidOperations()) {
      await rejectsStore(store.commit([{ op: 'remove', collection: 'articles', id: 1 }, operation]), 'invalid');
    }
    assert.is(await dump(store), before);
  }));
  test('an unknown collection is `invalid` everywhere', onStore(async (store) => {
    await rejectsStore(store.get('nothing', 1), 'invalid');
    await rejectsStore(store.find({ collection: '__proto__' }), 'invalid');
    await rejectsStore((async () => store.revision(['articles', 'nothing']))(), 'invalid');
  }));
  test.run();
}

function life(name: string, onStore: OnStore): void {
  const test = suite(`${name}: revision and close`);
  test('the revision of a collection grows with every commit that touches it, and only then', onStore(async (store) => {
    const read = async (...names: readonly string[]): Promise<number> => store.revision(names);
    const start = [await read('articles'), await read('notes'), await read('articles', 'notes')];
    await createOne(store);
    const created = [await read('articles'), await read('notes'), await read('articles', 'notes')];
    assert.ok(Number(created[0]) > Number(start[0]) && created[1] === start[1] && Number(created[2]) > Number(start[2]));
    await store.commit([{ op: 'update', collection: 'articles', id: 1, values: {} }]);
    const updated = await read('articles');
    assert.ok(updated > Number(created[0]));
    await store.find({ collection: 'articles', total: true });
    await store.get('articles', 1);
    assert.is(await read('articles'), updated);
    await store.commit([{ op: 'removeAll', collection: 'articles', where: { op: 'and', of: [] } }]);
    assert.ok(await read('articles') > updated);
    assert.is(await read(), 0);
  }));
  test('after close everything is `closed`; closing twice is fine', onStore(async (store) => {
    await createOne(store);
    await store.close();
    await store.close();
    await rejectsStore(store.find({ collection: 'articles' }), 'closed');
    await rejectsStore(store.get('articles', 1), 'closed');
    await rejectsStore(store.commit([article({})]), 'closed');
    await rejectsStore((async () => store.revision(['articles']))(), 'closed');
  }));
  test('a commit on its way when the store is closed either happens or is `closed`', onStore(async (store) => {
    const commit = store.commit([article({})]).then(() => 'ok', (error: { code?: string }) => error.code);
    await store.close();
    assert.ok(['ok', 'closed'].includes(String(await commit)));
  }));
  test.run();
}

/** Every promise of lib/store.ts and lib/query.ts as tests: a store that passes can take the place of any other. */
export function storeContract(name: string, createStore: CreateStore): void {
  const onStore: OnStore = (test) => async () => {
    const store = await createStore(contractCollections);
    try {
      await test(store);
    } finally {
      await store.close();
    }
  };
  for (const part of [records, changes, ids, atomicity, uniqueKeys, longTexts, reads, mistakes, life]) part(name, onStore);
}
