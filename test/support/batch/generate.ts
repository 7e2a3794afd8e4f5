import type { Random } from '../random.ts';
import { BATCH_USERS, FIRST_NOTE, FIRST_PAGE, FIRST_POST, POST_COUNT } from './fixture.ts';

/** An item of a batch, with the facts that the test needs. */
export interface GeneratedItem {
  /** The item as it is sent in `requests`. */
  readonly item: Readonly<Record<string, unknown>>;
  readonly method: string;
  /** Path and query of the item. */
  readonly target: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Headers of the same request when it is sent alone. */
  readonly headers: Readonly<Record<string, string>>;
  /** Error code with which the batch rejects the item before any handler runs; null when its route is not rejected. */
  readonly refusal: string | null;
}

/** Paths that cannot be read, and why. */
const UNREADABLE = [
  ['///', 'parse_path_failed'],
  ['http://', 'parse_path_failed'],
  ['http://host:99999/cms/v2/posts', 'parse_path_failed'],
  ['https://?x', 'parse_path_failed'],
  ['/cms/v2/posts/%zz', 'rest_invalid_encoding'],
  ['/%', 'rest_invalid_encoding'],
  ['/cms/v2/posts/101%00', 'rest_invalid_encoding'],
  ['/cms/v2/posts%2F101', 'rest_no_route'],
] as const;
const NO_ROUTE = [
  '',
  '/',
  'cms/v2/posts',
  '/cms/v2/post',
  '/CMS/V2/POSTS',
  '/cms/v2/posts/',
  '/cms/v2//posts',
  '/cms/v2/posts/abc',
  '/cms/v2/posts/-1',
  '/cms/v2/posts/101/x',
];
const CLOSED = [
  '/batch/v1',
  '/probe/v1/hit',
  '/cms/v2/posts/101/autosaves',
  '/seo/v1/indexing/posts',
  '/seo/v1/alerts/dismiss',
  '/ml/tm/v1/jobs/cancel',
  '/ml/st/v1/settings',
];

const TITLES = ['Same', 'Same', 'Other', 'Ärger & Glück', '', '   ', '2024', 'x'.repeat(300)];
const STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash', 'nonsense'];

type Maker = (random: Random) => Record<string, unknown>;

const FIELDS: readonly (readonly [probability: number, maker: Maker])[] = [
  [0.8, (random) => ({ title: random.chance(0.5) ? random.pick(TITLES) : { raw: random.pick(TITLES) } })],
  [
    0.5,
    (random) => ({
      content: random.pick([
        'Text',
        '<script>x</script>',
        '<!-- cms:paragraph --><p>a</p><!-- /cms:paragraph -->',
        '',
      ]),
    }),
  ],
  [0.6, (random) => ({ status: random.pick(STATUSES) })],
  [0.2, (random) => ({ slug: random.pick(['same', 'other', '', 'post-0', 'Ä b']) })],
  [0.1, (random) => ({ author: random.pick([0, 1, 2, 3, 99]) })],
  [0.1, (random) => ({ sticky: random.chance(0.5) })],
  [0.1, (random) => ({ password: random.pick(['', 'sesame']) })],
  [
    0.15,
    (random) => ({
      date: random.pick(['2024-02-30T10:00:00', '2031-01-01T00:00:00', 'soon', null, '2024-03-31T02:30:00']),
    }),
  ],
  [0.15, (random) => ({ categories: random.pick<unknown>([[1, 2], [99], [], '2', 'x']) })],
  [
    0.1,
    (random) => ({ meta: random.pick<unknown>([{ footnotes: 'f' }, { footnotes: 1 }, { other: 1 }, 'x']) }),
  ],
  [0.05, () => ({ id: 101 })],
  [0.05, (random) => ({ ml_language: random.pick(['en', 'fr', 'nl', 'xx']) })],
  [0.05, () => ({ format: 'nonsense' })],
  [0.05, () => ({ unknown: { deep: [1] } })],
];

