// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Upstream } from '../../../../../lib/ports/upstream.ts';
import type { TextProblem } from '../../../../../registry/plugins/ml/engine/text-engine.ts';
import { createMachineEngines } from '../../../../../registry/plugins/ml/machine/machine-engine.ts';
import type { MachineOptions } from '../../../../../registry/plugins/ml/machine/machine.ts';
import { toBatches } from '../../../../../registry/plugins/ml/machine/send-texts.ts';
import { TEST_CONFIG } from '../../../../support/ports.ts';
import { KEY, withMachine, type MachineServer, type Odd } from './machine-server.ts';

const OPTIONS: MachineOptions = { deepl: {}, libretranslate: { apiKey: KEY } };

async function translate(
  { upstream }: Pick<MachineServer, 'upstream'>,
  sources: Readonly<Record<string, string>>,
  {
    options = OPTIONS,
    pair = ['en', 'fr'],
  }: { options?: MachineOptions; pair?: readonly [string, string] } = {},
) {
  const problems: TextProblem[] = [];
  const [engine] = createMachineEngines(
    { upstream, config: TEST_CONFIG },
    { machines: options, textEngines: [] },
  );
  const fields = Object.entries(sources).map(([id, source]) => ({ id, label: id, source }));
  const [source, target] = pair;
  const targets = await engine?.translate({
    post: 1,
    source,
    target,
    fields,
    isShortcode: (name) => name === 'gallery',
    report: (problem) => {
      problems.push(problem);
    },
  });
  return { texts: Object.fromEntries([...(targets ?? [])].map(([id, { text }]) => [id, text])), problems };
}

const TEXTS = {
  title: 'R&D',
  URL: 'hello-world',
  body: '<!-- cms:paragraph -->\n<p>Hello <b>big</b> [gallery ids="1"] %s</p>\n<!-- /cms:paragraph -->',
  excerpt: '2024',
};
const SHOUTED = {
  title: 'R&D',
  URL: 'hello-world',
  body: '<!-- cms:paragraph -->\n<p>HELLO <b>BIG</b> [gallery ids="1"] %s</p>\n<!-- /cms:paragraph -->',
  excerpt: '2024',
};

