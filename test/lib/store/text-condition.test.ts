import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { and, eq, not, or, type Predicate } from '../../../lib/store/query.ts';
import { toTextCondition, type TextCondition } from '../../../lib/store/text-condition.ts';

const title = (text: string): Predicate => ({ op: 'contains', field: 'title', text });
const content = (text: string): Predicate => ({ op: 'contains', field: 'content', text });
const slug = (text: string): Predicate => ({ op: 'contains', field: 'slug', text });

const CASES: readonly (readonly [Predicate, TextCondition | null])[] = [
  [title('abc'), { text: 'abc' }],
  [title('ab'), null],
  [title(''), null],
  // Three code points, of which two are one emoji each.
  [title('\u{1F600}\u{1F600}a'), { text: '\u{1F600}\u{1F600}a' }],
  [title('\u{1F600}\u{1F600}'), null],
  [slug('abc'), null],
  [{ op: 'equalsFolded', field: 'title', text: 'abc' }, { text: 'abc' }],
  [or(title('abc'), content('abc')), { text: 'abc' }],
  [or(title('abc'), slug('abc')), null],
  [or(title('abc'), eq('id', 1)), null],
  [or(title('abc'), content('abd')), { op: 'or', of: [{ text: 'abc' }, { text: 'abd' }] }],
  [and(title('abc'), eq('id', 1)), { text: 'abc' }],
  [
    and(or(title('abc'), content('abc')), or(title('xyz'), content('xyz')), title('ab')),
    { op: 'and', of: [{ text: 'abc' }, { text: 'xyz' }] },
  ],
  [and(not(title('abc'))), null],
  [not(title('abc')), null],
  [and(), null],
  [or(), null],
];

const conditions = suite('toTextCondition');

for (const [where, condition] of CASES) {
  conditions(JSON.stringify(where), () => {
    assert.equal(toTextCondition({ search: ['title', 'content'] }, where), condition);
  });
}

conditions('is null for a collection without searched fields', () => {
  assert.is(toTextCondition({}, title('abc')), null);
});

conditions.run();