const QUERIES = [
  '',
  '',
  '',
  '',
  '?_fields=id,title',
  '?_embed',
  '?context=edit',
  '?ml_language=fr',
  '?_method=GET',
  '?id=102',
  '?_envelope',
  '?status=private',
];

/** Headers as an item may send them, and the headers that remain. */
const HEADERS: readonly (readonly [
  sent: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, string>>,
])[] = [
  [{ 'If-Match': '*' }, { 'if-match': '*' }],
  [{ IF_MATCH: '"1-x"' }, { 'if-match': '"1-x"' }],
  [{ 'if-match': ['"1-x"', '"2-y"'] }, { 'if-match': '"1-x", "2-y"' }],
  [{ 'If-Match': '"0-x"' }, { 'if-match': '"0-x"' }],
  [{ Authorization: 'Bearer administrator', 'X-HTTP-Method-Override': 'DELETE', 'X-Foo': ['a', 'b'] }, {}],
  [{ 'Accept-Language': 'fr' }, { 'accept-language': 'fr' }],
];

const toBody = (random: Random): Record<string, unknown> =>
  Object.assign(
    {},
    ...FIELDS.filter(([probability]) => random.chance(probability)).map(([, make]) => make(random)),
  );

/** An existing post, a post that an earlier item may have created, or a missing one. */
const toPostId = (random: Random): number =>
  (random.chance(0.7) ? FIRST_POST : FIRST_POST + POST_COUNT) + random.below(POST_COUNT);
const toPageId = (random: Random): number =>
  random.pick([FIRST_PAGE, FIRST_PAGE + 1, FIRST_PAGE + 2, FIRST_POST]);
const toNoteId = (random: Random): number =>
  random.pick([FIRST_NOTE, FIRST_NOTE + 1, FIRST_NOTE + 2, FIRST_POST]);
const toTermId = (random: Random): number => random.pick([1, 2, 11, 12, 13]);
const toTerm: Maker = (random) => ({
  name: random.pick(TITLES),
  ...(random.chance(0.3) ? { slug: random.pick(['same', 'news', '']) } : {}),
  ...(random.chance(0.3) ? { parent: random.pick<unknown>([0, 1, 2, 99, 'x']) } : {}),
});

/** An existing user, one that an earlier item may have created, or a missing one. */
const toUserId = (random: Random): number =>
  random.pick([1, 2, 3, 4, BATCH_USERS.length, BATCH_USERS.length + 1, 99]);

const USER_FIELDS: readonly (readonly [probability: number, maker: Maker])[] = [
  [0.5, (random) => ({ name: random.pick(TITLES) })],
  [0.3, (random) => ({ email: random.pick(['same@example.org', 'other@example.org', 'none', '']) })],
  [0.2, (random) => ({ slug: random.pick(['same', 'author', '', 'Ä b']) })],
  [
    0.2,
    (random) => ({ roles: random.pick<unknown>([['author'], ['subscriber'], ['nobody'], [], 'editor']) }),
  ],
  [0.1, (random) => ({ url: random.pick(['https://example.org/', 'javascript:x', '']) })],
  // Passwords are hashed slowly on purpose.
  [0.03, (random) => ({ password: random.pick(['a-new-password', '', 'back\\slash']) })],
  [0.05, (random) => ({ username: random.pick(['admin', 'other']) })],
  [0.1, (random) => ({ meta: random.pick<unknown>([{ other: 1 }, 'x']) })],
];
const toUser: Maker = (random) =>
  Object.assign(
    {},
    ...USER_FIELDS.filter(([probability]) => random.chance(probability)).map(([, make]) => make(random)),
  );