const engines = suite('createMachineEngine');
for (const id of ['deepl', 'libretranslate'] as const) {
  engines(`${id}: tags, shortcodes, placeholders and block comments survive`, () =>
    withMachine(id, async (server) => {
      assert.equal(await translate(server, TEXTS), { texts: SHOUTED, problems: [] });
      assert.is(server.asked.length, 1);
    }),
  );

  engines(`${id}: each text is sent once`, () =>
    withMachine(id, async (server) => {
      await translate(server, { title: 'Same', body: '<p>Same</p><p>Other</p><p>Same</p>' });
      assert.equal(
        server.asked.flatMap((body) => body['text'] ?? body['q']),
        ['Same', 'Other'],
      );
    }),
  );

  const BROKEN: readonly (readonly [name: string, odd: Odd, message: RegExp])[] = [
    ['fewer texts', { body: { translations: [], translatedText: [] } }, /0 translations of \d texts/],
    ['other members', { body: { text: 'x' } }, /no translations/],
    ['a list', { body: [] }, /no translations/],
    ['invalid JSON', { raw: '{"trans' }, /not JSON/],
    [
      'texts that are numbers',
      { body: { translations: [{ text: 1 }, { text: 1 }, { text: 1 }], translatedText: [1, 2, 3] } },
      /not a text/,
    ],
    [
      'an empty text',
      {
        body: { translations: [{ text: '' }, { text: 'x' }, { text: 'x' }], translatedText: ['', 'x', 'x'] },
      },
      /empty/,
    ],
    ['a failure', { status: 500, body: { message: KEY } }, /failed \(status 500\)/],
    ['a refused key', { status: 403, body: { message: KEY } }, /refuses the key/],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, /status 302/],
  ];
  for (const [name, odd, message] of BROKEN) {
    engines(`${id}: ${name}`, () =>
      withMachine(id, async (server) => {
        server.odd.push(odd);
        const { texts, problems } = await translate(server, TEXTS);
        assert.equal(
          [texts, problems.length, problems[0]?.failed, server.asked.length],
          [{ excerpt: '2024' }, 1, true, 1],
        );
        assert.match(problems[0]?.message ?? '', message);
        assert.not.match(JSON.stringify(problems), KEY);
      }),
    );
  }

  engines(`${id}: a service that is busy is asked three times`, () =>
    withMachine(id, async (server) => {
      const busy = { status: 429, headers: { 'retry-after': '0' } };
      server.odd.push(busy, { ...busy, status: 503 });
      assert.equal((await translate(server, TEXTS)).texts, SHOUTED);
      server.odd.push(busy, busy, busy);
      const { problems } = await translate(server, TEXTS);
      assert.match(problems[0]?.message ?? '', /too many requests \(status 429\)/);
      assert.is(server.asked.length, 6);
    }),
  );

  engines(`${id}: a service that asks for more time is not waited for`, () =>
    withMachine(id, async (server) => {
      server.odd.push({ status: 429, headers: { 'retry-after': '3600' } });
      assert.is((await translate(server, TEXTS)).problems.length, 1);
      assert.is(server.asked.length, 1);
    }),
  );

  engines(`${id}: texts that are too long together are sent in halves`, () =>
    withMachine(id, async (server) => {
      server.odd.push({ status: 413 });
      assert.equal((await translate(server, { body: '<p>a</p><p>b</p><p>c</p>' })).texts, {
        body: '<p>A</p><p>B</p><p>C</p>',
      });
      assert.equal(
        server.asked.map((body) => (body['text'] ?? body['q']).length),
        [3, 2, 1],
      );
      server.odd.push({ status: 413 });
      assert.match((await translate(server, { body: '<p>a</p>' })).problems[0]?.message ?? '', /too long/);
    }),
  );

  engines(`${id}: no response in time`, () =>
    withMachine(id, async (server) => {
      server.odd.push({ silent: true });
      const upstream: Upstream = {
        ...server.upstream,
        request: (name, request) => server.upstream.request(name, { ...request, timeoutMs: 50 }),
      };
      assert.equal(
        (await translate({ upstream }, TEXTS)).problems.map(({ code }) => code),
        ['service_timeout'],
      );
    }),
  );

  engines(`${id}: what arrived before a failure counts`, () =>
    withMachine(id, async (server) => {
      const paragraphs = Array.from({ length: 60 }, (_, index) => `<p>word ${index}</p>`).join('');
      const request = server.upstream.request.bind(server.upstream);
      let count = 0;
      const upstream: Upstream = {
        ...server.upstream,
        request: (name, sent) => {
          count += 1;
          if (count === 2) server.odd.push({ status: 500 });
          return request(name, sent);
        },
      };
      const { texts, problems } = await translate({ upstream }, { title: 'Hello', body: paragraphs });
      assert.equal([texts, problems.length, count], [{ title: 'HELLO' }, 1, 2]);
    }),
  );

  engines(`${id}: a lost shortcode leaves the text to people, a lost tag is reported`, () =>
    withMachine(id, async (server) => {
      const toOdd = (text: string): Odd => ({ body: { translations: [{ text }], translatedText: [text] } });
      server.odd.push(toOdd('BONJOUR'), toOdd('BONJOUR'));
      const lost = await translate(server, { body: 'Hello [gallery]' });
      assert.equal(
        [lost.texts, lost.problems.map(({ code, failed }) => [code, failed])],
        [{}, [['xliff_markup_lost', undefined]]],
      );
      const thin = await translate(server, { body: '<p>Hello <b>you</b></p>' });
      assert.equal(
        [thin.texts, thin.problems.map(({ code }) => code)],
        [{ body: '<p>BONJOUR</p>' }, ['tags_lost']],
      );
    }),
  );
}

