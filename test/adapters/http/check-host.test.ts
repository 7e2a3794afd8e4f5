import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../../adapters/fetch.ts';
import { LoadShedder } from '../../../adapters/http/admission/load-shedder.ts';
import { createListener, createServer, HTTP_LIMITS } from '../../../adapters/node-http.ts';
import { createEngine } from '../../../lib/engine/engine.ts';
import { createEchoHost } from '../../support/echo-host.ts';
import { withServer } from '../../support/raw.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

const SITE_URL = 'https://site.example';
type Make = (host: never, options: never) => unknown;
const MAKERS: readonly Make[] = [createServer, createListener, createFetchHandler];

const WRONG: readonly (readonly [options: unknown, refusal: RegExp])[] = [
  [null, /^the options of create\w+ are null; they must be an object$/],
  [{ siteURL: SITE_URL }, /unknown member "siteURL" of the options of create\w+; the members are siteUrl, /],
  [
    { siteUrl: `${SITE_URL}/` },
    /siteUrl of the options of create\w+ is "https:\/\/site.example\/"; it must be .* without a trailing slash/,
  ],
  [{ siteUrl: 'not a url/' }, /siteUrl of .* is "not a url\/"/],
  [{ siteUrl: 'site.example' }, /siteUrl/],
  [{ siteUrl: 'ftp://site.example' }, /siteUrl/],
  [{ siteUrl: 'https://site.example?a' }, /siteUrl/],
  [{ siteUrl: 'https://a@site.example' }, /siteUrl/],
  [{ siteUrl: 'https://[::1' }, /siteUrl/],
  [{ siteUrl: '' }, /siteUrl/],
  [{ siteUrl: SITE_URL, otherwise: 'page' }, /otherwise of .* is "page"; it must be a function/],
  [{ siteUrl: SITE_URL, address: 'x-real-ip' }, /address of .* is "x-real-ip"; it must be a function/],
  [{ siteUrl: SITE_URL, loadShedder: {} }, /loadShedder of .* is an object; it must be a LoadShedder/],
  [{ siteUrl: SITE_URL, limits: 5 }, /limits of .* is 5; it must be an object/],
  [
    { siteUrl: SITE_URL, limits: { bodyBytez: 5 } },
    /unknown member "bodyBytez" of the limits of create\w+\. Did you mean "bodyBytes"\?/,
  ],
  [
    { siteUrl: SITE_URL, limits: { bodyBytes: '5' } },
    /bodyBytes of the limits of create\w+ is "5"; it must be a whole number of 1 or more/,
  ],
  [{ siteUrl: SITE_URL, limits: { bodyBytes: undefined } }, /bodyBytes .* is undefined/],
  [{ siteUrl: SITE_URL, limits: { inFlight: 0 } }, /inFlight .* is 0/],
  [
    { siteUrl: SITE_URL, limits: { stallTimeoutMs: Infinity } },
    /stallTimeoutMs .* is Infinity; it must be a whole number from 1 to 1073741824/,
  ],
];

const making = suite('making a host');

making('refuses a value that is not an engine, and says what is needed', () => {
  const engine = createEchoHost();
  for (const make of MAKERS) {
    for (const host of [undefined, null, {}, 'en', () => undefined])
      assert.match(
        refusalOf(() => make(host as never, { siteUrl: SITE_URL } as never)),
        new RegExp(`^${make.name} needs an engine: ${make.name}\\(site\\.engine\\)$`),
      );
    assert.match(
      refusalOf(() => make({ engine, close: () => undefined } as never, { siteUrl: SITE_URL } as never)),
      new RegExp(`^${make.name} needs an engine and was given a site: ${make.name}\\(site\\.engine\\)$`),
    );
  }
});

making('refuses invalid options by name', () => {
  for (const make of MAKERS)
    for (const [options, refusal] of WRONG)
      assert.match(
        refusalOf(() => make(createEchoHost() as never, options as never)),
        refusal,
      );
});

