/** A request of an anonymous caller with a body of 1 MiB. */
export interface Shape {
  readonly name: string;
  readonly type: 'form' | 'json';
  readonly body: string;
  readonly path: string;
  /** Set with `_method`, unless it is POST. */
  readonly method: string;
}

const MIB = 1024 * 1024;
const SIZE = MIB - 400;

/** Repeats the unit up to the size. */
const fill = (unit: string, size = SIZE): string => unit.repeat(Math.floor(size / Buffer.byteLength(unit)));
const listOf = (item: string, size = SIZE): string => `[${fill(`${item},`, size)}${item}]`;
const pairs = (toPair: (index: number) => string): string => {
  const all: string[] = [];
  for (let size = 0; size < SIZE; size += (all.at(-1)?.length ?? 0) + 1) all.push(toPair(all.length));
  return all.slice(0, -1).join('&');
};
const members = (count: number): string =>
  Array.from({ length: count }, (_each, index) => `"${'k'.repeat(90)}${index}":1`).join(',');

const ONES = listOf('1');
const POSTS = '/cms/v2/posts';

/** The body that the others are compared with. It is only parsed. */
export const PLAIN_JSON = `{"nothing":${ONES}}`;

/** Target of a request. */
type Place = Pick<Shape, 'path' | 'method'>;
const LIST: Place = { path: POSTS, method: 'GET' };
const WRITE: Place = { path: POSTS, method: 'POST' };
const BATCH: Place = { path: '/batch/v1', method: 'POST' };

const form = (name: string, body: string, place: Place = LIST): Shape => ({
  name,
  type: 'form',
  body,
  ...place,
});
const json = (name: string, body: string, place: Place = LIST): Shape => ({
  name,
  type: 'json',
  body,
  ...place,
});
const batch = (name: string, requests: readonly unknown[]): Shape =>
  json(name, JSON.stringify({ requests }), BATCH);
const items = (toItem: (size: number) => object): readonly object[] =>
  Array.from({ length: 25 }, () => toItem(SIZE / 25 - 100));

const LISTS: readonly Shape[] = [
  form('a list, POST', `categories=${fill('1,')}`, WRITE),
  form('a list', `categories=${fill('1,')}`),
  form(
    'a list in four arguments',
    ['categories', 'categories_exclude', 'tags', 'tags_exclude']
      .map((name) => `${name}=${fill('1,', SIZE / 4)}`)
      .join('&'),
  ),
  form('a list of commas', `include=${fill(',')}`),
  form('a list of blanks', `include=${fill('+')}`),
  form('a list of words', `slug=${fill('a,')}`),
  form('a list of statuses', `status=${fill('publish,')}`),
  form('a list as JSON text', `categories=${ONES}`),
  form('a list as broken JSON text', `categories=${ONES.slice(0, -1)}`),
  form('brackets', fill('categories[]=1&')),
  form(
    'numbered brackets',
    pairs((index) => `categories[${index}]=1`),
  ),
  form('a repeated name', fill('include=1&')),
  form('a thousand repeated names with long lists', fill(`include=${fill('1,', 1040)}&`, SIZE)),
  form('a member', `categories[terms]=${fill('1,')}`),
  form('an object as text, with a list', `categories={"terms":${ONES}}`),
  form('an object as text, with a list as text', `categories={"terms":"${fill('1,')}"}`),
  json('a JSON list, POST', `{"categories":${ONES}}`, WRITE),
  json('a JSON list', `{"categories":${ONES}}`),
  json('a JSON list of texts', `{"include":${listOf('"1"')}}`),
  json('a JSON list of lists', `{"categories":${listOf('[1]')}}`),
  json('a JSON list of objects', `{"categories":${listOf('{}')}}`),
  json('a JSON list in a member', `{"categories":{"terms":${ONES}}}`),
  json('a list as text in JSON', `{"categories":"${fill('1,')}"}`),
  json('a JSON list as text in JSON', JSON.stringify({ categories: ONES })),
  json('an object as text in JSON', JSON.stringify({ categories: `{"terms":${ONES}}` })),
  json('a JSON list as text in a member', JSON.stringify({ categories: { terms: ONES } })),
];

const FORMS: readonly Shape[] = [
  form('ampersands', fill('&')),
  form('one name', fill('a')),
  form('one value', `a=${fill('a')}`),
  form(
    'different names',
    pairs((index) => `a${index}=1`),
  ),
  form('a thousand names and a long value', `${'a&'.repeat(999)}a=${fill('b', SIZE - 2000)}`),
  form('deep brackets', `a${fill('[b]')}=1`),
  form('broken percent signs', `a=${fill('%zz')}`),
  form('encoded letters', `search=${fill('%31')}`),
  form('encoded characters', `search=${fill('%F0%9F%98%80')}`),
  form('plus signs', `search=${fill('+')}`),
  form('words', `search=${fill('word+')}`),
  form('one word', `search=${fill('w')}`),
  form('accents', `search=${fill('é')}`),
  form('rows of marks', `slug=a${fill('\u0301\u0316')}`),
  form('rows of marks in a search', `search=a${fill('\u0301\u0316')}`, {
    path: '/cms/v2/users',
    method: 'GET',
  }),
  form('an order', `orderby=${fill('a')}`),
  form('a number of digits', `per_page=${fill('1')}`),
  form('a number of blanks', `per_page=${fill('+')}`),
  form('a boolean', `sticky=${fill('T')}`),
  form('a date', `after=${fill('2026-')}`),
  form('a password', `password=${fill('a')}`),
  form('an address', `url=${fill('http://a/')}`, { path: '/oembed/1.0/embed', method: 'GET' }),
  form('a title', `title=${fill('word+')}`, WRITE),
  form('a content', `content=${fill('<p>+')}`, WRITE),
  form('meta', `meta={"footnotes":"${fill('a')}"}`, WRITE),
  form('open objects', `meta=${fill('{')}`, WRITE),
  form('blanks and an open object', `meta=${fill('+')}{`, WRITE),
];