engines('deepl: 120 texts and 300 KiB are sent within 50 texts and 128 KiB', () =>
  withMachine('deepl', async (server) => {
    const body = Array.from(
      { length: 120 },
      (_, index) => `<p>word ${index} ${'é "x" '.repeat(400)}</p>`,
    ).join('\n');
    const { texts, problems } = await translate(server, { body });
    assert.equal([problems, texts['body']], [[], body.replaceAll(/word|é|x/g, (word) => word.toUpperCase())]);
    assert.ok(server.asked.length >= 3);
  }),
);
engines('deepl: a used up quota', () =>
  withMachine('deepl', async (server) => {
    server.odd.push({ status: 456 });
    assert.is(
      (await translate(server, TEXTS)).problems[0]?.message,
      'DeepL: the quota of the account is used up (status 456).',
    );
  }),
);
engines('deepl: languages, formality and glossary', () =>
  withMachine('deepl', async (server) => {
    const options: MachineOptions = {
      deepl: { formality: 'prefer_less', glossaries: { 'en:pt-br': 'g-1' }, codes: { xx: 'ES' } },
      libretranslate: {},
    };
    for (const pair of [
      ['en', 'pt-br'],
      ['pt-br', 'en'],
      ['de-at', 'zh-tw'],
      ['en-gb', 'xx'],
    ] as const)
      await translate(server, { title: 'Hello' }, { options, pair });
    assert.equal(
      server.asked.map(({ text: _text, tag_handling: _tags, ...rest }) => rest),
      [
        { source_lang: 'EN', target_lang: 'PT-BR', formality: 'prefer_less', glossary_id: 'g-1' },
        { source_lang: 'PT', target_lang: 'EN-US', formality: 'prefer_less' },
        { source_lang: 'DE', target_lang: 'ZH-HANT', formality: 'prefer_less' },
        { source_lang: 'EN', target_lang: 'ES', formality: 'prefer_less' },
      ],
    );
  }),
);
engines('a wrong key appears in no message', async () => {
  await withMachine(
    'deepl',
    async (server) => {
      const { problems } = await translate(server, TEXTS);
      assert.equal(
        [problems[0]?.code, problems[0]?.message],
        ['service_bad_response', 'DeepL: the service refuses the key (status 403).'],
      );
    },
    'other-key',
  );
});
engines('JSON and slugs of other scripts stay with people', () =>
  withMachine('deepl', async (server) => {
    const [engine] = createMachineEngines(
      { upstream: server.upstream, config: TEST_CONFIG },
      { machines: OPTIONS, textEngines: [] },
    );
    const fields = [
      { id: 'field-x-0', label: 'x', source: '{"a":"b"}', path: ['x'] },
      { id: 'URL', label: 'URL', source: '%d0%b0' },
    ];
    assert.is(
      (await engine?.translate({ post: 1, source: 'en', target: 'fr', fields, isShortcode: () => false }))
        ?.size,
      0,
    );
  }),
);
engines('an engine of the host cannot have the id of a connected service', () =>
  withMachine('deepl', async ({ upstream }) => {
    const own = { id: 'deepl', label: 'x', languages: [], translate: async () => new Map() };
    assert.throws(
      () =>
        createMachineEngines({ upstream, config: TEST_CONFIG }, { machines: OPTIONS, textEngines: [own] }),
      (error: unknown) => error instanceof TypeError && error.message.includes('"deepl"'),
    );
  }),
);
/** Translates more texts than one request has. `before`: what happens before a request, counted from 1. */
async function translateMany(
  { upstream }: Pick<MachineServer, 'upstream'>,
  translation: string,
  before: (count: number) => unknown,
) {
  let count = 0;
  const port: Upstream = {
    ...upstream,
    async request(service, request) {
      if (request.path === '/v2/translate') await before((count += 1));
      return upstream.request(service, request);
    },
  };
  const [engine] = createMachineEngines(
    { upstream: port, config: TEST_CONFIG },
    { machines: { ...OPTIONS, deepl: { syncGlossary: true } }, textEngines: [] },
  );
  const problems: TextProblem[] = [];
  const fields = Array.from({ length: 51 }, (_each, index) => ({
    id: `f${index}`,
    label: 'f',
    source: `House ${index}`,
  }));
  const targets = await engine?.translate({
    post: 1,
    source: 'en',
    target: 'fr',
    fields,
    terms: [{ term: 'house', translation, caseSensitive: false, note: '' }],
    isShortcode: () => false,
    report: (problem) => {
      problems.push(problem);
    },
  });
  return { texts: ['f0', 'f50'].map((id) => targets?.get(id)?.text), problems };
}
engines('deepl: a job whose glossary is removed by a job with newer terms makes it again', () =>
  withMachine('deepl', async (server) => {
    const newer: unknown[] = [];
    const older = await translateMany(server, 'maison', async (count) => {
      if (count === 2) newer.push(await translateMany(server, 'logis', () => undefined));
    });
    assert.equal(
      [older, newer],
      [
        { texts: ['maison 0', 'maison 50'], problems: [] },
        [{ texts: ['logis 0', 'logis 50'], problems: [] }],
      ],
    );
    assert.equal(
      [...server.glossaries.values()].map(({ entries }) => entries.get('house')),
      ['logis', 'maison'],
      'the newer one stays',
    );
  }),
);
engines('deepl: a glossary that is removed is made again once', () =>
  withMachine('deepl', async (server) => {
    const { problems } = await translateMany(server, 'maison', () => {
      server.glossaries.clear();
    });
    assert.equal(
      [server.asked.length, problems.map(({ failed, message }) => [failed, message])],
      [2, [[true, 'DeepL: the service failed (status 404).']]],
    );
  }),
);
engines.run();

const batches = suite('toBatches');
batches('groups texts by number and by size', () => {
  assert.equal(toBatches({ maxTexts: 2, maxBytes: 100 }, ['a', 'b', 'c']), [['a', 'b'], ['c']]);
  assert.equal(toBatches({ maxTexts: 9, maxBytes: 20 }, ['é'.repeat(5), 'b'.repeat(9), 'c'.repeat(30)]), [
    ['é'.repeat(5)],
    ['b'.repeat(9)],
  ]);
  assert.equal(toBatches({ maxTexts: 9, maxBytes: 20 }, []), []);
});
batches.run();
