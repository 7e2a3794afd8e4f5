import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../lib/core/objects.ts';
import { mayEditPost, maySeePost } from '../support/canary/entitled.ts';
import {
  type Caller,
  CALLERS,
  canaryFixture,
  type CanaryPost,
  POSTS,
  revisionsOf,
} from '../support/canary/fixture.ts';
import { generateQuery, toQueryText } from '../support/canary/generate.ts';
import { findLeaks } from '../support/canary/leaks.ts';
import { listedPosts, type ListQuery } from '../support/canary/listed.ts';
import { FIELDS, findWords, toWord } from '../support/canary/words.ts';
import { countRuns, isAll, isLong } from '../support/long-mode.ts';
import { createRandom, type Random } from '../support/random.ts';
import {
  type Answer,
  type Asking,
  createWholeSite,
  SITE_URL,
  type WholeSite,
  type WholeSiteOptions,
} from '../support/whole-site.ts';

// Every post of a generated site has unique words in each field. A response must not contain a word that its caller must
// not see, and totals must count exactly the posts that the caller may see. FUZZ_SEED changes the random lists.
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_250_115);
const RANDOM_CELLS = countRuns(6000, 100_000);
/** `npm test` tries one of so many requests: of each post and each caller some, of each kind of request some. */
const STEP = isAll || isLong ? 1 : 5;

const BASE = '/cms/v2/posts';

/** Cached responses must not show more than responses that are built for each caller. `npm test` asks the site as it is served by default. */
const CACHES: readonly (readonly [string, Pick<WholeSiteOptions, 'cache'>])[] = [
  ['with a cache', {}],
  ...(isAll || isLong ? ([['without a cache', { cache: false }]] as const) : []),
];

/** Sends a request, and fails if the response contains a word that it must not contain. */
async function askGuarded(site: WholeSite, caller: Caller, asking: Asking): Promise<Answer> {
  const answer = await site.ask({ ...asking, as: caller.login });
  const sent = `${decodeURIComponent(asking.target)} ${JSON.stringify(asking.body ?? '')}`;
  const leaks = findLeaks(answer, caller, sent);
  const at = `${asking.method ?? 'GET'} ${asking.target} as ${caller.login}`;
  if (leaks.length > 0) assert.unreachable(`${at} (${answer.status}) shows ${leaks.join(', ')}`);
  if (answer.status === 500) assert.unreachable(`${at}: ${answer.text}`);
  // The second time, an anonymous caller may get the response that was cached the first time.
  if (caller.id === 0 && asking.method === undefined && asking.target.startsWith(BASE))
    assert.is((await site.ask({ ...asking, as: caller.login })).text, answer.text, `${at}, again`);
  return answer;
}

const statusFor = (isAllowed: boolean, { id }: Caller): number => (isAllowed ? 200 : id === 0 ? 401 : 403);

function idsOf(body: unknown): readonly number[] {
  return Array.isArray(body) ? body.map((post: unknown) => (isObject(post) ? Number(post['id']) : 0)) : [];
}