const SHAPING: readonly Shape[] = [
  form('_fields', `_fields=${fill('a,')}`),
  form('_fields with dots', `_fields=${fill('a.')}`),
  form('_fields in brackets', fill('_fields[]=a&')),
  form('_embed', `_embed=${fill('a,')}`),
  json('_fields in JSON', `{"_fields":${listOf('"a"')}}`),
  json('_embed in JSON', `{"_embed":${listOf('""')}}`),
  form('_fields of OPTIONS', `_fields=${fill('a,')}`, { path: POSTS, method: 'OPTIONS' }),
];

const JSONS: readonly Shape[] = [
  json('a list as body', ONES),
  json('a list of empty lists', listOf('[]')),
  json('a list of empty objects', listOf('{}')),
  json('a list in sixty lists', `{"categories":${'['.repeat(60)}${listOf('[1]')}${']'.repeat(60)}}`),
  json('a text', `{"nothing":"${fill('word ')}"}`),
  json('escapes', `{"nothing":"${fill('\\u0041')}"}`),
  json('texts', `{"nothing":${listOf('""')}}`),
  json('fractions', `{"nothing":${listOf('0.1')}}`),
  json('numbers and a suspicious word', `{"nothing":["constructor",${ONES}]}`),
  json('texts and a suspicious word', `{"nothing":["constructor",${listOf('""')}]}`),
  json('many members', `{${members(9999)}}`),
  json('many members of an argument', `{"meta":{${members(9990)}}}`, WRITE),
  json('a syntax error at the end', ONES.slice(0, -1)),
  json('open lists', fill('[')),
];

const BATCHES: readonly Shape[] = [
  batch(
    '25 items with lists',
    items((size) => ({ path: POSTS, body: { categories: JSON.parse(listOf('1', size)) as unknown } })),
  ),
  batch(
    '25 items with lists as text',
    items((size) => ({ path: POSTS, body: { categories: fill('1,', size) } })),
  ),
  batch(
    '25 items with long queries',
    items((size) => ({ path: `${POSTS}?categories=${fill('1,', size)}` })),
  ),
  batch(
    '25 items with queries of 8 KiB',
    items(() => ({
      path: `${POSTS}?${fill('categories[]=1&', 8000)}`,
      body: { title: fill('word ', 33_000) },
    })),
  ),
  batch('one item with a list', [{ path: POSTS, body: { categories: JSON.parse(ONES) as unknown } }]),
  batch('one item with a list that is not read', [
    { path: POSTS, body: { nothing: JSON.parse(ONES) as unknown } },
  ]),
  batch('a body as text', [{ path: POSTS, body: `{"categories":${ONES}}` }]),
  batch('an item as text, with its body as text', [
    JSON.stringify({ path: POSTS, body: `{"categories":${ONES}}` }),
  ]),
  batch('a path', [{ path: `${POSTS}${fill('/a')}` }]),
  batch('an encoded path', [{ path: `${POSTS}${fill('%20')}` }]),
  batch('a fragment', [{ path: `${POSTS}${fill('#')}` }]),
  batch('a scheme', [{ path: fill('a') }]),
  json('too many items', `{"requests":${ONES}}`, BATCH),
  json('too many empty items', `{"requests":${listOf('{}')}}`, BATCH),
  json('items as text', JSON.stringify({ requests: ONES }), BATCH),
  json(
    'many headers',
    `{"requests":[{"path":"${POSTS}","headers":{${members(9990).replaceAll(':1', ':"1"')}}}]}`,
    BATCH,
  ),
  json(
    'a header with a list',
    `{"requests":[{"path":"${POSTS}","headers":{"if-match":${listOf('"1"')}}}]}`,
    BATCH,
  ),
  form('a batch in a form', `requests=[{"path":"${POSTS}","body":{"categories":${ONES}}}]`, BATCH),
];

export const SHAPES: readonly Shape[] = [...LISTS, ...FORMS, ...SHAPING, ...JSONS, ...BATCHES];

/** The shapes in which every parameter of every route is sent. */
export function shapesOf(route: Place, param: string): readonly Shape[] {
  const where = `${route.method} ${route.path} ${param}`;
  const rows = [
    ['a list', `${param}=${fill('1,')}`],
    ['a text', `${param}=${fill('a')}`],
    ['dots', `${param}=${fill('a.')}`],
    ['accents', `${param}=${fill('é')}`],
    ['rows of marks', `${param}=a${fill('\u0301\u0316')}`],
    ['a JSON list', `${param}=${ONES}`],
  ] as const;
  return [
    ...rows.map(([name, body]) => form(`${where}: ${name}`, body, route)),
    json(`${where}: in JSON`, `{"${param}":${ONES}}`, route),
    json(`${where}: texts in JSON`, `{"${param}":${listOf('"a"')}}`, route),
  ];
}
