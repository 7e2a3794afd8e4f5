import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import {
  type Access,
  compileCount,
  compileFind,
  compileProbe,
  PLAIN_ACCESS,
} from '../../../../adapters/stores/sql/compile-query.ts';
import { compileWhere, Params } from '../../../../adapters/stores/sql/compile-where.ts';
import { foldedName, listName } from '../../../../adapters/stores/sql/names.ts';
import { sqliteDialect } from '../../../../adapters/stores/sqlite/dialect.ts';
import { checkCollections } from '../../../../lib/store/check-collections.ts';
import { checkQuery } from '../../../../lib/store/check-query.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import { listBounds } from '../../../../lib/store/query-plan.ts';
import type { Predicate, Query } from '../../../../lib/store/query.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { toQueries } from '../../../support/store-arbitraries.ts';
import { fuzzRuns } from '../../../support/store-fuzz.ts';

const collections = checkCollections(contractCollections);
const [collection] = contractCollections;

/** All names that may appear in SQL for the collection. */
function namesOf({ name, fields }: CollectionDescriptor): ReadonlySet<string> {
  const fieldNames = Object.keys(fields);
  return new Set([
    name,
    'id',
    'version',
    'value',
    'record',
    'page:id',
    'n',
    ...fieldNames,
    ...fieldNames.map(foldedName),
    ...fieldNames.map((field) => listName(name, field)),
  ]);
}

const WORDS = new Set(
  (
    'SELECT FROM JOIN ON WHERE AND OR NOT IN EXISTS ORDER BY ASC DESC LIMIT OFFSET UNION ALL AS GROUP HAVING CASE WHEN THEN ELSE END INDEXED ' +
    'count coalesce instr octet_length json_each value key l p u'
  ).split(' '),
);

/** Fails unless the text consists of declared names, known words, placeholders, numbers and signs. */
function checkText(text: string, names: ReadonlySet<string>): void {
  for (const [, quoted] of text.matchAll(/"((?:[^"]|"")*)"/g))
    assert.ok(names.has(String(quoted)), `${quoted} in ${text}`);
  const left = text.replaceAll(/"(?:[^"]|"")*"/g, ' ');
  for (const [word] of left.matchAll(/[a-z_]+/gi)) assert.ok(WORDS.has(word), `${word} in ${text}`);
  assert.match(left.replaceAll(/[a-z_]+/gi, ''), /^[\s\d?.,()=<>*-]*$/);
}

const HOSTILE = [
  'MARK" OR 1=1 --',
  "MARK'; DROP TABLE articles; --",
  'MARK',
  'title" = "title',
  'id) OR (1=1',
  '?',
  'articles"."id',
  '__proto__',
  'constructor',
  '',
  'lt; x',
  'rowid',
  'sqlite_schema',
];
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE),
  fc.constantFrom<unknown>(null, 1.5, NaN, Infinity, -1, {}, [], [[]], true, { toString: 'MARK' }, ['MARK']),
  fc.jsonValue({ maxDepth: 1 }),
);

