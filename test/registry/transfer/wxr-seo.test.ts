import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectionsOf, createContentModel } from '../../../registry/index.ts';
import { withSeoFields } from '../../../registry/transfer/wxr/wxr-seo.ts';
import { openMemory } from '../../support/store-factories.ts';
import { importWxr, inChunks } from '../../support/transfer.ts';
import { toItem, toWxr } from '../../support/wxr.ts';

const read = (
  entries: Readonly<Record<string, string>>,
  isRegistered = (key: string): boolean => key.startsWith('seo_'),
) =>
  Object.fromEntries(
    [
      ...withSeoFields(new Map(Object.entries(entries).map(([key, text]) => [key, [text]])), isRegistered)
        .entries,
    ].map(([key, texts]) => [key, texts[0]]),
  );

const CASES: readonly (readonly [
  name: string,
  entries: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
])[] = [
  [
    'Yoast SEO',
    {
      _yoast_wpseo_title: '%%title%% %%sep%% x',
      _yoast_wpseo_metadesc: 'd',
      '_yoast_wpseo_meta-robots-noindex': '1',
      '_yoast_wpseo_opengraph-image': 'https://a.example/x.png',
    },
    {
      seo_title: '%%title%% %%sep%% x',
      seo_description: 'd',
      seo_noindex: '1',
      seo_og_image: 'https://a.example/x.png',
    },
  ],
  ['Yoast SEO, listed although its type is not', { '_yoast_wpseo_meta-robots-noindex': '2' }, {}],
  [
    'Rank Math',
    {
      rank_math_title: '%title% 50 % %sep% %sitename%',
      rank_math_focus_keyword: 'a b, c',
      rank_math_robots: 'a:2:{i:0;s:7:"noindex";i:1;s:8:"nofollow";}',
    },
    {
      seo_title: '%%title%% 50 % %%sep%% %%sitename%%',
      seo_keyphrase: 'a b',
      seo_noindex: '1',
      seo_nofollow: '1',
    },
  ],
  ['Rank Math, index', { rank_math_robots: 'a:1:{i:0;s:5:"index";}' }, {}],
  ['Rank Math, broken', { rank_math_robots: 'a:9:{' }, {}],
  [
    'All in One SEO',
    { _aioseo_title: '#post_title #separator_sa #site_title #unknown', _aioseop_noindex: 'on' },
    { seo_title: '%%title%% %%sep%% %%sitename%% #unknown', seo_noindex: '1' },
  ],
  ['cornerstones of Yoast SEO', { _yoast_wpseo_is_cornerstone: '1' }, { seo_cornerstone: '1' }],
  ['pillars of Rank Math', { rank_math_pillar_content: 'on' }, { seo_cornerstone: '1' }],
  [
    'variables of Rank Math with other names and formats',
    { rank_math_title: '%term% %date(F j, Y)% %customfield(x)% 5 %' },
    { seo_title: '%%term_title%% %%date%% %%customfield%% 5 %' },
  ],
  [
    'All in One SEO 3',
    {
      _aioseop_custom_link: 'https://a.example/',
      _aioseop_opengraph_settings:
        'a:2:{s:32:"aioseop_opengraph_settings_title";s:1:"t";s:36:"aioseop_opengraph_settings_customimg";s:21:"https://a.example/x.p";}',
    },
    { seo_canonical: 'https://a.example/', seo_og_title: 't', seo_og_image: 'https://a.example/x.p' },
  ],
  ['two plugins', { rank_math_title: 'r', _yoast_wpseo_title: 'y' }, { seo_title: 'y' }],
  ['an own value', { seo_title: 'own', _yoast_wpseo_title: 'y' }, { seo_title: 'own' }],
  ['other keys', { _yoast_wpseo_primary_category: '7' }, { _yoast_wpseo_primary_category: '7' }],
  [
    'computed keys',
    {
      _yoast_wpseo_linkdex: '7',
      _yoast_wpseo_content_score: '30',
      '_yoast_wpseo_estimated-reading-time-minutes': '2',
      rank_math_seo_score: '8',
    },
    {},
  ],
];

const fields = suite('withSeoFields');
for (const [name, entries, expected] of CASES)
  fields(`reads ${name}`, () => assert.equal(read(entries), expected));
fields('leaves everything as it is without the fields', () =>
  assert.equal(
    read({ _yoast_wpseo_title: 'y' }, () => false),
    { _yoast_wpseo_title: 'y' },
  ),
);
fields('keeps a computed key that the site has', () =>
  assert.equal(
    read({ _yoast_wpseo_linkdex: '7' }, () => true),
    { _yoast_wpseo_linkdex: '7' },
  ),
);
fields.run();

const files = suite('SEO meta in WXR files');
files('of the posts of three plugins, and of the terms of Rank Math', async () => {
  const content = createContentModel({ core: true, seo: true });
  const { store, remove } = await openMemory(collectionsOf(content));
  const term =
    '<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>News</wp:cat_name><wp:termmeta><wp:meta_key>rank_math_title</wp:meta_key><wp:meta_value>%term% %sep% x</wp:meta_value></wp:termmeta></wp:category>';
  const items = [
    toItem({
      id: 11,
      title: 'Yoast',
      slug: 'a',
      meta: [
        ['_yoast_wpseo_title', '%%title%%'],
        ['_yoast_wpseo_meta-robots-noindex', '1'],
        ['_yoast_wpseo_is_cornerstone', '1'],
        ['_yoast_wpseo_content_score', '30'],
        ['_yoast_wpseo_linkdex', '70'],
        ['_yoast_wpseo_primary_category', '3'],
      ],
    }),
    toItem({
      id: 12,
      title: 'Rank Math',
      slug: 'b',
      meta: [
        ['rank_math_description', 'R'],
        ['rank_math_focus_keyword', 'cod,salt cod'],
        ['rank_math_robots', 'a:1:{i:0;s:8:"nofollow";}'],
      ],
    }),
    toItem({
      id: 13,
      title: 'All in One',
      slug: 'c',
      meta: [
        ['_aioseo_title', '#post_title'],
        ['rank_math_focus_keyword', 'cod, '],
      ],
    }),
  ];
  try {
    const report = await importWxr(store, inChunks(toWxr(items, term)), { content, name: 'test' });
    assert.equal(
      report.leftOut.map(({ what }) => what),
      ['meta key _yoast_wpseo_primary_category', 'further keyphrases of rank_math_focus_keyword'],
    );
    const { records } = await store.find({ collection: 'posts', order: [{ field: 'id', direction: 'asc' }] });
    assert.equal(
      records.map(({ meta }) => meta),
      [
        { seo_title: '%%title%%', seo_noindex: true, seo_cornerstone: true },
        { seo_description: 'R', seo_keyphrase: 'cod', seo_nofollow: true },
        { seo_title: '%%title%%', seo_keyphrase: 'cod' },
      ],
    );
    assert.equal(
      (await store.find({ collection: 'terms' })).records.map(({ meta }) => meta),
      [{ seo_title: '%%term_title%% %%sep%% x' }],
    );
  } finally {
    await remove();
  }
});
files.run();
