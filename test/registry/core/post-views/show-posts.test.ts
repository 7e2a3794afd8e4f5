import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { ANONYMOUS, type Identity } from '../../../../lib/core/identity.ts';
import type { Names } from '../../../../lib/core/names.ts';
import type { Engine } from '../../../../lib/engine/engine.ts';
import { createRequest, type RequestOptions } from '../../../../lib/http/create-request.ts';
import { eq } from '../../../../lib/store/query.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { createCmsNamespace } from '../../../../registry/core/cms.ts';
import { renderContent, renderContentInSteps } from '../../../../registry/core/content/render/render.ts';
import { writeOption } from '../../../../registry/core/settings/options.ts';
import {
  CAPABILITIES,
  capabilitiesOf,
  clearSite,
  collections,
  createCommonArgs,
  createSite,
  type Fixture,
  loadFixture,
  NEUTRAL_NAMES,
  WORDPRESS_NAMES,
} from '../../../../registry/index.ts';
import { createTestPorts, TEST_CONFIG, TEST_NOW } from '../../../support/ports.ts';
import { createTestEngine } from '../../../support/site.ts';

// Representations for anonymous callers are cached as text. The text must change as soon as anything on which it depends changes.
const ADMIN: Identity = { id: 1, role: 'administrator', capabilities: capabilitiesOf('administrator') };
const POSTS = '/cms/v2/posts';

const written = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  content: 'one two three four five',
  categories: [1, 2],
};

