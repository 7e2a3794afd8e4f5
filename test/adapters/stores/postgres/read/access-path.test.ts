import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../../../../adapters/stores/contract/collections.ts';
import { postgresDialect } from '../../../../../adapters/stores/postgres/dialect.ts';
import {
  chooseAccess,
  chooseCountAccess,
  toScope,
} from '../../../../../adapters/stores/postgres/read/find.ts';
import { compileFind } from '../../../../../adapters/stores/sql/compile-query.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { checkCollections } from '../../../../../lib/store/check-collections.ts';
import { checkQuery } from '../../../../../lib/store/check-query.ts';
import { and, eq, not, oneOf, type Query } from '../../../../../lib/store/query.ts';
import { postCollections } from '../../../../../registry/core/records/collections.ts';

const collections = checkCollections(contractCollections);
const [articles] = contractCollections;
const table = toTable(articles);

const test = suite('chooseAccess');

const newest = [{ field: 'date', direction: 'desc' }] as const;
const CASES: readonly (readonly [
  what: string,
  query: Omit<Query, 'collection'>,
  leading: readonly string[],
  walks: number,
])[] = [
  [
    'a page by date of one status',
    { where: and(eq('language', 'nl'), eq('status', 'publish')), order: newest, limit: 10 },
    ['language', 'status'],
    1,
  ],
  [
    'a page by date of three statuses',
    { where: and(eq('language', 'nl'), oneOf('status', ['a', 'b', 'c'])), order: newest, limit: 10 },
    ['language', 'status'],
    3,
  ],
  [
    'a page by title',
    { where: eq('language', 'nl'), order: [{ field: 'title', direction: 'asc' }], limit: 10 },
    ['language'],
    1,
  ],
  ['all of them', { where: eq('language', 'nl'), order: [{ field: 'title', direction: 'asc' }] }, [], 1],
  [
    'an order that no index has',
    { where: eq('language', 'nl'), order: [{ field: 'slug', direction: 'asc' }], limit: 10 },
    [],
    1,
  ],
  [
    'more statuses than walks',
    {
      where: and(
        eq('language', 'nl'),
        oneOf(
          'status',
          Array.from({ length: 30 }, (_, index) => `s${index}`),
        ),
      ),
      order: newest,
      limit: 10,
    },
    [],
    1,
  ],
];

for (const [what, query, leading, walks] of CASES) {
  test(what, () => {
    const checked = checkQuery(collections, { collection: 'articles', ...query });
    const access = chooseAccess(table, checked);
    assert.equal(access.leading, leading);
    // The records of the page are read after the ranges.
    const tables = compileFind(postgresDialect, checked, access).text.split('FROM "articles"').length - 1;
    assert.is(tables, walks > 1 ? walks + 1 : walks);
  });
}

test('long values are compared in full, short ones in their indexed form', () => {
  const textOf = (slug: string): string =>
    compileFind(
      postgresDialect,
      checkQuery(collections, { collection: 'articles', where: eq('slug', slug) }),
      chooseAccess(table, checkQuery(collections, { collection: 'articles' })),
    ).text;
  assert.match(textOf('short'), /WHERE left\("articles"\."slug", 150\) = \$1/);
  assert.match(textOf('x'.repeat(150)), /WHERE "articles"\."slug" = \$1/);
});

test('a folded text is looked up by the columns that its index begins with', () => {
  const [posts] = postCollections;
  const named = checkQuery(checkCollections([posts]), {
    collection: 'posts',
    where: and(eq('language', 'nl'), eq('status', 'publish'), eq('type', 'post'), oneOf('slug', ['Ab'])),
    order: newest,
    limit: 10,
  });
  const shape = toTable(posts);
  for (const access of [chooseAccess(shape, named), chooseCountAccess(shape, named.where)])
    assert.equal(access.leading, ['slug']);
  const { text, values } = compileFind(postgresDialect, named, chooseAccess(shape, named));
  assert.match(text, /left\("posts"\."slug:folded", 150\) = \$1 AND left\("posts"\."slug", 150\) = \$2/);
  assert.equal(values.slice(0, 2), ['ab', 'Ab']);
});

test('how many records a search looks through is asked without the lists by which it excludes some', () => {
  const searched = and(eq('language', 'nl'), { op: 'hasAny', field: 'tags', values: [1] });
  const excluded = not(and(eq('language', 'en'), { op: 'hasAny', field: 'tags', values: [2] }));
  const texts = { op: 'contains', field: 'title', text: 'word' } as const;
  assert.equal(toScope(and(searched, excluded, texts)), searched);
  assert.equal(toScope(and(excluded, texts)), and());
});

test.run();