making('needs the site URL where it cannot be known', () => {
  for (const options of [undefined, {}])
    assert.match(
      refusalOf(() => createFetchHandler(createEchoHost(), options as never)),
      'siteUrl of the options of createFetchHandler is undefined; it must be the absolute URL',
    );
});

making('refuses a function that would never be called', () => {
  for (const make of MAKERS) {
    const options = { siteUrl: SITE_URL, otherwise: () => undefined } as never;
    assert.match(
      refusalOf(() => make(createEngine() as never, options)),
      /^otherwise of the options of create\w+ would never be called, because every address belongs to the engine; give createEngine a base such as "\/api"$/,
    );
    for (const place of [{ base: '/api' }, { prefixes: ['en'] }]) make(createEngine(place) as never, options);
  }
});

making('accepts valid options', () => {
  const loadShedder = new LoadShedder(HTTP_LIMITS);
  for (const siteUrl of [
    SITE_URL,
    'http://127.0.0.1:8787',
    'http://[::1]:80',
    'https://site.example/blog',
    () => '',
  ]) {
    for (const make of MAKERS)
      make(
        createEchoHost() as never,
        {
          siteUrl,
          loadShedder,
          address: () => undefined,
          otherwise: () => undefined,
          limits: { ...HTTP_LIMITS, bodyBytes: 1 },
        } as never,
      );
  }
});

making.run();

const living = suite('a host whose app fails');

const ask = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

living('responds with 500 when the app does not return its URL, and logs why', async () => {
  const silent = () => undefined as never;
  for (const siteUrl of [
    () => {
      throw new Error('no address');
    },
    silent,
  ]) {
    const logged: unknown[] = [];
    const engine = createTestEngine([], { log: ({ error }) => logged.push(String(error)) });
    await withServer(createServer(engine, { siteUrl }), async (port) => {
      assert.is(await ask(port, '/en/cms-json/'), 500);
      assert.is(
        (await createFetchHandler(engine, { siteUrl })(new Request('http://a/en/cms-json/'))).status,
        500,
      );
      assert.is(logged.length, 2);
      assert.match(logged.join(), /no address|siteUrl must return .* but returned undefined/);
    });
  }
});

living("responds with 500 when the app does not return the caller's address, and logs why", async () => {
  for (const address of [
    () => {
      throw new Error('no caller');
    },
    async () => '192.0.2.1',
    async () => {
      throw new Error('later');
    },
    () => 5,
  ]) {
    const logged: unknown[] = [];
    const engine = createTestEngine([], { log: ({ error }) => logged.push(String(error)) });
    const options = { siteUrl: SITE_URL, address: address as never };
    await withServer(createServer(engine, options), async (port) => {
      assert.is(await ask(port, '/en/cms-json/'), 500);
      assert.is(
        (await createFetchHandler(engine, options)(new Request('http://a/en/cms-json/'))).status,
        500,
      );
      assert.is(logged.length, 2);
      assert.match(
        logged.join(),
        /no caller|address must return .* but returned (?:a number|an instance of Promise|a list|a plain object)/,
      );
    });
  }
});

living('responds with 500 when the app fails at its own address, at once or later', async () => {
  const logged: string[] = [];
  const engine = createTestEngine([], {
    log: ({ error }) => {
      logged.push(String(error));
    },
  });
  for (const otherwise of [
    () => {
      throw new Error('at once');
    },
    async () => {
      throw new Error('later');
    },
  ]) {
    await withServer(createServer(engine, { otherwise }), async (port) => {
      assert.is(await ask(port, '/page'), 500);
    });
  }
  assert.equal(logged, ['Error: at once', 'Error: later']);
});

living('closes the connection when the app breaks off a response', async () => {
  const engine = createTestEngine([]);
  await withServer(
    createServer(engine, {
      otherwise: async (_request, response) => {
        response.write('half');
        throw new Error('later');
      },
    }),
    async (port) => {
      const outcome: unknown = await fetch(`http://127.0.0.1:${port}/page`)
        .then((response) => response.text())
        .catch((error: unknown) => error);
      assert.instance(outcome, Error);
      assert.is(await ask(port, '/en/cms-json/'), 200);
    },
  );
});

living.run();
