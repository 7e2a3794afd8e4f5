import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toHead } from '../../../../../registry/plugins/seo/head/head.ts';
import type { HeadFacts } from '../../../../../registry/plugins/seo/values/head-facts.ts';
import { ARTICLE, AUTHOR, factsOf } from '../values/facts.ts';
import { listDangling, parseHead as parse } from './parse-head.ts';

const typesOf = (facts: HeadFacts) => parse(toHead(facts).html).graph.map((piece) => piece['@type']);

const MARKUP_ROWS: readonly (readonly [
  label: string,
  facts: HeadFacts,
  name: string,
  content: string | undefined,
])[] = [
  [
    'an indexed page has snippet limits',
    factsOf(),
    'robots',
    'index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1',
  ],
  ['a page that is not indexed has no limits', factsOf({}, { noindex: true }), 'robots', 'noindex, follow'],
  [
    'no snippet, no limits',
    factsOf({}, { nosnippet: true, nofollow: true, noarchive: true, noimageindex: true }),
    'robots',
    'index, nofollow, noarchive, noimageindex, nosnippet',
  ],
  ['a search page is not indexed', factsOf({ kind: 'search', article: null }), 'robots', 'noindex, follow'],
  [
    "the editor's description wins",
    factsOf({ description: 'Excerpt' }, { description: 'Mine' }),
    'description',
    'Mine',
  ],
  ['the excerpt is the description', factsOf({ description: 'Excerpt' }), 'description', 'Excerpt'],
  ['the text does not become the description', factsOf(), 'description', undefined],
  [
    "the beginning of the text becomes the card's description",
    factsOf(),
    'og:description',
    'First words of the text.',
  ],
  ['a card title', factsOf({}, { og_title: 'Card' }), 'og:title', 'Card'],
  ['the page title is the card title', factsOf(), 'og:title', 'Alpha - Site'],
  ['the same title is not repeated', factsOf(), 'twitter:title', undefined],
  ['a title of its own for the other card', factsOf({}, { twitter_title: 'T' }), 'twitter:title', 'T'],
  ['locale of French', factsOf({ language: 'fr' }), 'og:locale', 'fr_FR'],
  ['locale of Dutch', factsOf({ language: 'nl' }), 'og:locale', 'nl_NL'],
  ['an article', factsOf(), 'og:type', 'article'],
  ['the home page is a website', factsOf({ kind: 'front', article: null }), 'og:type', 'website'],
  ['published', factsOf(), 'article:published_time', ARTICLE.published],
  ['never modified', factsOf(), 'article:modified_time', undefined],
  [
    'modified later',
    factsOf({ article: { ...ARTICLE, modified: '2024-02-01T09:00:00+00:00' } }),
    'article:modified_time',
    '2024-02-01T09:00:00+00:00',
  ],
  ['a name with quotes stays one attribute', factsOf(), 'author', 'Ann "Q" Author'],
  ['a reading time label', factsOf({ language: 'fr' }), 'twitter:label2', 'Durée de lecture estimée'],
  ['reading time', factsOf({ language: 'nl' }), 'twitter:data2', '3 minuten'],
  ['no label for a protected post', factsOf({ isProtected: true }), 'twitter:data1', undefined],
  [
    'a hostile title stays text',
    factsOf({ title: '"><script>alert(1)</script>' }),
    'og:title',
    '"><script>alert(1)</script>',
  ],
  [
    'picture',
    factsOf({
      images: [{ url: 'https://example.org/a.png', width: 640, height: 480, type: 'image/png', caption: '' }],
    }),
    'og:image:width',
    '640',
  ],
  [
    'an image of unknown size',
    factsOf({ images: [{ url: 'https://example.org/a.png', width: 0, height: 0, type: '', caption: '' }] }),
    'og:image:width',
    undefined,
  ],
  [
    "the editor's image wins",
    factsOf({}, { og_image: 'https://example.org/own.png' }),
    'og:image',
    'https://example.org/own.png',
  ],
  [
    'verification on the home page',
    factsOf({ kind: 'front', site: { ...factsOf().site, verification: { 'site-verification': 'x' } } }),
    'site-verification',
    'x',
  ],
];

