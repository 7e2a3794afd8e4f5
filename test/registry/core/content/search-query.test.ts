import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Predicate } from '../../../../lib/store/query.ts';
import { fold } from '../../../../lib/store/stored-text.ts';
import {
  parseSearch,
  toRelevance,
  toSearchPredicate,
  type SearchScope,
} from '../../../../registry/core/content/search-query.ts';

interface Post {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
}

/** The posts of the recorded fixture that the recorded searches distinguish, newest first. */
const POSTS: readonly Post[] = [
  { id: 118, title: '日本語のタイトル 🚀', content: '<p>本文です。</p>', excerpt: '' },
  { id: 110, title: 'Juliet lantern', content: '<p>Another lantern here.</p>', excerpt: '' },
  { id: 109, title: 'India', content: '<p>Nothing to see.</p>', excerpt: 'lantern in the excerpt' },
  { id: 108, title: 'Hotel', content: '<p>A lantern hangs in the hall.</p>', excerpt: '' },
  {
    id: 107,
    title: 'Golf lantern',
    content: '<p>The quick brown fox jumps over the lazy dog.</p>',
    excerpt: '',
  },
  { id: 101, title: 'Alpha', content: '<p>Body of post 101.</p>', excerpt: 'Alpha hand-written excerpt' },
];

function holds(predicate: Predicate, post: Post): boolean {
  const read = (field: string): string =>
    fold(field === 'title' ? post.title : field === 'content' ? post.content : post.excerpt);
  switch (predicate.op) {
    case 'and':
      return predicate.of.every((each) => holds(each, post));
    case 'or':
      return predicate.of.some((each) => holds(each, post));
    case 'not':
      return !holds(predicate.of, post);
    case 'contains':
      return read(predicate.field).includes(fold(predicate.text));
    case 'equalsFolded':
      return read(predicate.field) === fold(predicate.text);
    default:
      throw new Error(predicate.op);
  }
}

function find(search: string, scope: SearchScope = {}): readonly number[] {
  const predicate = toSearchPredicate(parseSearch(search), scope);
  return POSTS.filter((post) => predicate === undefined || holds(predicate, post)).map((post) => post.id);
}

const terms = suite('parseSearch');
const TERMS: readonly (readonly [search: string, terms: readonly string[], excluded: readonly string[]])[] = [
  ['lantern', ['lantern'], []],
  ['  golf   lantern ', ['golf', 'lantern'], []],
  ['golf,lantern+fox', ['golf', 'lantern', 'fox'], []],
  ['"golf lantern"', ['golf lantern'], []],
  ['"golf lantern" fox', ['golf lantern', 'fox'], []],
  ['"unclosed phrase', ['unclosed phrase'], []],
  ['lantern -golf', ['lantern'], ['golf']],
  ['lantern -"brown fox"', ['lantern'], ['brown fox']],
  ['hand-written', ['hand-written'], []],
  ['-', ['-'], []],
  ['""', ['""'], []],
  ['', [], []],
  ['   ', [], []],
  ['a b c d e f g h i j', ['a b c d e f g h i j'], []],
  ['fox fox', ['fox'], []],
];
for (const [search, wanted, excluded] of TERMS) {
  terms(JSON.stringify(search), () => {
    const parsed = parseSearch(search);
    assert.equal(parsed.terms, wanted);
    assert.equal(parsed.excluded, excluded);
  });
}
terms('a long text is one phrase', () => assert.is(parseSearch('ab '.repeat(1000)).terms.length, 1));
terms.run();

const searches = suite('toSearchPredicate');
const FOUND: readonly (readonly [search: string, ids: readonly number[], scope?: SearchScope])[] = [
  ['anter', [110, 109, 108, 107]],
  ['LANTERN', [110, 109, 108, 107]],
  ['日本', [118]],
  ['golf fox', [107]],
  ['juliet here', [110]],
  ['"brown fox"', [107]],
  ['"fox brown"', []],
  ['lantern -golf', [110, 109, 108]],
  ['-lantern', [118, 101]],
  ['%', []],
  ['lantern', [110, 107], { columns: ['post_title'] }],
  ['lantern', [110, 109, 107], { columns: ['post_title', 'post_excerpt'] }],
  ['lantern', [], { exact: true }],
  ['Golf lantern', [], { exact: true }],
  ['"Golf lantern"', [107], { exact: true }],
  ['Alpha', [101], { exact: true }],
  ['lantern', [110, 109, 108, 107], { columns: [] }],
];
for (const [search, ids, scope] of FOUND)
  searches(`${search} ${JSON.stringify(scope ?? {})}`, () => assert.equal(find(search, scope), ids));
searches('nothing to search for is no condition', () =>
  assert.is(toSearchPredicate(parseSearch(' ')), undefined),
);
searches.run();

const relevance = suite('toRelevance');
function rank(search: string, post: Post): number {
  const [first] = toRelevance(parseSearch(search));
  if (first === undefined || !('rank' in first)) return -1;
  const index = first.rank.findIndex((each) => holds(each, post));
  return index === -1 ? first.rank.length : index;
}
const post = (title: string, content = '', excerpt = ''): Post => ({ id: 1, title, content, excerpt });
relevance('several words', () => {
  const posts = [
    post('a red fox runs'),
    post('fox in red'),
    post('fox'),
    post('x', '', 'the red fox'),
    post('x', 'the red fox'),
    post('x', 'fox, red'),
  ];
  assert.equal(
    posts.map((each) => rank('red fox', each)),
    [0, 1, 2, 3, 4, 5],
  );
});
relevance('one word: in the title or not', () => {
  assert.equal(
    [post('fox'), post('x', 'fox'), post('x', '', 'fox')].map((each) => rank('fox', each)),
    [0, 1, 1],
  );
});
relevance('the direction applies to the date only', () => {
  const orders = toRelevance(parseSearch('fox'), 'asc');
  assert.is(orders[0]?.direction, 'asc');
  assert.equal(orders[1], { field: 'date', direction: 'asc' });
  assert.equal(toRelevance(parseSearch('fox'))[1], { field: 'date', direction: 'desc' });
});
relevance('without words by date', () =>
  assert.equal(toRelevance(parseSearch('')), [{ field: 'date', direction: 'desc' }]),
);
relevance.run();
