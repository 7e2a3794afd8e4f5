// A site with the core controllers and a type of its own, in which every text is a word that occurs once. No response contains a word that its
// caller may not know, and no response depends on one: beside the site stands another one in which everything that the caller may not know has
// another value, and both answer every request alike, whatever it filters, sorts, searches or counts. FUZZ_SEED changes the random requests.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { collectionsOf, createContentModel } from '../../registry/index.ts';
import { Cells, listReadRoutes } from '../support/canary/core/cells.ts';
import { buildCoreSite, CORE_CONTENT, type CoreSite } from '../support/canary/core/fixture.ts';
import {
  isAdmin,
  isModerator,
  isWriter,
  mayEdit,
  mayOpen,
  maySee,
  maySeeMedia,
} from '../support/canary/core/rules.ts';
import { Secrets } from '../support/canary/core/secrets.ts';
import { CALLERS, type Caller } from '../support/canary/fixture.ts';
import { countRuns, isAll, isLong } from '../support/long-mode.ts';
import { createRandom } from '../support/random.ts';
import { until } from '../support/until.ts';
import {
  createWholeSite,
  type Answer,
  type Asking,
  type WholeSite,
  type WholeSiteOptions,
} from '../support/whole-site.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_250_115);
const COLLECTIONS = collectionsOf(createContentModel(CORE_CONTENT));

/** Routes of content, which have the most to hide, are asked more often. */
const ROUNDS = { content: countRuns(16, 1500), other: countRuns(1, 60) };
const CONTENT_ROUTES =
  /^\/cms\/v2\/(?:pages|books|genres|media|comments|users|search|types|taxonomies|statuses|settings)\b/;

/** `npm test` asks the site as it is served by default. */
const CACHES: readonly (readonly [string, Pick<WholeSiteOptions, 'cache'>])[] = [
  ['with a cache', {}],
  ...(isAll || isLong ? ([['without a cache', { cache: false }]] as const) : []),
];

interface Opened {
  readonly site: WholeSite;
  readonly built: CoreSite;
  readonly secrets: Secrets;
}

/** Opens the site. `changedFor`: everything that this caller may not know has another value. */
async function open(options: Partial<WholeSiteOptions>, changedFor: Caller | null = null): Promise<Opened> {
  const secrets = new Secrets(changedFor);
  const built = buildCoreSite(secrets);
  const site = await createWholeSite({
    fixture: built.fixture,
    content: CORE_CONTENT,
    store: createMemoryStore(COLLECTIONS),
    ...options,
  });
  return { site, built, secrets };
}

/** Waits until everything is indexed: on a busy machine, the first reports show the part that is there after a second. */
const untilIndexed = ({ site }: Opened): Promise<void> =>
  until(
    async () =>
      (await site.ask({ target: '/seo/v1/statistics', as: 'admin' })).text.includes('"up_to_date":true'),
    'the index',
  );

const nameOf = ({ method = 'GET', target }: Asking, { login, role }: Caller): string =>
  `${method} ${decodeURIComponent(target)} as ${login} (${role})`;

/** Sends a request, and fails if the response has a word that its caller may not know. */
async function askGuarded({ site, secrets }: Opened, caller: Caller, asking: Asking): Promise<Answer> {
  const answer = await site.ask({ ...asking, as: caller.login });
  const leaks = secrets.leaks(
    answer,
    caller,
    `${decodeURIComponent(asking.target)} ${JSON.stringify(asking.body ?? '')}`,
  );
  if (leaks.length > 0)
    assert.unreachable(`${nameOf(asking, caller)} (${answer.status}) shows ${leaks.slice(0, 5).join('; ')}`);
  if (answer.status === 500) assert.unreachable(`${nameOf(asking, caller)}: ${answer.text}`);
  return answer;
}

/** Without random words. The address of a picture has a hash of the e-mail address, as in WordPress. */
const withoutHashes = (text: string): string => text.replaceAll(/\b[0-9a-f]{64}\b/g, 'hash');