const toFixture = (title: string): Fixture => ({
  site: { name: 'Kept', timezone_string: 'UTC', default_category: 1, excerpt_length_default: 4 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  categories: [
    { id: 1, name: 'Apples', slug: 'apples' },
    { id: 2, name: 'Boats', slug: 'boats' },
  ],
  posts: [
    { ...written, id: 11, title, slug: 'lamp', group: 7 },
    { ...written, id: 12, title: 'Lampe', slug: 'lampe', ml_language: 'fr', group: 7 },
    { ...written, id: 13, title: 'Licht', slug: 'licht', ml_language: 'nl', group: 7, status: 'draft' },
    { ...written, id: 21, title: 'Closed', slug: 'closed', password: 'sesame' },
    { ...written, id: 31, title: 'Floating', slug: 'floating' },
  ],
});

type Asking = RequestOptions & { readonly path: string; readonly as?: Identity };

interface Opened {
  readonly store: Store;
  readonly ask: (asking: Asking) => Promise<string>;
  /** The response of a site without a cache. */
  readonly askAnew: (asking: Asking) => Promise<string>;
}

interface Manner {
  readonly keepsAnswers: boolean;
  readonly names?: Names;
}

function open(store: Store, { keepsAnswers, names = NEUTRAL_NAMES }: Manner): Engine {
  return createTestEngine([createCmsNamespace(createTestPorts({ store }))], {
    names,
    languageParam: 'ml_language',
    commonArgs: createCommonArgs(TEST_CONFIG.languages),
    capabilities: CAPABILITIES,
    ...(keepsAnswers ? { cache: { store, now: () => TEST_NOW } } : {}),
  });
}

async function askEngine(engine: Engine, { path, as = ANONYMOUS, ...request }: Asking): Promise<string> {
  const { status, body } = await engine.dispatch(createRequest(path, request), as);
  return `${status} ${JSON.stringify(body)}`;
}

async function withSite(manner: Manner, run: (opened: Opened) => Promise<void>): Promise<void> {
  const store = createMemoryStore(collections);
  await loadFixture(store, toFixture('Lamp'));
  // Without its own date in GMT, so that the time zone of the site determines what is shown.
  await store.commit([{ op: 'update', collection: 'posts', id: 31, values: { date_gmt: '' } }]);
  const engine = open(store, manner);
  await run({
    store,
    ask: (asking) => askEngine(engine, asking),
    askAnew: (asking) => askEngine(open(store, { ...manner, keepsAnswers: false }), asking),
  });
  await store.close();
}

const CACHES = [
  ['with cached responses', true],
  ['without cached responses', false],
] as const;

/** A write by the site or by another process. It changes the representation of post 11, or 31. */
type Change = (opened: Opened) => Promise<unknown>;

const write =
  (path: string, body: object) =>
  ({ ask }: Opened) =>
    ask({ path: `${POSTS}${path}`, method: 'POST', body, as: ADMIN });
const remove =
  (path: string) =>
  ({ ask }: Opened) =>
    ask({ path: `${POSTS}${path}`, method: 'DELETE', as: ADMIN });
const setTerm =
  (id: number, values: Readonly<Record<string, string>>) =>
  ({ store }: Opened) =>
    store.commit([{ op: 'update', collection: 'terms', id, values }]);
const setOption =
  (key: string, value: string | number) =>
  ({ store }: Opened) =>
    writeOption(store, ['site', key], value);

/** Creates another record with the id and the version of a removed one. */
const replace =
  (collection: string, id: number, values: Readonly<Record<string, string>>): Change =>
  async ({ store }) => {
    const { id: _id, version, ...before } = (await store.get(collection, id)) ?? { id: 0, version: 0 };
    await store.commit([{ op: 'remove', collection, id }]);
    await store.commit([{ op: 'create', collection, values: { ...before, id, ...values } }]);
    assert.is((await store.get(collection, id))?.version, version);
  };

/** Ids and versions stay the same, the texts do not. */
const replaceAll: Change = async ({ store }) => {
  await clearSite(store, collections);
  await loadFixture(store, toFixture('New lamp'));
};

async function removeRevisions({ store }: Opened): Promise<void> {
  const [history] = (await store.find({ collection: 'post_history', where: eq('post', 11) })).records;
  await store.commit([
    { op: 'update', collection: 'post_history', id: history?.id ?? 0, values: { count: 5, newest: 0 } },
  ]);
}

const CHANGES: readonly (readonly [what: string, post: number, change: Change])[] = [
  ['the title', 11, write('/11', { title: 'Lantern' })],
  [
    'the title, without a revision',
    11,
    ({ store }) =>
      store.commit([{ op: 'update', collection: 'posts', id: 11, values: { title: 'Lantern' } }]),
  ],
  ['the terms of the post', 11, write('/11', { categories: [2] })],
  ['an autosave', 11, write('/11/autosaves', { title: 'Perhaps' })],
  ['the number of revisions', 11, removeRevisions],
  ['the name of a term, which orders the terms', 11, setTerm(1, { name: 'Zebras' })],
  ['the slug of a term', 11, setTerm(1, { slug: 'pears' })],
  ['a term that has gone', 11, ({ store }) => store.commit([{ op: 'remove', collection: 'terms', id: 1 }])],
  ['a term for another one with its id: its slug', 11, replace('terms', 1, { slug: 'pears' })],
  ['a term for another one with its id: its name', 11, replace('terms', 1, { name: 'Zebras' })],
  ['a term for another one with its id: its taxonomy', 11, replace('terms', 1, { taxonomy: 'post_tag' })],
  ['a translation for another one with its id: its address', 11, replace('posts', 12, { slug: 'lanterne' })],
  ['a translation for another one with its id: its language', 11, replace('posts', 12, { language: 'de' })],
  ['a translation that comes out', 11, write('/13', { status: 'publish' })],
  ['the address of a translation', 11, write('/12', { slug: 'lanterne' })],
  ['a translation that is a draft again', 11, write('/12', { status: 'draft' })],
  ['a translation in the trash', 11, remove('/12')],
  ['a translation that has gone', 11, remove('/12?force=true')],
  ['the length of excerpts', 11, setOption('excerpt_length_default', 2)],
  ['the time zone', 31, setOption('timezone_string', 'America/New_York')],
  ['all content, with the same ids and versions', 11, replaceAll],
];

const changes = suite('a cached representation is replaced after a change of');
for (const [manner, keepsAnswers] of CACHES) {
  for (const [what, post, change] of CHANGES) {
    changes(`${what}, ${manner}`, () =>
      withSite({ keepsAnswers }, async (opened) => {
        const paths = [`${POSTS}/${post}`, POSTS, `${POSTS}?context=embed`];
        const before = await Promise.all(paths.map((path) => opened.ask({ path })));
        await change(opened);
        const after = await Promise.all(paths.map((path) => opened.ask({ path })));
        assert.equal(after, await Promise.all(paths.map((path) => opened.askAnew({ path }))));
        assert.is.not(after[0], before[0]);
        assert.is.not(after[1], before[1]);
      }),
    );
  }
}
changes.run();

const switchedOff = suite('createSite without a cache');
switchedOff('keeps no finished posts', async () => {
  const store = createMemoryStore(collections);
  await loadFixture(store, toFixture('Lamp'));
  const { engine, close } = await createSite({ store, cache: false });
  const ask = async (path: string): Promise<string> =>
    JSON.stringify((await engine.dispatch(createRequest(path))).body);
  for (const path of [`${POSTS}/11`, POSTS]) assert.match(await ask(path), /Lamp"/);
  // With the history of the old post, which no real program would write: nothing on which a cached post depends has changed.
  const { id, version: _version, ...values } = (await store.get('posts', 11)) ?? { id: 0, version: 0 };
  await store.commit([{ op: 'remove', collection: 'posts', id }]);
  await store.commit([{ op: 'create', collection: 'posts', values: { ...values, id, title: 'Lantern' } }]);
  for (const path of [`${POSTS}/11`, POSTS]) assert.match(await ask(path), /Lantern"/);
  await close();
  await store.close();
});
switchedOff.run();

/** Requests for the same post with different responses. */
const ASKINGS: readonly Asking[] = [
  { path: `${POSTS}/11` },
  { path: `${POSTS}/11`, language: 'fr' },
  { path: `${POSTS}/11`, siteUrl: 'http://other.test' },
  { path: `${POSTS}/11?context=embed` },
  { path: `${POSTS}/11?excerpt_length=2` },
  { path: `${POSTS}/11?excerpt_length=0` },
  { path: `${POSTS}/11`, as: ADMIN },
  { path: `${POSTS}/11?context=edit`, as: ADMIN },
  { path: `${POSTS}/11?context=edit` },
  { path: `${POSTS}/21` },
  { path: `${POSTS}/21?password=sesame` },
  { path: `${POSTS}/21?password=wrong` },
  { path: `${POSTS}/21?context=edit`, as: ADMIN },
  { path: POSTS },
  { path: `${POSTS}?password=sesame` },
  { path: POSTS, language: 'fr' },
  { path: POSTS, as: ADMIN },
  { path: `${POSTS}?include=99` },
  { path: `${POSTS}/11?_fields=id,title` },
  { path: `${POSTS}?_fields=id,title.rendered` },
  { path: `${POSTS}/11?_embed` },
  { path: `${POSTS}?_embed&_fields=_links,_embedded` },
];

const askings = suite('every way of asking');
for (const [manner, keepsAnswers] of CACHES) {
  for (const [words, names] of [
    ['neutral', NEUTRAL_NAMES],
    ['of WordPress', WORDPRESS_NAMES],
  ] as const) {
    askings(`has its own answer, whatever was asked before, ${manner}, words ${words}`, () =>
      withSite({ keepsAnswers, names }, async ({ ask, askAnew }) => {
        const inWords = (asking: Asking): Asking =>
          words === 'neutral' ? asking : { ...asking, path: asking.path.replace('/cms/', '/wp/') };
        const expected = await Promise.all(ASKINGS.map((asking) => askAnew(inWords(asking))));
        for (const round of [ASKINGS, ASKINGS.toReversed(), ASKINGS]) {
          for (const asking of round)
            assert.is(await ask(inWords(asking)), expected[ASKINGS.indexOf(asking)], asking.path);
        }
      }),
    );
  }
}

askings('returns its own copy, which the caller may change', () =>
  withSite({ keepsAnswers: false }, async ({ store }) => {
    const engine = open(store, { keepsAnswers: false });
    const [first, second] = [
      await engine.dispatch(createRequest(`${POSTS}/11`)),
      await engine.dispatch(createRequest(`${POSTS}/11`)),
    ];
    Object.assign(first.body as object, { title: 'spoiled' });
    assert.not.match(JSON.stringify(second.body), /spoiled/);
  }),
);

/** Runs of `setImmediate` until the work is done, by a clock on which a slice is over whenever it is read. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  const { now } = performance;
  let [time, turns] = [0, 0];
  const next = (): void => {
    turns += 1;
    waiting = setImmediate(next);
  };
  let waiting = setImmediate(next);
  try {
    performance.now = () => (time += 1000);
    await work();
  } finally {
    performance.now = now;
    clearImmediate(waiting);
  }
  return turns;
}

askings('renders a long text while others have turns', () =>
  withSite({ keepsAnswers: false }, async ({ store, ask }) => {
    const show = async (content: string): Promise<number> => {
      await store.commit([{ op: 'update', collection: 'posts', id: 31, values: { content } }]);
      return countTurns(async () => {
        const shown = await ask({ path: `${POSTS}/31?_fields=content` });
        assert.ok(shown.includes(JSON.stringify(renderContent(content))));
      });
    };
    const content = '<em>x</em> '.repeat(50_000);
    const steps = [...renderContentInSteps(content)].length;
    assert.ok(steps > 100, String(steps));
    const [short, long] = [await show('<em>x</em>'), await show(content)];
    assert.ok(long >= short + steps, `${long} turns for ${steps} steps; a short text takes ${short}`);
  }),
);
askings.run();
