import {
  and,
  asc,
  contains,
  desc,
  eq,
  equalsFolded,
  gt,
  gte,
  hasAll,
  hasAny,
  inOrderOf,
  lt,
  lte,
  not,
  oneOf,
  or,
  type Order,
  type Predicate,
  type Query,
} from '../../../lib/store/query.ts';
import type { Values } from '../../../lib/store/store.ts';

/** One read. Expected ids refer to `data`, counted from 1. */
interface ReadCase {
  readonly what: string;
  readonly data: readonly Values[];
  readonly query: Omit<Query, 'collection' | 'fields'>;
  readonly expected: readonly number[];
}

const LEVELS = [{ level: 3 }, { level: 1 }, { level: -2 }, { level: 3 }, { level: 0 }];
const TITLES = [
  { title: 'Straße' },
  { title: 'STRASSE' },
  { title: 'strasse' },
  { title: 'ﬁne Élan' },
  { title: '100% _x_' },
  { title: 'ÉLAN' },
  { title: '' },
];
const GREEK = [{ title: 'σοφός' }, { title: 'Ο ΣΟΦΟΣ ΑΝΗΡ' }, { title: 'φιλοσοφοσύνη' }, { title: 'σοφία' }];
const LISTS = [{ tags: [1, 2], words: ['a'] }, { tags: [2, 2], words: ['A', 'b'] }, { tags: [3] }, {}];
const FLAGS = [{ sticky: true }, { sticky: false }, { sticky: true }];
const DATES = [{ date: '2024-01-01' }, { date: '' }, { date: '2023-05-05' }, { date: '2024-01-01' }];
/** By UTF-16 units, U+1F600 sorts before U+FF5E. By code point, and in both databases, it sorts after. */
const POINTS = [
  { slug: '\u{1F600}' },
  { slug: '\uFF5E' },
  { slug: 'z' },
  { slug: 'Z' },
  { slug: 'é' },
  { slug: '\uD7FF' },
  { slug: '' },
];
const SITE = [
  { language: 'nl', status: 'publish', date: '3', title: 'b' },
  { language: 'nl', status: 'future', date: '9', title: 'a' },
  { language: 'nl', status: 'publish', date: '1', title: 'c' },
  { language: 'en', status: 'publish', date: '2', title: 'a' },
  { language: 'nl', status: 'future', date: '2', title: 'B' },
  { language: 'nl', status: 'draft', date: '4', title: 'd' },
];

const where = (
  what: string,
  data: readonly Values[],
  [predicate, ...expected]: readonly [Predicate, ...number[]],
): ReadCase => ({ what, data, query: { where: predicate }, expected });
const order = (
  what: string,
  data: readonly Values[],
  [orders, ...expected]: readonly [readonly Order[], ...number[]],
): ReadCase => ({ what, data, query: { order: orders }, expected });

const VISIBLE = and(
  eq('language', 'nl'),
  or(eq('status', 'publish'), and(eq('status', 'future'), lte('date', '5'))),
);