/** What a caller notices of a response. */
const noticed = ({ status, headers, text }: Answer): string =>
  withoutHashes(JSON.stringify({ status, text, headers: { ...headers, ETag: '' } }));

const reads = suite('words and differences in the responses of every route');
for (const [name, options] of CACHES) {
  reads(`each route that can be read, each caller; ${name}`, async () => {
    const seen = new Set<string>();
    for (const caller of CALLERS) {
      const [first, second] = [await open(options), await open(options, caller)];
      await Promise.all([first, second].map(untilIndexed));
      const note = ({ text }: Answer): void =>
        first.secrets.seen(text).forEach((label) => seen.add(label.replaceAll(/ (?:of|on) .*/g, '')));
      const cells = new Cells(createRandom(SEED + caller.id), first.built);
      for (const list of ['comments', 'users', 'books'])
        await askGuarded(first, caller, { target: `/cms/v2/${list}?context=edit&per_page=100` }).then(note);
      for (const route of await listReadRoutes(first.site)) {
        const rounds = CONTENT_ROUTES.test(route.pattern) ? ROUNDS.content : ROUNDS.other;
        for (let round = 0; round < rounds; round += 1) {
          const asking = { target: cells.next(route) };
          const answer = await askGuarded(first, caller, asking);
          const other = await second.site.ask({ ...asking, as: caller.login });
          if (noticed(answer) !== noticed(other))
            assert.unreachable(
              `${nameOf(asking, caller)} depends on what the caller may not know:\n${noticed(answer).slice(0, 1500)}\n${noticed(other).slice(0, 1500)}`,
            );
          note(answer);
        }
      }
      await first.site.close();
      await second.site.close();
    }
    // Everything that somebody may know must have been seen, otherwise the test proves nothing.
    for (const field of [
      'title',
      'content',
      'excerpt',
      'slug',
      'isbn',
      'password',
      'caption',
      'alt',
      'file',
      'name',
      'url',
      'e-mail',
      'network address',
      'user agent',
      'login',
      'first name',
    ]) {
      assert.ok(seen.has(field), `${field} was never seen`);
    }
  });
}
reads.run();

const totalOf = ({ headers }: Answer): number => Number(headers['X-CMS-Total'] ?? -1);

/** A list and how many records of it each caller may see. */
interface Counted {
  readonly target: string;
  readonly count: (caller: Caller) => number;
}

/** Only editors may ask for pages that are not published. */
function listCounted({ records, media, comments, users }: CoreSite): readonly Counted[] {
  const ofRecords = (['page', 'book'] as const).flatMap((kind) =>
    [...new Set(records.map(({ status }) => status))].flatMap((status) =>
      (
        [
          ['view', maySee],
          ['edit', mayEdit],
        ] as const
      ).map(([context, may]) => ({
        target: `/cms/v2/${kind}s?per_page=1&status=${status}&context=${context}`,
        count: (caller: Caller) =>
          records.filter(
            (record) =>
              record.kind === kind &&
              record.status === status &&
              (kind === 'book' || status === 'publish' || isModerator(caller)) &&
              may(caller, record),
          ).length,
      })),
    ),
  );
  return [
    ...ofRecords,
    {
      target: '/cms/v2/media?per_page=1',
      count: (caller) =>
        media.filter((each) => each.status === 'inherit' && maySeeMedia(caller, each)).length,
    },
    {
      target: '/cms/v2/comments?per_page=1',
      count: (caller) =>
        comments.filter(({ status, on }) => status === 'approved' && mayOpen(caller, on)).length,
    },
    {
      target: '/cms/v2/users?per_page=1',
      count: (caller) => users.filter(({ hasPublished }) => isAdmin(caller) || hasPublished).length,
    },
    {
      target: '/cms/v2/users?per_page=1&who=authors',
      count: (caller) =>
        users.filter((user) => isWriter(caller) && isWriter({ ...caller, role: user.role })).length,
    },
  ];
}

