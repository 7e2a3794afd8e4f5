import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countExcluded, searchesTexts, splitSearches } from '../../../lib/store/query-plan.ts';
import { and, eq, not, oneOf, or, type Order, type Predicate } from '../../../lib/store/query.ts';

const WORD: Predicate = { op: 'contains', field: 'title', text: 'word' };

const searching = suite('searchesTexts');
searching('finds a search at any depth, also in a rank', () => {
  const rows: readonly (readonly [Predicate, readonly Order[], boolean])[] = [
    [WORD, [], true],
    [and(eq('status', 'a'), or(eq('level', 1), not(WORD))), [], true],
    [and(), [{ rank: [eq('status', 'a'), WORD], direction: 'asc' }], true],
    [and(), [], false],
    [not(eq('title', 'word')), [{ field: 'title', direction: 'asc' }], false],
    [and(), [{ rank: [eq('title', 'word')], direction: 'asc' }], false],
  ];
  for (const [where, order, expected] of rows)
    assert.is(searchesTexts({ where, order }), expected, JSON.stringify({ where, order }));
});
searching.run();

const excluding = suite('countExcluded');
excluding('counts ids that are left out; any other condition may leave out any number', () => {
  const rows: readonly (readonly [Predicate, number])[] = [
    [and(), 0],
    [not(eq('id', 3)), 1],
    [and(not(eq('id', 3)), not(oneOf('id', [4, 5]))), 3],
    [not(and(eq('id', 3), eq('status', 'a'))), 1],
    [eq('id', 3), Infinity],
    [not(eq('status', 'a')), Infinity],
    [and(not(eq('id', 3)), eq('status', 'a')), Infinity],
    [or(not(eq('id', 3)), eq('id', 4)), Infinity],
  ];
  for (const [where, expected] of rows) assert.is(countExcluded(where), expected, JSON.stringify(where));
});
excluding.run();

const splitting = suite('splitSearches');
splitting('divides conditions that all hold, at any depth, and no others', () => {
  const rows: readonly (readonly [Predicate, texts: Predicate, others: Predicate])[] = [
    [WORD, and(WORD), and()],
    [and(), and(), and()],
    [
      and(eq('status', 'a'), and(WORD, not(eq('id', 3)))),
      and(WORD),
      and(eq('status', 'a'), not(eq('id', 3))),
    ],
    [and(not(WORD), or(WORD, eq('level', 1))), and(not(WORD), or(WORD, eq('level', 1))), and()],
  ];
  for (const [where, texts, others] of rows)
    assert.equal(splitSearches(where), { texts, others }, JSON.stringify(where));
});
splitting.run();