const predicates: readonly ReadCase[] = [
  where('eq integer', LEVELS, [eq('level', 3), 1, 4]),
  where('eq id', LEVELS, [eq('id', 2), 2]),
  where('eq version', LEVELS, [eq('version', 1), 1, 2, 3, 4, 5]),
  where('eq boolean', FLAGS, [eq('sticky', false), 2]),
  where('eq text minds case', TITLES, [eq('title', 'STRASSE'), 2]),
  where('in', LEVELS, [oneOf('level', [1, 0, 99, 1]), 2, 5]),
  where('in booleans', FLAGS, [oneOf('sticky', [true]), 1, 3]),
  where('in of nothing', LEVELS, [oneOf('level', [])]),
  where('in with 500 values', LEVELS, [
    oneOf(
      'id',
      Array.from({ length: 500 }, (_, index) => index * 2 + 1),
    ),
    1,
    3,
    5,
  ]),
  where('lt', LEVELS, [lt('level', 1), 3, 5]),
  where('lte', LEVELS, [lte('level', 1), 2, 3, 5]),
  where('gt', LEVELS, [gt('level', 1), 1, 4]),
  where('gte', LEVELS, [gte('level', 1), 1, 2, 4]),
  where('two bounds', LEVELS, [
    and(gt('level', -2), gte('level', -2), lt('level', 3), lte('level', 3)),
    2,
    5,
  ]),
  where('bounds that exclude each other', LEVELS, [and(gt('level', 2), lt('level', 1))]),
  where('text bounds by code point', POINTS, [gt('slug', '\uFF5E'), 1]),
  where('text bounds on the empty text', DATES, [gt('date', ''), 1, 3, 4]),
  where('text bounds on a folded field mind case', TITLES, [gte('title', 'a'), 3, 4, 6]),
  where('contains folds both sides', TITLES, [contains('title', 'RASS'), 2, 3]),
  where('contains folds compatible letters', TITLES, [contains('title', 'FIN'), 4]),
  where('contains folds accents of any case', TITLES, [contains('title', 'élan'), 4, 6]),
  where('contains takes letters without their accents', TITLES, [contains('title', 'elan'), 4, 6]),
  ...['ΣΟΦΟΣ', 'σοφοσ', 'σοφός'].map((text) =>
    where(`contains ${text} finds it within a word and at its end`, GREEK, [
      contains('title', text),
      1,
      2,
      3,
    ]),
  ),
  where('contains takes % and _ by the letter', TITLES, [contains('title', '% _'), 5]),
  where('contains the empty text matches all', TITLES, [contains('title', ''), 1, 2, 3, 4, 5, 6, 7]),
  where('equalsFolded', TITLES, [equalsFolded('title', 'Strasse'), 2, 3]),
  where('hasAny', LISTS, [hasAny('tags', [1, 3]), 1, 3]),
  where('hasAny of nothing: none', LISTS, [hasAny('tags', [])]),
  where('hasAny with a repeated value', LISTS, [hasAny('tags', [2, 2]), 1, 2]),
  where('hasAll', LISTS, [hasAll('tags', [2, 1]), 1]),
  where('hasAll with a repeated value', LISTS, [hasAll('tags', [2, 2]), 1, 2]),
  where('hasAll of nothing: all', LISTS, [hasAll('tags', []), 1, 2, 3, 4]),
  where('hasAny of texts minds case', LISTS, [hasAny('words', ['A']), 2]),
  where('not hasAny', LISTS, [not(hasAny('tags', [2])), 3, 4]),
  where('not', LEVELS, [not(oneOf('level', [3, 0])), 2, 3]),
  where('not twice', LEVELS, [not(not(eq('level', 3))), 1, 4]),
  where('and of nothing: all', LEVELS, [and(), 1, 2, 3, 4, 5]),
  where('or of nothing: none', LEVELS, [or()]),
  where('not of nothing', LEVELS, [and(not(or()), or(and())), 1, 2, 3, 4, 5]),
  where('or over fields', SITE, [or(eq('language', 'en'), eq('date', '9')), 2, 4]),
  where('fields that exclude each other', SITE, [and(eq('language', 'en'), eq('language', 'nl'))]),
  where('visibility', SITE, [VISIBLE, 1, 3, 5]),
];

const orders: readonly ReadCase[] = [
  order('without an order: by id', LEVELS, [[], 1, 2, 3, 4, 5]),
  order('integers up, equal ones by id', LEVELS, [[asc('level')], 3, 5, 2, 1, 4]),
  order('integers down, equal ones by id downwards', LEVELS, [[desc('level')], 4, 1, 2, 5, 3]),
  order('an order by id of its own comes first', LEVELS, [[desc('level'), asc('id')], 1, 4, 2, 5, 3]),
  order('id downwards', LEVELS, [[desc('id')], 5, 4, 3, 2, 1]),
  order('false before true', FLAGS, [[asc('sticky')], 2, 1, 3]),
  order('two fields in two directions', SITE, [[asc('language'), desc('date')], 4, 2, 6, 1, 5, 3]),
  order('texts by code point', POINTS, [[asc('slug')], 7, 4, 3, 5, 6, 2, 1]),
  order('a folded field by its folded text, then by the text', TITLES, [[asc('title')], 7, 5, 6, 4, 2, 3, 1]),
  order('and downwards', TITLES, [[desc('title')], 1, 3, 2, 4, 6, 5, 7]),
  order('list', LEVELS, [[inOrderOf('id', [4, 99, 2, 4])], 4, 2, 1, 3, 5]),
  order('list of texts', SITE, [[inOrderOf('status', ['draft', 'future'])], 6, 2, 5, 1, 3, 4]),
  order('list downwards is the reverse', LEVELS, [
    [{ list: { field: 'id', values: [4, 2] }, direction: 'desc' }],
    5,
    3,
    1,
    2,
    4,
  ]),
  order('list of nothing', LEVELS, [[inOrderOf('id', [])], 1, 2, 3, 4, 5]),
  order('rank: the first predicate that holds', SITE, [
    [{ rank: [eq('date', '2'), eq('status', 'future')], direction: 'asc' }, desc('date')],
    4,
    5,
    2,
    6,
    1,
    3,
  ]),
  order('rank downwards is the reverse', SITE, [
    [{ rank: [eq('date', '2'), hasAny('tags', [1])], direction: 'desc' }],
    6,
    3,
    2,
    1,
    5,
    4,
  ]),
  order('rank of nothing', LEVELS, [[{ rank: [], direction: 'desc' }], 5, 4, 3, 2, 1]),
];

