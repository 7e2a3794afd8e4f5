import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../lib/core/cooperative.ts';
import { escapeXml } from '../../lib/core/escape.ts';
import { ANONYMOUS } from '../../lib/core/identity.ts';
import { toPlainText } from '../../registry/core/content/html/plain-text.ts';
import { renderExcerpt } from '../../registry/core/content/render/excerpt.ts';
import { renderContent, renderTitle } from '../../registry/core/content/render/render.ts';
import { sanitiseContent, sanitiseTitle } from '../../registry/core/content/sanitise/sanitise.ts';
import { parseShortcodes } from '../../registry/core/content/shortcodes/shortcode-parser.ts';
import { toStats } from '../../registry/plugins/builder/index.ts';
import { cleanTargets } from '../../registry/plugins/ml/delivery/clean-texts.ts';
import { pluralForms } from '../../registry/plugins/ml/mo/plural-forms.ts';
import { readXmlConfig } from '../../registry/plugins/ml/records/xml-config.ts';
import { readXliff } from '../../registry/plugins/ml/xliff/xliff-read.ts';
import { createScope } from '../../registry/plugins/secscan/rules/rule.ts';
import { postRules } from '../../registry/plugins/secscan/rules/rules.ts';
import { DEFAULT_SETTINGS } from '../../registry/plugins/secscan/settings/settings.ts';
import { toOwnSite } from '../../registry/plugins/secscan/text/address.ts';
import { readPost } from '../../registry/plugins/secscan/text/read-post.ts';
import { isHiding } from '../../registry/plugins/secscan/text/style.ts';
import { readContent } from '../../registry/plugins/seo/values/content-facts.ts';
import { phrasesOf } from '../../registry/plugins/seo/values/page-context.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { countRuns } from '../support/long-mode.ts';
import { createTestPorts } from '../support/ports.ts';
import { createWholeSite } from '../support/whole-site.ts';
import { listIssues, scan, toPost } from './plugins/secscan/planted-site.ts';

// Names that every object inherits, such as `constructor`, must be ordinary words wherever outside text is looked up in a table.
const WORDS = Object.getOwnPropertyNames(Object.prototype);

const tables = suite('an inherited word');

for (const word of WORDS) {
  tables(`${word} as a CSS property hides nothing`, () =>
    assert.is(isHiding(`${word}:x;${word}:none`), false),
  );

  tables(`${word} as a locale has the plural rule of a language without a table`, () =>
    assert.is(pluralForms(word), pluralForms('xx')),
  );

  tables(`${word} as a language has the words of English`, () => assert.is(phrasesOf(word), phrasesOf('en')));

  tables(`${word} as the id of a text is cleaned as a field`, () => {
    const clean = (id: string): readonly string[] => {
      const targets = Object.fromEntries([
        [id, { text: '<b>a</b><script>1</script>', state: 'translated' as const }],
      ]);
      return [...runSteps(cleanTargets({ fields: [], targets }, ANONYMOUS)).texts.values()];
    };
    assert.equal(clean(word), clean('field'));
  });

  tables(`${word} as a state of XLIFF is unknown`, () => {
    const versions = [
      `<xliff version="1.2"><file original="1" source-language="en" target-language="fr"><body><trans-unit id="${word}"><source>a</source><target state="${word}">b</target></trans-unit></body></file></xliff>`,
      `<xliff version="2.0" srcLang="en" trgLang="fr"><file id="f" original="1"><unit id="${word}"><segment state="${word}"><source>a</source><target>b</target></segment></unit></file></xliff>`,
    ];
    for (const text of versions)
      assert.equal(readXliff(text).targets, [{ id: word, source: 'a', text: 'b', state: 'initial' }]);
  });

  tables(`${word} as the action of a custom field is to ignore it`, () => {
    const config = readXmlConfig(
      `<ml-config><custom-fields><custom-field action="${word}">price</custom-field></custom-fields></ml-config>`,
    );
    assert.is(config.fields.get('price'), 'ignore');
  });
}

tables('as element, attribute and CSS property ends no scan', async () => {
  const ports = createTestPorts();
  const texts = WORDS.map(
    (word) => `<${word} ${word}="${word}" style="${word}:x"><p>a<${word}>b</p></${word}>`,
  );
  await ports.store.commit([
    ...texts.map((content) => toPost({ content })),
    toPost({ id: 99, content: '<script>1</script>' }),
  ]);
  assert.is(await scan(ports), 'finished');
  assert.equal(await listIssues(ports), ['script-element post 99']);
});

tables.run();

/** Number of runs of the property. */
const RUNS = countRuns(1500, 100_000);

