import type { Random } from '../random.ts';
import { COMMON, LANGUAGES, POSTS } from './fixture.ts';
import type { ListQuery } from './listed.ts';
import { toWord } from './words.ts';

type Maker = (random: Random) => Partial<ListQuery>;

const STATUSES = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'trash',
  'auto-draft',
  'inherit',
  'any',
];

const ids = (random: Random): readonly number[] =>
  Array.from({ length: 1 + random.below(8) }, () => random.pick(POSTS).id);

const search: Maker = (random) => {
  const post = random.pick(POSTS).id;
  const words = [
    toWord('t', post),
    toWord('c', post),
    toWord('e', post),
    toWord('p', post),
    toWord('m', post),
    toWord('b', post),
    COMMON.content,
    COMMON.title,
  ];
  const chosen = random.chance(0.3) ? [random.pick(words), random.pick(words)] : [random.pick(words)];
  return {
    search: chosen.join(' '),
    ...(random.chance(0.3)
      ? { search_columns: [random.pick(['post_title', 'post_content', 'post_excerpt'])] }
      : {}),
  };
};

/** Parameters, each with the probability that a query has it. */
const MAKERS: readonly (readonly [probability: number, maker: Maker])[] = [
  [0.5, (random) => ({ status: Array.from({ length: 1 + random.below(3) }, () => random.pick(STATUSES)) })],
  [0.4, (random) => ({ context: random.pick(['view', 'embed', 'edit']) })],
  [0.35, search],
  [0.15, (random) => ({ include: ids(random) })],
  [0.15, (random) => ({ exclude: ids(random) })],
  [0.15, (random) => ({ slug: [random.pick(POSTS).slug, random.pick(POSTS).slug] })],
  [0.15, (random) => ({ author: [1 + random.below(6)] })],
  [0.1, (random) => ({ author_exclude: [1 + random.below(6)] })],
  [0.1, (random) => ({ sticky: random.chance(0.5) })],
  [0.1, (random) => ({ format: [random.pick(['aside', 'standard'])] })],
  [0.1, (random) => ({ categories: [2 + random.below(2)] })],
  [0.1, () => ({ tags_exclude: [11] })],
  [0.1, (random) => ({ after: `2024-0${1 + random.below(9)}-10T00:00:00` })],
  [0.1, (random) => ({ before: `2024-0${1 + random.below(9)}-20T00:00:00` })],
  [
    0.3,
    (random) => ({
      orderby: random.pick([
        'author',
        'date',
        'id',
        'modified',
        'parent',
        'slug',
        'title',
        'relevance',
        'include',
        'include_slugs',
      ]),
    }),
  ],
  [0.3, (random) => ({ order: random.pick(['asc', 'desc']) })],
  [0.2, () => ({ ignore_sticky: false })],
  [0.3, (random) => ({ page: 1 + random.below(3) })],
  [0.1, (random) => ({ offset: random.below(12) })],
  [0.3, (random) => ({ ml_language: random.pick(LANGUAGES) })],
  [0.15, (random) => ({ password: random.pick(POSTS).password || 'sesame' })],
];

/** A query of the list. Invalid combinations are left out, such as an order without its list or search words. */
export function generateQuery(random: Random): ListQuery {
  const query: ListQuery = Object.assign(
    { per_page: random.chance(0.1) ? 100 : 1 + random.below(6) },
    ...MAKERS.filter(([probability]) => random.chance(probability)).map(([, make]) => make(random)),
  );
  const { orderby: _orderby, ...orderless } = query;
  const lacks =
    (query.orderby === 'include' && query.include === undefined) ||
    (query.orderby === 'relevance' && query.search === undefined) ||
    (query.orderby === 'include_slugs' && query.slug === undefined);
  return lacks ? orderless : query;
}

/** The query string. Lists are repeated parameters or joined by commas. */
export function toQueryText(query: ListQuery, random: Random): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]): string[] => {
    if (!Array.isArray(value)) return [`${name}=${encodeURIComponent(String(value))}`];
    return random.chance(0.5)
      ? [`${name}=${value.join(',')}`]
      : value.map((each) => `${name}[]=${encodeURIComponent(String(each))}`);
  });
  return pairs.join('&');
}