/** The value with one member, chosen by `path`, replaced. */
function mutate(value: unknown, path: readonly number[], replacement: unknown): unknown {
  const [at, ...rest] = path;
  if (at === undefined || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const changed = mutate(Reflect.get(value, key), rest, replacement);
  return Array.isArray(value)
    ? value.map((each: unknown, index) => (String(index) === key ? changed : each))
    : { ...value, [key]: changed };
}

const ACCESSES: readonly Access[] = [
  PLAIN_ACCESS,
  { ...PLAIN_ACCESS, gather: true },
  { ...PLAIN_ACCESS, hint: ' INDEXED BY "articles"', leading: ['language', 'status'] },
  { ...PLAIN_ACCESS, leading: ['title'] },
];

function compileAll(query: Query): void {
  const checked = checkQuery(collections, query);
  const names = namesOf(checked.collection);
  for (const access of ACCESSES) {
    // Leading fields must be fixed by the predicate, which the chooser ensures.
    const usable = access.leading.every((field) => Object.hasOwn(checked.collection.fields, field))
      ? access
      : { ...access, leading: [] };
    checkText(compileFind(sqliteDialect, checked, usable).text, names);
    const walks = [usable, usable].map(({ leading, hint }) => ({
      hint,
      fixed: leading.map((field) => [field, ['a']] as const),
      rest: checked.where,
    }));
    checkText(compileFind(sqliteDialect, checked, { ...usable, walks }).text, names);
    checkText(compileCount(sqliteDialect, checked, usable).text, names);
  }
  checkText(
    compileProbe(sqliteDialect, checked, {
      leading: [],
      bounds: listBounds(checked.where).filter(({ field }) => field === 'level'),
      hint: '',
      most: 10,
    }).text.replace('WHERE  LIMIT', 'WHERE 1 LIMIT'),
    names,
  );
}

const fuzz = suite('SQL text');
fuzz(
  'of a malformed query contains only declared names and placeholders, unless the query is `invalid`',
  () => {
    fc.assert(
      fc.property(
        toQueries(collection),
        fc.array(fc.nat(20), { maxLength: 6 }),
        hostile,
        (query, path, replacement) => {
          try {
            compileAll(mutate(query, path, replacement) as Query);
          } catch (error) {
            if (!(error instanceof StoreError) && !(error instanceof TypeError && path.length === 0))
              throw error;
          }
        },
      ),
      { numRuns: fuzzRuns(4000) },
    );
  },
);
fuzz('of an unchecked predicate contains only declared names too', () => {
  fc.assert(
    fc.property(
      toQueries(collection),
      fc.array(fc.nat(20), { maxLength: 6 }),
      hostile,
      (query, path, replacement) => {
        for (const gather of [false, true]) {
          let text = '';
          try {
            text = compileWhere(
              { dialect: sqliteDialect, collection, params: new Params(sqliteDialect), gather },
              mutate(query.where ?? {}, path, replacement) as Predicate,
            );
          } catch {
            // Any error is fine, because no SQL is produced.
            continue;
          }
          checkText(text, namesOf(collection));
        }
      },
    ),
    { numRuns: fuzzRuns(4000) },
  );
});
fuzz('depends on the shape of a query, not on its values', () => {
  const textOf = (values: readonly number[], text: string): string =>
    compileFind(
      sqliteDialect,
      checkQuery(collections, {
        collection: 'articles',
        limit: values.length,
        offset: 3,
        order: [{ list: { field: 'id', values }, direction: 'asc' }],
        where: {
          op: 'and',
          of: [
            { op: 'in', field: 'level', values },
            { op: 'hasAny', field: 'tags', values },
            { op: 'contains', field: 'title', text },
          ],
        },
      }),
      PLAIN_ACCESS,
    ).text;
  // One item and several items are two shapes, because a single item is compared directly.
  assert.is(
    textOf([1, 2], 'a'),
    textOf(
      Array.from({ length: 5000 }, (_, index) => index),
      "'; DROP TABLE articles; --",
    ),
  );
});
fuzz('of long texts names their length, but not of those that the records are ordered by', () => {
  const textOf = (order: string): string =>
    compileFind(
      sqliteDialect,
      checkQuery(collections, {
        collection: 'articles',
        longTexts: 'omit',
        fields: ['title', 'slug', 'extra'],
        order: [{ field: order, direction: 'asc' }],
      }),
      PLAIN_ACCESS,
    ).text;
  const omitted = (order: string): readonly string[] =>
    [...textOf(order).matchAll(/CASE WHEN octet_length\("(\w+)"\) <= 65536 THEN "\1" END AS "\1"/g)].map(
      ([, name]) => String(name),
    );
  assert.equal([omitted('date'), omitted('title')], [['title', 'extra'], ['extra']]);
});
fuzz.run();