/** Requests for one post, each with the status that its caller must get; null for any status. */
function cellsOf(
  post: CanaryPost,
  caller: Caller,
): readonly (readonly [status: number | null, asking: Asking])[] {
  const sees = statusFor(maySeePost(caller, post), caller);
  const edits = statusFor(mayEditPost(caller, post), caller);
  const one = `${BASE}/${post.id}`;
  const [revision, autosave] = revisionsOf(post.id);
  const page = encodeURIComponent(`${SITE_URL}/${post.ml_language}/${post.slug}/`);
  const plain = encodeURIComponent(`${SITE_URL}/${post.ml_language}/?p=${post.id}`);
  const refused = edits === 200 ? 412 : edits;
  const isPublic = post.status === 'publish' ? 200 : 404;
  const stale = { 'if-match': '"0-x"' };
  return [
    [sees, { target: one }],
    [sees, { target: `${one}?context=embed&_embed`, language: 'fr' }],
    [edits, { target: `${one}?context=edit` }],
    [
      sees === 200 && post.password === '' ? 403 : sees,
      { target: `${one}?password=${post.password || 'sesame'}` },
    ],
    [200, { target: `${one}?_envelope&_fields=id,content,excerpt,meta,password,title` }],
    [sees, { method: 'HEAD', target: one }],
    [200, { method: 'OPTIONS', target: one }],
    [edits, { target: `${one}/revisions?context=edit` }],
    [edits, { target: `${one}/revisions?search=${toWord('b', post.id)}` }],
    [edits, { target: `${one}/revisions/${revision}?context=edit` }],
    [edits, { target: `${one}/revisions/${autosave}` }],
    [edits, { target: `${one}/autosaves?context=edit` }],
    [isPublic, { target: `/oembed/1.0/embed?url=${page}` }],
    [isPublic, { target: `/oembed/1.0/embed?url=${plain}&format=xml` }],
    [null, { target: `/oembed/1.0/proxy?url=${plain}` }],
    [null, { target: `/seo/v1/get_head?url=${page}` }],
    [null, { target: `/seo/v1/get_head?url=${plain}` }],
    [refused, { method: 'PUT', target: one, headers: stale, body: { title: 'New' } }],
    [
      207,
      {
        method: 'POST',
        target: '/batch/v1',
        body: {
          requests: [
            { path: one, body: { content: 'New' }, headers: stale },
            { method: 'DELETE', path: `${one}?force=true`, headers: stale },
            { path: `${one}/autosaves`, body: { title: 'x' } },
            { path: BASE, body: { id: post.id } },
          ],
        },
      },
    ],
  ];
}

const single = suite('words of a post');
for (const [name, options] of CACHES) {
  single(`each post, each caller, each way to it; ${name}`, async () => {
    const site = await createWholeSite({ fixture: canaryFixture, ...options });
    let cells = 0;
    const seen = new Set<string>();
    for (const post of POSTS) {
      for (const caller of CALLERS) {
        for (const [status, asking] of cellsOf(post, caller)) {
          cells += 1;
          if (cells % STEP !== 0) continue;
          const answer = await askGuarded(site, caller, asking);
          for (const { field } of findWords(answer.text)) seen.add(field);
          if (status !== null)
            assert.is(
              answer.status,
              status,
              `${asking.method ?? 'GET'} ${asking.target} as ${caller.login}, a post of ${post.author} (${post.status} ${post.trashed_from}): ${answer.text.slice(0, 300)}`,
            );
        }
      }
    }
    await site.close();
    assert.ok(cells > 20_000);
    // Nobody is ever shown the slug from before the trash. All other fields must be seen, otherwise the test proves nothing.
    assert.equal(
      [...seen].sort(),
      Object.keys(FIELDS)
        .filter((field) => field !== 'o')
        .sort(),
    );
  });
}
single.run();

