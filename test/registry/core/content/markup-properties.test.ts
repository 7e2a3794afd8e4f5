// Properties that must hold for any input. A full HTML parser decides.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderExcerpt } from '../../../../registry/core/content/render/excerpt.ts';
import { renderContent, renderTitle } from '../../../../registry/core/content/render/render.ts';
import {
  POST_MARKUP,
  TITLE_MARKUP,
  type AllowList,
} from '../../../../registry/core/content/sanitise/allowed.ts';
import { sanitiseFootnotes } from '../../../../registry/core/content/sanitise/footnotes.ts';
import { sanitiseContent, sanitiseTitle } from '../../../../registry/core/content/sanitise/sanitise.ts';
import { filterEmbedHtml } from '../../../../registry/plugins/oembed/foreign-answer.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { allowedMarkup, hostileMarkup, tagSoup } from '../../../support/markup-arbitraries.ts';
import {
  isContained,
  listElements,
  listFaults,
  listFaultsAnywhere,
  listFaultsOfEmbed,
} from '../../../support/markup-judge.ts';

const numRuns = countRuns(800, 100_000);

function isListed(
  { elements, globals, prefixes }: AllowList,
  name: string,
  attributes: readonly string[],
): boolean {
  const own = elements.get(name);
  return (
    own !== undefined &&
    attributes.every(
      (each) => own.has(each) || globals.has(each) || prefixes.some((prefix) => each.startsWith(prefix)),
    )
  );
}

const cleaning = suite('cleaning');

for (const [name, clean, allowed] of [
  ['sanitiseContent', sanitiseContent, POST_MARKUP],
  ['sanitiseTitle', sanitiseTitle, TITLE_MARKUP],
] as const) {
  cleaning(
    `${name} leaves nothing that acts, that is not listed, or that reaches out of the text, and does nothing the second time`,
    () => {
      fc.assert(
        fc.property(hostileMarkup, (html) => {
          const kept = clean(html);
          assert.equal(listFaultsAnywhere(kept), []);
          assert.equal(
            listElements(kept).filter(([element, attributes]) => !isListed(allowed, element, attributes)),
            [],
          );
          assert.ok(isContained(kept), kept);
          assert.is(clean(kept), kept);
        }),
        { numRuns },
      );
    },
  );
}
cleaning('tags in any order stay within the text', () => {
  fc.assert(
    fc.property(tagSoup, (html) => {
      const kept = sanitiseContent(html);
      assert.ok(isContained(kept), kept);
      assert.is(sanitiseContent(kept), kept);
    }),
    { numRuns },
  );
});
cleaning('allowed markup stays byte for byte', () => {
  fc.assert(
    fc.property(allowedMarkup, (html) => {
      assert.is(sanitiseContent(html), html);
    }),
    { numRuns },
  );
});
cleaning.run();

/** How posts are rendered for readers. `clean`: what is stored for a caller without `unfiltered_html`. */
const RENDERERS: readonly (readonly [
  name: string,
  clean: (html: string) => string,
  render: (source: string) => string,
])[] = [
  ['content.rendered', sanitiseContent, (content) => renderContent(content)],
  [
    'content.rendered of an embed',
    (html) => sanitiseContent(`<!-- cms:embed -->\n${html}\n<!-- /cms:embed -->`),
    (content) => renderContent(content),
  ],
  ['excerpt.rendered', sanitiseContent, (excerpt) => renderExcerpt({ excerpt, content: '' })],
  [
    'excerpt.rendered, made of the content',
    sanitiseContent,
    (content) => renderExcerpt({ excerpt: '', content }),
  ],
  ['title.rendered', sanitiseTitle, renderTitle],
  [
    'the block of footnotes',
    (html) => html,
    (html) =>
      renderContent('<!-- cms:footnotes /-->', { footnotes: JSON.stringify([{ id: html, content: html }]) }),
  ],
  [
    'meta.footnotes',
    (html) => html,
    (html) =>
      (
        JSON.parse(sanitiseFootnotes(JSON.stringify([{ id: 'a', content: html }]))) as { content: string }[]
      )[0]?.content ?? '',
  ],
];

const rendered = countRuns(300, 20_000);
const rendering = suite('rendering');

for (const [name, clean, render] of RENDERERS) {
  rendering(`${name} contains nothing active`, () => {
    fc.assert(
      fc.property(hostileMarkup, (html) => {
        assert.equal(listFaultsAnywhere(render(clean(html))), []);
      }),
      { numRuns: rendered },
    );
  });
}
rendering('frames of an embed are sandboxed, and nothing else of it is active', () => {
  fc.assert(
    fc.property(hostileMarkup, (html) => {
      assert.equal(listFaultsOfEmbed(filterEmbedHtml(html)), []);
    }),
    { numRuns: rendered },
  );
});
rendering('shows what only someone with unfiltered_html may have written as it stands', () => {
  assert.is(
    renderContent('<p onclick="x()">a</p>\n<iframe src="https://a.test/"></iframe>'),
    '<p onclick="x()">a</p>\n<p><iframe src="https://a.test/"></iframe></p>\n',
  );
  assert.is(
    renderTitle('a <a href="/x" onclick="y()">b</a> & c'),
    'a <a href="/x" onclick="y()">b</a> &#038; c',
  );
});
rendering.run();

const judge = suite('the judge');

judge('finds what acts in most of what attackers write', () => {
  const samples = fc.sample(hostileMarkup, { numRuns: 500, seed: 1 });
  assert.ok(samples.filter((html) => listFaults(html).length > 0).length > 200);
  assert.ok(samples.filter((html) => !isContained(html)).length > 100);
});
judge('knows what authors write as harmless', () => {
  const samples = fc.sample(allowedMarkup, { numRuns: 500, seed: 1 });
  assert.equal(samples.flatMap(listFaultsAnywhere), []);
  assert.ok(samples.filter((html) => /<[a-z]/i.test(html)).length > 300);
});
judge.run();