const word = fc.constantFrom(
  ...WORDS,
  'p',
  'a',
  'img',
  'svg',
  'table',
  'script',
  'style',
  'href',
  'embed',
  'gallery',
  'core/html',
);

/** A piece of markup that consists of such words. */
const piece = fc
  .tuple(fc.nat(11), word, word, word)
  .map(
    ([form, a, b, c]) =>
      [
        `<${a} ${b}="${c}">`,
        `<${a} style="${b}:${c};${c}:none">`,
        `</${a}>`,
        `<${a} ${b}`,
        `<!-- cms:${a} {"${b}":"${c}"} -->`,
        `<!-- /cms:${a} -->`,
        `<!-- cms:${a} {"${b}":1} /-->`,
        `[${a} ${b}="${c}"]`,
        `[/${a}]`,
        `&${a};`,
        `${a}:${b}`,
        ` ${a}\n`,
      ][form] ?? '',
  );

const own = toOwnSite('http://site.test');
const scope = createScope('http://site.test', DEFAULT_SETTINGS);

/** Every function that parses texts. Each must finish without an error. */
const READERS_OF_TEXT: Readonly<Record<string, (text: string) => unknown>> = {
  renderContent,
  renderTitle,
  sanitiseContent,
  sanitiseTitle,
  toPlainText,
  readContent,
  isHiding,
  renderExcerpt: (text) => renderExcerpt({ excerpt: '', content: text }),
  footnotes: (text) =>
    renderContent('<!-- cms:footnotes /-->', { footnotes: JSON.stringify([{ id: text, content: text }]) }),
  shortcodes: (text) => parseShortcodes(text, (name) => name === 'gallery'),
  stats: toStats,
  scan: async (text) => {
    const post = await readPost(
      { id: 1, version: 1, title: text, content: text, slug: text, password: '' },
      'post',
      { own, pause: async () => undefined },
    );
    return postRules.map((rule) => rule.check(post, scope));
  },
  xliff: (text) =>
    readXliff(
      `<xliff version="1.2"><file original="1" source-language="en" target-language="fr"><body><trans-unit id="a"><source>x</source><target>${escapeXml(text)}</target></trans-unit></body></file></xliff>`,
    ),
};

const property = suite('any markup of inherited words');

for (const [name, read] of Object.entries(READERS_OF_TEXT)) {
  property(`is read by ${name}`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        assert.is.not(await read(pieces.join('')), undefined);
      }),
      { numRuns: RUNS },
    ),
  );
}

property.run();

const posts = suite('a post full of inherited words');

const FIXTURE: Fixture = {
  site: { name: 'Words', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [
    ['admin', 'administrator'],
    ['author', 'author'],
  ].map(([login = '', role = ''], at) => ({ id: at + 1, login, name: login, slug: login, role })),
};

const CONTENT = WORDS.map(
  (word) =>
    `<!-- cms:${word} {"${word}":1} -->\n<${word} ${word}="x" style="${word}:x">[${word} ${word}="1"]x[/${word}]</${word}>\n<!-- /cms:${word} -->\n`,
).join('');

/** Every route that reads the texts of posts: method, address and caller. */
const READERS = [
  ['GET', '/cms/v2/posts', null],
  ['GET', '/cms/v2/posts?_embed&search=x', null],
  ['GET', '/cms/v2/posts?context=edit&status=any', 'admin'],
  ['GET', '/seo/v1/get_head?url=http://site.test/en/', null],
  ['GET', '/builder/rendered_content?post_id=1', 'admin'],
  ['GET', '/builder/photofeed/media', null],
  ['POST', '/seo/v1/indexing/posts', 'admin'],
  ['POST', '/seo/v1/link-indexing/posts', 'admin'],
  ['GET', '/seo/v1/statistics', 'admin'],
] as const;

for (const writer of ['admin', 'author']) {
  posts(`of an ${writer} is read by everything and deleted`, async () => {
    const { ask, close, logged, store } = await createWholeSite({ fixture: FIXTURE });
    for (const content of [CONTENT, ...WORDS.map((word) => `<${word}>`)]) {
      const { status } = await ask({
        method: 'POST',
        target: '/cms/v2/posts',
        as: writer,
        body: { title: 'Words', status: 'publish', content },
      });
      assert.is(status, 201);
    }
    for (const [method, target, as] of READERS) {
      const { status } = await ask({ method, target, as });
      assert.ok(status < 500, `${method} ${target}: ${status}`);
    }
    assert.equal(
      logged.filter(({ level }) => level === 'error'),
      [],
    );
    for (let id = 1; id <= WORDS.length + 1; id += 1)
      assert.is(
        (await ask({ method: 'DELETE', target: `/cms/v2/posts/${id}?force=true`, as: writer })).status,
        200,
      );
    await close();
    await store.close();
  });
}

posts.run();