const markup = suite('toMarkup');
for (const [label, facts, name, content] of MARKUP_ROWS) {
  markup(label, () => {
    assert.is(parse(toHead(facts).html).meta[name], content);
  });
}
markup('hostile texts add no tag and stay complete', () => {
  const evil = '</title></script><img src=x onerror=alert(1)><!--';
  const plain = parse(toHead(factsOf()).html);
  const parsed = parse(
    toHead(factsOf({ title: evil, heading: evil, description: evil }, { og_title: evil })).html,
  );
  assert.equal(new Set(parsed.tags), new Set(plain.tags));
  assert.is(parsed.title, evil);
  assert.is(parsed.meta['description'], evil);
  assert.is(parsed.graph.find((piece) => piece['@type'] === 'Article')?.['headline'], evil);
});
markup('a page that is not indexed has no canonical and no alternates', () => {
  const alternates = { en: 'https://example.org/en/alpha/', fr: 'https://example.org/fr/alpha/' };
  const { links } = parse(
    toHead(factsOf({ alternates, defaultAlternate: alternates.en }, { noindex: true })).html,
  );
  assert.equal(links, []);
});
markup('alternates are ordered by language, the default last', () => {
  const alternates = { fr: 'https://example.org/fr/alpha-fr/', en: 'https://example.org/en/alpha/' };
  const { links } = parse(toHead(factsOf({ alternates, defaultAlternate: alternates.en })).html);
  assert.equal(
    links.map(({ rel, hreflang, href }) => [rel, hreflang, href]),
    [
      ['canonical', undefined, 'https://example.org/en/alpha/'],
      ['alternate', 'en', alternates.en],
      ['alternate', 'fr', alternates.fr],
      ['alternate', 'x-default', alternates.en],
    ],
  );
});
markup('one language has no alternates', () => {
  assert.is(
    toHead(factsOf({ alternates: { en: 'https://example.org/en/alpha/' } })).json.alternates,
    undefined,
  );
});
markup.run();

const GRAPH_ROWS: readonly (readonly [label: string, facts: HeadFacts, types: readonly string[]])[] = [
  ['a post', factsOf(), ['Article', 'WebPage', 'BreadcrumbList', 'WebSite', 'Organization', 'Person']],
  [
    'a post with an image',
    factsOf({ images: [{ url: 'https://example.org/a.png', width: 1, height: 1, type: '', caption: '' }] }),
    ['Article', 'WebPage', 'ImageObject', 'BreadcrumbList', 'WebSite', 'Organization', 'Person'],
  ],
  ['a protected post', factsOf({ isProtected: true }), ['WebPage', 'WebSite', 'Organization']],
  [
    'one step is not a breadcrumb',
    factsOf({ trail: [{ name: 'Home', url: 'https://example.org/en/' }], kind: 'front', article: null }),
    ['CollectionPage', 'WebSite', 'Organization'],
  ],
  [
    'the error page',
    factsOf({ kind: 'error', url: '', article: null, trail: [] }),
    ['WebSite', 'Organization'],
  ],
  [
    'a site that represents a person',
    factsOf({
      site: { ...factsOf().site, owner: { ...factsOf().site.owner, type: 'Person' } },
      article: null,
      trail: [],
    }),
    ['WebPage', 'WebSite', 'Person'],
  ],
];

const graph = suite('toGraph');
for (const [label, facts, types] of GRAPH_ROWS) {
  graph(label, () => {
    assert.equal(typesOf(facts), types);
  });
}
graph('every reference has its node', () => {
  const { graph: pieces } = parse(
    toHead(
      factsOf({ images: [{ url: 'https://example.org/a.png', width: 1, height: 1, type: '', caption: '' }] }),
    ).html,
  );
  assert.equal(listDangling(pieces), []);
  assert.equal(listDangling(pieces.filter((piece) => piece['@type'] !== 'WebSite')), [
    'https://example.org/en/#website',
  ]);
});
graph.run();

const TEXT = fc.string({
  unit: fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '/',
    '!',
    '-',
    'script',
    '</script>',
    '</title>',
    '<!--',
    ']]>',
    '\\',
    '\u2028',
    '\u00A0',
    'é',
    '日',
    '😀',
    'a',
    ' ',
    '&lt;',
    '&#x22;',
    '{}',
    '$&',
  ),
  maxLength: 12,
});

const anyText = suite('toHead with any text');
anyText('renders the same tags and every text unchanged', () => {
  const plain = new Set(
    parse(toHead(factsOf({ description: 'x' }, { canonical: 'https://c.example/' })).html).tags,
  );
  fc.assert(
    fc.property(TEXT, TEXT, TEXT, (title, description, name) => {
      const facts = factsOf({
        title: `t${title}`,
        heading: `h${title}`,
        description: `d${description}`,
        article: { ...ARTICLE, author: { ...AUTHOR, name: `n${name}` }, keywords: [name] },
      });
      const { html, json } = toHead(facts);
      const parsed = parse(html);
      assert.equal(
        [new Set(parsed.tags), parsed.stray, html.split('\n').length],
        [plain, '', parsed.tags.length],
      );
      assert.equal(
        [parsed.title, parsed.meta['description'], parsed.meta['author'], parsed.meta['og:title']],
        [`t${title}`, `d${description}`, `n${name}`, `t${title}`],
      );
      assert.equal(parsed.graph, json.schema?.['@graph']);
    }),
    { numRuns: 500 },
  );
});
anyText.run();