/** Values for required parameters and for parameters that name a post. */
function toParams(names: readonly string[], post: CanaryPost): string {
  const page = `${SITE_URL}/${post.ml_language}/${post.slug}/`;
  const values: Readonly<Record<string, string>> = {
    url: page,
    search: toWord('t', post.id),
    title: toWord('t', post.id),
    keyphrase: toWord('c', post.id),
    user_id: String(post.author),
    country_code: 'nl',
    job_type: 'post_post',
    id: String(post.id),
    local_job_ids: String(post.id),
    ml_language: post.ml_language,
  };
  return names
    .filter((name) => values[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(values[name] ?? '')}`)
    .join('&');
}

interface ReadRoute {
  readonly pattern: string;
  readonly args: readonly string[];
}

/** Every readable route of the index, including routes that are added later. */
async function listReadRoutes(site: WholeSite): Promise<readonly ReadRoute[]> {
  const { body } = await site.ask({ target: '/' });
  const routes = isObject(body) && isObject(body['routes']) ? body['routes'] : {};
  return Object.entries(routes).flatMap(([pattern, route]) => {
    const endpoints = isObject(route) && Array.isArray(route['endpoints']) ? route['endpoints'] : [];
    const reading: unknown = endpoints.find(
      (endpoint: unknown) =>
        isObject(endpoint) && Array.isArray(endpoint['methods']) && endpoint['methods'].includes('GET'),
    );
    return isObject(reading)
      ? [{ pattern, args: Object.keys(isObject(reading['args']) ? reading['args'] : {}) }]
      : [];
  });
}

const sweep = suite('words in the responses of every route');
for (const [name, options] of CACHES) {
  sweep(`each route that can be read, each caller, posts of every kind; ${name}`, async () => {
    const site = await createWholeSite({ fixture: canaryFixture, ...options });
    const routes = await listReadRoutes(site);
    assert.ok(routes.length > 40);
    const random = createRandom(SEED);
    for (const { pattern, args } of routes) {
      for (const caller of CALLERS) {
        for (let round = 0; round < 12 / STEP; round += 1) {
          const post = random.pick(POSTS);
          const path = pattern.replaceAll(/\(\?P<(\w+)>[^)]*\)/g, (_group, name: string) =>
            name === 'job_type' ? 'post_post' : String(random.pick([post.id, revisionsOf(post.id)[0]])),
          );
          await askGuarded(site, caller, { target: `${path}?${toParams(args, post)}` });
        }
      }
    }
    await site.close();
  });
}
sweep.run();

/** Requests a list in one of three forms: plain, enveloped or under a prefix. */
async function askList(
  site: WholeSite,
  caller: Caller,
  { query, random, prefix }: { query: ListQuery; random: Random; prefix: string },
): Promise<{ status: number; total: number; body: unknown; text: string }> {
  const isEnveloped = random.chance(0.15);
  const target = `${BASE}?${toQueryText(query, random)}${isEnveloped ? '&_envelope=1' : ''}${random.chance(0.1) ? '&_embed' : ''}`;
  const answer = await askGuarded(site, caller, { target, language: prefix });
  const text = `${target} as ${caller.login} (${prefix}): ${answer.status} ${answer.text.slice(0, 300)}`;
  if (!isEnveloped)
    return {
      status: answer.status,
      total: Number(answer.headers['X-CMS-Total'] ?? -1),
      body: answer.body,
      text,
    };
  assert.ok(isObject(answer.body), text);
  const headers = answer.body['headers'];
  return {
    status: Number(answer.body['status']),
    total: isObject(headers) ? Number(headers['X-CMS-Total'] ?? -1) : -1,
    body: answer.body['body'],
    text,
  };
}

function checkList(
  listed: readonly CanaryPost[] | null,
  query: ListQuery,
  { status, total, body, text }: Awaited<ReturnType<typeof askList>>,
): void {
  if (listed === null) {
    assert.ok([400, 401, 403].includes(status), text);
    return;
  }
  const { per_page: perPage = 10, page = 1 } = query;
  const offset = query.offset ?? (page - 1) * perPage;
  const ids = idsOf(body);
  const expected = new Set(listed.map((post) => post.id));
  if (status === 400) {
    assert.ok(listed.length > 0 && page > Math.ceil(listed.length / perPage), text);
    return;
  }
  assert.is(status, 200, text);
  assert.is(
    total,
    offset >= listed.length && query.offset !== undefined && page === 1 ? 0 : listed.length,
    text,
  );
  assert.equal(
    ids.filter((id) => !expected.has(id)),
    [],
    text,
  );
  assert.is(new Set(ids).size, ids.length, text);
  const size = Math.min(perPage, Math.max(0, listed.length - offset));
  assert.ok(query.ignore_sticky === false ? ids.length >= size : ids.length === size, text);
}

const lists = suite('words and totals of lists');
for (const [name, options] of CACHES) {
  lists(`random queries, every caller; ${name}`, async () => {
    const site = await createWholeSite({ fixture: canaryFixture, ...options });
    const random = createRandom(SEED);
    for (let cell = 0; cell < RANDOM_CELLS; cell += CALLERS.length) {
      const query = generateQuery(random);
      for (const caller of CALLERS) {
        const prefix = random.pick(['en', 'fr']);
        checkList(
          listedPosts(caller, query, prefix),
          query,
          await askList(site, caller, { query, random, prefix }),
        );
      }
    }
    await site.close();
  });
}
lists.run();