/** A query of the maximum depth and width. */
function nest(levels: number): Predicate {
  let where: Predicate = hasAll('tags', [1, 2]);
  for (let level = 0; level < levels; level += 1)
    where =
      [and(not(eq('level', 9)), hasAny('tags', [1]), where), or(where, eq('level', 8)), not(not(where))][
        level % 3
      ] ?? where;
  return where;
}
const WIDE: readonly Predicate[] = Array.from({ length: 890 }, (_, index) => eq('level', index + 2));

const limits: readonly ReadCase[] = [
  {
    what: 'of the maximum depth',
    data: LISTS,
    query: { where: nest(9), order: [{ rank: [nest(9)], direction: 'asc' }] },
    expected: [1],
  },
  {
    what: 'of the maximum depth, of one kind',
    data: LISTS,
    query: {
      where: Array.from({ length: 15 }).reduce<Predicate>(
        (inner) => and(not(eq('level', 9)), inner),
        eq('level', 0),
      ),
    },
    expected: [1, 2, 3, 4],
  },
  {
    what: 'of the maximum width',
    data: LEVELS,
    query: { where: or(...WIDE), limit: 10, order: [desc('level')] },
    expected: [4, 1],
  },
  {
    what: 'of the maximum width, all conditions',
    data: LEVELS,
    query: { where: and(...WIDE.slice(0, 440).map(not)) },
    expected: [2, 3, 5],
  },
];

const newest: readonly Order[] = [desc('date')];

const pages: readonly ReadCase[] = [
  { what: 'a page', data: LEVELS, query: { limit: 2 }, expected: [1, 2] },
  {
    what: 'a later page',
    data: LEVELS,
    query: { limit: 2, offset: 2, order: [desc('id')] },
    expected: [3, 2],
  },
  { what: 'a page after the end', data: LEVELS, query: { limit: 2, offset: 20 }, expected: [] },
  { what: 'an offset without a limit', data: LEVELS, query: { offset: 3 }, expected: [4, 5] },
  { what: 'a limit of 0', data: LEVELS, query: { limit: 0 }, expected: [] },
  {
    what: 'a page of an index',
    data: SITE,
    query: { where: and(eq('language', 'nl'), eq('status', 'publish')), order: newest, limit: 1, offset: 1 },
    expected: [3],
  },
  {
    what: 'a page of two index ranges',
    data: SITE,
    query: { where: VISIBLE, order: newest, limit: 2, offset: 1 },
    expected: [5, 3],
  },
  {
    what: 'a page of two index ranges in ascending order',
    data: SITE,
    query: { where: VISIBLE, order: [asc('date')], limit: 2 },
    expected: [3, 5],
  },
  {
    what: 'a page by a folded index',
    data: SITE,
    query: { where: eq('language', 'nl'), order: [asc('title')], limit: 3 },
    expected: [2, 5, 1],
  },
  { what: 'a page of an empty store', data: [], query: { limit: 5, order: newest }, expected: [] },
];

/** All reads of the contract. */
export const readCases: readonly ReadCase[] = [...predicates, ...orders, ...pages, ...limits];