const totals = suite('totals');
totals('count exactly what each caller may see', async () => {
  const opened = await open({});
  let counted = 0;
  for (const { target, count } of listCounted(opened.built)) {
    for (const caller of CALLERS) {
      const answer = await askGuarded(opened, caller, { target });
      if (answer.status === 200) {
        assert.is(totalOf(answer), count(caller), nameOf({ target }, caller));
        counted += 1;
      } else {
        assert.ok(
          [400, 401, 403].includes(answer.status) && (!isWriter(caller) || count(caller) === 0),
          `${nameOf({ target }, caller)}: ${answer.text}`,
        );
      }
    }
  }
  assert.ok(counted > 150);
  await opened.site.close();
});
totals('of a search for what only administrators see are 0 for all others', async () => {
  const opened = await open({});
  const kept = (opened.built.fixture.users ?? [])
    .filter(({ id }) => Number(id) > 20)
    .flatMap(({ login, email, first_name: first }) => [login, email, first].map(String));
  for (const word of kept) {
    for (const caller of CALLERS) {
      for (const more of [
        '',
        '&search_columns=username',
        '&search_columns=email,name',
        ...(isWriter(caller) ? ['&who=authors'] : []),
      ]) {
        const target = `/cms/v2/users?search=${word}${more}`;
        const answer = await askGuarded(opened, caller, { target });
        assert.is(answer.status, 200);
        if (!isAdmin(caller)) assert.is(totalOf(answer), 0, nameOf({ target }, caller));
      }
    }
  }
  await opened.site.close();
});
totals.run();

const writes = suite('words in the responses to writes');
writes('each record, each caller, without a change', async () => {
  const [seen, statuses] = [new Set<string>(), new Set<number>()];
  for (const caller of CALLERS) {
    const opened = await open({});
    const { records, media, comments, users } = opened.built;
    const random = createRandom(SEED + caller.id);
    const some = <Item>(items: readonly Item[]): readonly Item[] =>
      items.filter(() => random.chance(countRuns(25, 100) / 100));
    const paths = [
      ...some(records).flatMap(({ id, kind }) => [
        `/cms/v2/${kind}s/${id}`,
        `/cms/v2/${kind}s/${id}/autosaves`,
      ]),
      ...media.map(({ id }) => `/cms/v2/media/${id}`),
      ...some(comments).map(({ id }) => `/cms/v2/comments/${id}`),
      ...users.map(({ id }) => `/cms/v2/users/${id}`),
      '/cms/v2/settings',
      '/cms/v2/genres/91',
    ];
    const ask = async (asking: Asking): Promise<void> => {
      const { status, text } = await askGuarded(opened, caller, asking);
      statuses.add(status);
      for (const label of opened.secrets.seen(text)) seen.add(label.replaceAll(/ (?:of|on) .*/g, ''));
    };
    for (const target of paths) await ask({ method: 'POST', target, body: {} });
    for (const target of paths)
      await ask({
        method: 'DELETE',
        target: `${target}?force=true&reassign=1`,
        headers: { 'if-match': '"0-x"' },
      });
    for (const { id } of some(records)) {
      for (const [target, body] of [
        ['/cms/v2/comments', { post: id, content: 'Me too.' }],
        ['/cms/v2/pages', { parent: id, title: 'Below' }],
        ['/cms/v2/users/me/application-passwords', { name: 'x' }],
      ] as const) {
        await ask({ method: 'POST', target, body });
      }
    }
    await opened.site.close();
  }
  // Requests that nobody may make, or that nothing answers, would prove nothing.
  for (const status of [200, 201, 401, 403, 412])
    assert.ok(statuses.has(status), `no response had ${status}`);
  for (const field of ['title', 'content', 'password', 'e-mail', 'network address', 'login'])
    assert.ok(seen.has(field), `${field} was never seen`);
});
writes.run();
