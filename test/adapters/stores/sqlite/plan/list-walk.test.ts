import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compileCount,
  compileFind,
  PLAIN_ACCESS,
  type Sql,
} from '../../../../../adapters/stores/sql/compile-query.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { sqliteDialect } from '../../../../../adapters/stores/sqlite/dialect.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/drivers.ts';
import {
  compileRangeCount,
  compileRangeFind,
  type ListIndexRange,
  listListIndexRanges,
} from '../../../../../adapters/stores/sqlite/plan/access-path.ts';
import { listListIndexes, migrate } from '../../../../../adapters/stores/sqlite/schema/migrate.ts';
import { Session } from '../../../../../adapters/stores/sqlite/session.ts';
import { TableWriter } from '../../../../../adapters/stores/sqlite/write/table-writer.ts';
import { checkCollections } from '../../../../../lib/store/check-collections.ts';
import { type CheckedQuery, checkQuery } from '../../../../../lib/store/check-query.ts';
import { and, eq, not, oneOf, or, type Predicate, type Query } from '../../../../../lib/store/query.ts';

const collection = {
  name: 'things',
  fields: { name: { type: 'text', folded: true }, level: { type: 'integer' }, words: { type: 'texts' } },
  indexes: [
    ['words', 'level', 'name'],
    ['words', 'name'],
  ],
} as const;
const collections = checkCollections([collection]);
const table = toTable(collection);
const indexes = listListIndexes(table);
const NAMES = ['', 'a', 'A', 'É', 'e', 'b'];

async function openSession(): Promise<Session> {
  const session = new Session((await chooseDriver()).open(':memory:', 0));
  migrate(session, sqliteDialect, [table]);
  const writer = new TableWriter(session, table);
  for (let at = 0; at < 200; at += 1)
    writer.insert(undefined, {
      name: NAMES[at % 6] ?? '',
      level: at % 4,
      words: [NAMES[at % 5] ?? '', 'all'],
    });
  return session;
}

const check = (query: Omit<Query, 'collection'>): CheckedQuery =>
  checkQuery(collections, { collection: 'things', ...query });
const has = (word: string): Predicate => ({ op: 'hasAny', field: 'words', values: [word] });
const direction = fc.constantFrom('asc' as const, 'desc' as const);

const findRange = (query: CheckedQuery, ordered: boolean): ListIndexRange | null =>
  listListIndexRanges(indexes, query, ordered)[0] ?? null;

const walk = suite('listListIndexRanges');
walk('give the same page and total as without it', async () => {
  const session = await openSession();
  const rowsOf = ({ text, values }: Sql): string => JSON.stringify(session.all(text, values));
  const numberOf = ({ text, values }: Sql): number => session.number(text, values);
  const level = fc.constantFrom<Predicate>(
    and(),
    eq('level', 2),
    oneOf('level', [3, 1, 2]),
    { op: 'gte', field: 'level', value: 1 },
    and({ op: 'gt', field: 'level', value: 0 }, { op: 'lte', field: 'level', value: 2 }),
    { op: 'lt', field: 'level', value: 0 },
  );
  const name = fc.constantFrom<Predicate>(
    and(),
    eq('name', 'É'),
    eq('name', 'a'),
    oneOf('name', ['b', 'É', 'a']),
    {
      op: 'gt',
      field: 'name',
      value: 'A',
    },
  );
  const order = fc.constantFrom('level', 'name', 'id');
  // Conditions on lists are tested on the range.
  const other = fc.constantFrom<Predicate>(
    and(),
    has('all'),
    has('b'),
    not(has('a')),
    or(has('a'), not(has('b'))),
    { op: 'hasAll', field: 'words', values: ['all', 'a'] },
  );
  let found = 0;
  fc.assert(
    fc.property(
      fc.tuple(
        level,
        name,
        other,
        fc.constantFrom(...NAMES, 'all'),
        fc.record({ order, direction, limit: fc.nat(5), offset: fc.nat(30) }),
      ),
      ([one, two, three, word, { order: field, direction: way, limit, offset }]) => {
        const query = check({
          where: and(has(word), one, two, three),
          order: [{ field, direction: way }],
          offset,
          fields: ['name', 'level'],
          ...(limit === 0 ? {} : { limit }),
        });
        const page = findRange(query, true);
        if (page !== null) {
          found += 1;
          assert.is(
            rowsOf(compileRangeFind(page, query)),
            rowsOf(compileFind(sqliteDialect, query, PLAIN_ACCESS)),
          );
        }
        const all = findRange(query, false);
        if (all !== null)
          assert.is(
            numberOf(compileRangeCount(all, query)),
            numberOf(compileCount(sqliteDialect, query, PLAIN_ACCESS)),
          );
      },
    ),
    { numRuns: 1500 },
  );
  assert.ok(found > 200, `${found} of 1500`);
  session.close();
});
walk('exist only if nothing but lists is left to test and the order is that of the index', () => {
  const byLevel = [{ field: 'level', direction: 'desc' }] as const;
  const byName = [{ field: 'name', direction: 'desc' }] as const;
  for (const [query, expected] of [
    // Within one level, the index is in the order of the names.
    [{ where: has('a'), order: byLevel }, undefined],
    [{ where: has('a'), order: byName }, 'name'],
    [{ where: and(has('a'), eq('level', 1)), order: byName }, 'level,name'],
    [{ where: and(has('a'), eq('level', 1), eq('name', 'x')) }, 'level,name'],
    [{ where: has('a') }, undefined],
    [{ where: and(has('a'), oneOf('level', [1, 2])), order: byName }, 'level,name'],
    [{ where: and(has('a'), oneOf('level', [1, 2])), order: byLevel }, undefined],
    [{ where: and(has('a'), has('b')), order: byName }, 'name'],
    [{ where: and(has('a'), { op: 'gt', field: 'name', value: 'x' }), order: byName }, undefined],
    [{ where: { op: 'not', of: has('a') }, order: byName }, undefined],
    [{ where: { op: 'hasAll', field: 'words', values: ['a'] }, order: byName }, 'name'],
    [{ where: eq('level', 1), order: byName }, undefined],
  ] as const)
    assert.is(findRange(check(query), true)?.index.sortedBy.join(), expected, JSON.stringify(query));
});
walk.run();
