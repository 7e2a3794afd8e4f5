import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createRequest } from '../../lib/index.ts';
import { collections, createSite, NEUTRAL_NAMES, type SiteOptions } from '../../registry/index.ts';
import { createProbe } from '../support/probe.ts';

/** The message of the TypeError with which building the site fails. */
async function refusalOf(options: object | undefined): Promise<string> {
  const outcome: unknown = await createSite(options as SiteOptions).then(
    () => null,
    (error: unknown) => error,
  );
  assert.instance(outcome, TypeError);
  return (outcome as TypeError).message;
}

const site = suite('createSite');

site('refuses to do without a store', async () => {
  for (const options of [undefined, {}, { store: null }, { store: './data' }])
    assert.match(await refusalOf(options), 'createSite needs a store');
});

site('refuses a store that was made for other collections', async () => {
  for (const others of [[], collections.filter(({ name }) => name !== 'posts')]) {
    assert.match(
      await refusalOf({ store: createMemoryStore(others), secret: new Uint8Array(32) }),
      /^store of createSite: There is no collection "\w+"\. The store must be made for the collections of the site: createMemoryStore\(collectionsOf\(/,
    );
  }
});

site(
  'writes nothing at a start that is there already, so that caches stay and a store that takes no writes is served',
  async () => {
    const store = createMemoryStore(collections);
    const revisionAfterStart = async (): Promise<number> => {
      const { close } = await createSite({ store });
      await close();
      return store.revision(collections.map(({ name }) => name));
    };
    const first = await revisionAfterStart();
    assert.equal([await revisionAfterStart(), await revisionAfterStart()], [first, first]);
  },
);

site('refuses options that it does not have', async () => {
  const store = createMemoryStore(collections);
  assert.match(
    await refusalOf({ store, namespace: [] }),
    'unknown member "namespace" of the options of createSite',
  );
});

const WRONG: readonly (readonly [options: object, refusal: RegExp])[] = [
  [
    { secret: 'short and hushed' },
    /^secret of the options of createSite is not a Uint8Array \(string\); it must be a Uint8Array of 32 bytes or more/,
  ],
  [{ secret: Buffer.from('hushed') }, /^secret of .* has 6 bytes; it must be/],
  ...[[], ['EN/'], ['en', 'en'], 'en', [5]].map(
    (prefixes) =>
      [
        { prefixes },
        /^prefixes of the options of createSite is .*; it must be a list of different language codes/,
      ] as const,
  ),
  [{ languages: [] }, /^languages of /],
  [
    { cache: { entires: 5 } },
    /unknown member "entires" of cache of createSite; the members are entries, bytes/,
  ],
  ...['Content-Type', 'set-cookie', 'Cache-Control', 'a b'].map(
    (tags) =>
      [
        { cache: { tags } },
        /^tags of cache of createSite is .*; it must be the name of a header that nothing/,
      ] as const,
  ),
  [{ webhook: { send: () => undefined } }, /^webhook of createSite.*url is missing/],
  [
    {
      webhook: {
        send: () => undefined,
        url: 'http://a.test/',
        siteUrl: 'http://b.test',
        secret: 'whsec_eA==',
      },
    },
    /^webhook of createSite.secret: the value is not whsec_ and at least 16 bytes/,
  ],
  [{ cache: { bytes: -1 } }, /^bytes of cache of createSite is -1/],
  [{ cache: true }, /^cache of .* is true; it must be false or an object/],
  [{ log: 'x' }, /^log of .* is "x"; it must be a function/],
  [{ now: 5 }, /^now of .* is 5; it must be a function/],
  [{ random: 4 }, /^random/],
  [{ bearer: {} }, /^bearer/],
  [{ authenticate: {} }, /^authenticate/],
  [{ handlerTimeoutMs: 0 }, /^handlerTimeoutMs of .* is 0; it must be a whole number of 1 or more/],
  [{ answerLimit: '1' }, /^answerLimit/],
  [{ outbound: {} }, /^outbound/],
  [{ upstream: () => 1 }, /^upstream/],
  [{ jsonp: 'yes' }, /^jsonp/],
  [{ namespaces: {} }, /^namespaces/],
  [{ media: 'uploads' }, /^media of .* is "uploads"/],
  [{ frontEnd: 'www.example.org' }, /^frontEnd of the options of createSite is "www\.example\.org"/],
  [{ frontEnd: 'https://www.example.org/' }, /without a trailing slash/],
  [{ names: {} }, /^apiSegment of names is undefined; it must be letters/],
  [{ names: { ...NEUTRAL_NAMES, apiSegment: 'a/b' } }, /^apiSegment of names is "a\/b"/],
  [{ names: { ...NEUTRAL_NAMES, curie: {} } }, /^neutral of curie of names/],
  [{ names: { ...NEUTRAL_NAMES, apiSegmnet: 'x' } }, /unknown member "apiSegmnet" of names/],
  [{ names: { ...NEUTRAL_NAMES, segments: { cms: 5 } } }, /^cms of segments of names is 5/],
  [{ config: { soe: {} } }, /^config\.soe: unknown member; the members are cms, oembed, ml, /],
  [{ config: { seo: 5 } }, /^config\.seo: 5 is not an object/],
  [
    { config: { seo: { introductoins: [] } } },
    /^config\.seo\.introductoins: unknown member; the members are introductions, alerts, /,
  ],
  [{ languages: 'de' }, /^languages of /],
  [{ users: [] }, /unknown member "users" of the options of createSite/],
  [{ settings: {} }, /unknown member "settings"/],
  [{ roles: {} }, /unknown member "roles"/],
  [{ store: { find: () => [] } }, /^store of createSite\.get is missing; it must be a function/],
  [{ upstream: { origin: () => null } }, /^upstream of createSite\.request is missing/],
  [{ files: { list: 1 } }, /^files of createSite\.list: 1 is not a function/],
  [{ media: { sise: () => 1 } }, /^media of createSite\.size is missing/],
  [{ imports: {} }, /^imports of createSite\.lines is missing/],
];

site('refuses options that do not fit, by name', async () => {
  for (const [options, refusal] of WRONG) {
    const text = await refusalOf({ store: createMemoryStore(collections), ...options });
    assert.match(text, refusal);
    assert.not.match(text, 'hushed');
  }
});

site('accepts every option', async () => {
  const options: SiteOptions = {
    store: createMemoryStore(collections),
    prefixes: ['nl'],
    languages: ['nl'],
    secret: new Uint8Array(32),
    namespaces: [],
    jsonp: true,
    cache: false,
    config: {},
    log: () => undefined,
    authenticate: () => null,
    handlerTimeoutMs: 1000,
    answerLimit: 1000,
  };
  const made = await createSite(options);
  assert.equal(made.engine.prefixes, ['nl']);
  await made.close();
});

site('serves each language below its own prefix if no prefixes are given', async () => {
  const options = { store: createMemoryStore(collections), log: () => undefined };
  const made = await createSite({ ...options, languages: ['de', 'es'] });
  assert.equal(made.engine.prefixes, ['de', 'es']);
  await made.close();
});

site('treats an undefined option as missing', async () => {
  const faults: unknown[] = [];
  const without = Object.fromEntries(
    [
      'names',
      'prefixes',
      'languages',
      'secret',
      'config',
      'namespaces',
      'bearer',
      'authenticate',
      'jsonp',
      'handlerTimeoutMs',
      'answerLimit',
      'cache',
      'now',
      'random',
      'outbound',
      'upstream',
      'files',
      'media',
      'imports',
    ].map((name) => [name, undefined]),
  );
  const made = await createSite({
    store: createMemoryStore(collections),
    log: (event) => faults.push(event),
    ...without,
  });
  for (const target of ['/', '/cms/v2/posts']) {
    assert.is(
      (await made.engine.serve(createRequest(target, { siteUrl: 'https://site.test' }))).status,
      200,
      target,
    );
  }
  assert.equal(faults, []);
  await made.close();
});

site('limits the time of a call and the size of a response as configured', async () => {
  const namespaces = [
    createProbe({
      handler: ({ wait }) => (wait === undefined ? 'x'.repeat(100) : new Promise(() => undefined)),
      endpoint: { args: { wait: { type: 'integer' } } },
    }),
  ];
  for (const [target, options, status] of [
    ['/probe/v1/it', {}, 200],
    ['/probe/v1/it', { answerLimit: 100, log: () => undefined }, 500],
    ['/probe/v1/it?wait=1', { handlerTimeoutMs: 20 }, 504],
  ] as const) {
    const made = await createSite({ store: createMemoryStore(collections), namespaces, ...options });
    assert.is((await made.engine.serve(createRequest(target))).status, status, target);
    await made.close();
  }
});

site.run();