const toNewUser: Maker = (random) => ({
  ...(random.chance(0.9)
    ? {
        username: random.pick(['same', 'other', 'admin', 'not valid!']),
        email: random.pick(['same@example.org', 'other@example.org']),
        password: 'a-new-password',
      }
    : {}),
  ...toUser(random),
});
/** Users cannot be moved to the trash, and must leave their posts to somebody. */
const USER_REMOVALS = [
  '',
  '?force=true',
  '?force=true&reassign=1',
  '?force=true&reassign=false',
  '?force=true&reassign=99',
  '?reassign=2',
];

/** What a batch may write: the base of the type, ids of its records, and values. Posts are the most frequent. */
const WRITTEN: readonly (readonly [base: string, toId: (random: Random) => number, toBody: Maker])[] = [
  ...Array.from({ length: 4 }, () => ['posts', toPostId, toBody] as const),
  ['pages', toPageId, toBody],
  ['notes', toNoteId, toBody],
  ['categories', toTermId, toTerm],
  ['tags', toTermId, toTerm],
  ['users', toUserId, toUser],
];

function toWrite(random: Random): Pick<GeneratedItem, 'method' | 'target' | 'body' | 'refusal'> {
  const query = random.pick(QUERIES);
  const [base, toId, toValues] = random.pick(WRITTEN);
  const isUser = base === 'users';
  if (random.chance(isUser ? 0.15 : 0.3))
    return {
      method: 'POST',
      target: `/cms/v2/${base}${query}`,
      body: isUser ? toNewUser(random) : toValues(random),
      refusal: null,
    };
  const one = `/cms/v2/${base}/${toId(random)}`;
  if (random.chance(0.7))
    return {
      method: random.pick(['POST', 'PUT', 'PATCH']),
      target: `${one}${query}`,
      body: toValues(random),
      refusal: null,
    };
  return {
    method: 'DELETE',
    target: `${one}${random.pick(isUser ? USER_REMOVALS : ['', '?force=true', '?force=false', '?force=maybe'])}`,
    body: random.chance(0.2) ? { force: true } : undefined,
    refusal: null,
  };
}

function toRefused(random: Random): Pick<GeneratedItem, 'method' | 'target' | 'body' | 'refusal'> {
  const method = random.pick(['POST', 'PUT', 'PATCH', 'DELETE']);
  const nested = { requests: [{ path: '/cms/v2/posts', body: { title: 'nested', status: 'publish' } }] };
  if (random.chance(0.4))
    return {
      method: 'POST',
      target: random.pick(CLOSED),
      body: random.chance(0.5) ? nested : undefined,
      refusal: 'rest_batch_not_allowed',
    };
  if (random.chance(0.3))
    return {
      method: 'DELETE',
      target: '/cms/v2/posts/101/revisions/1?force=true',
      body: undefined,
      refusal: 'rest_batch_not_allowed',
    };
  return { method, target: random.pick(NO_ROUTE), body: undefined, refusal: 'rest_no_route' };
}

/** An item of a batch. About one in five is rejected for its path or route. */
export function generateItem(random: Random): GeneratedItem {
  const unreadable = random.chance(0.05) ? random.pick(UNREADABLE) : null;
  const written =
    unreadable !== null
      ? { method: 'POST', target: unreadable[0], body: toBody(random), refusal: unreadable[1] }
      : random.chance(0.15)
        ? toRefused(random)
        : toWrite(random);
  const [sent, kept] = random.chance(0.3) ? random.pick(HEADERS) : [undefined, {}];
  const path = written.target;
  const item = {
    // An item without a method means POST.
    ...(written.method === 'POST' && random.chance(0.3) ? {} : { method: written.method }),
    path,
    ...(written.body === undefined ? {} : { body: written.body }),
    ...(sent === undefined ? {} : { headers: sent }),
  };
  return { ...written, item, headers: kept };
}

/** 1 to 25 items, short batches more often than long ones. */
export function generateBatch(random: Random): readonly GeneratedItem[] {
  const length = 1 + Math.min(random.below(25), random.below(25), random.below(25));
  return Array.from({ length: random.chance(0.02) ? 25 : length }, () => generateItem(random));
}
