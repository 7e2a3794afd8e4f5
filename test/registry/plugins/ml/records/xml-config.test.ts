import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CONFIG_RULES,
  readXmlConfig,
  validateXmlConfig,
} from '../../../../../registry/plugins/ml/records/xml-config.ts';

const wrap = (body: string): string => `<wpml-config>${body}</wpml-config>`;

const VALID: readonly [string, string][] = [
  ['nothing said', '<wpml-config/>'],
  [
    'neutral root',
    '<ml-config><custom-types><custom-type translate="1">book</custom-type></custom-types></ml-config>',
  ],
  ['declaration and comment', '<?xml version="1.0"?><!-- c --><wpml-config></wpml-config>'],
  [
    'types',
    wrap(
      '<custom-types><custom-type translate="1" display-as-translated="1" automatic="0">book</custom-type></custom-types>',
    ),
  ],
  ['taxonomies', wrap('<taxonomies><taxonomy translate="0">genre</taxonomy></taxonomies>')],
  [
    'fields',
    wrap(
      '<custom-fields><custom-field action="copy_once" style="textarea" label="L" group="G" encoding="json">price</custom-field><custom-field action="copy-once">b</custom-field></custom-fields>',
    ),
  ],
  [
    'term fields',
    wrap(
      '<custom-term-fields><custom-term-field action="translate">x</custom-term-field></custom-term-fields>',
    ),
  ],
  [
    'texts',
    wrap(
      '<custom-fields-texts><key name="a"><key name="*"><key name="c" search-method="regex"/></key></key></custom-fields-texts>',
    ),
  ],
  ['admin texts', wrap('<admin-texts><key name="option"/></admin-texts>')],
  [
    'shortcodes',
    wrap(
      '<shortcodes><shortcode><tag raw-html="1">box</tag><attributes><attribute type="link">href</attribute></attributes></shortcode></shortcodes>',
    ),
  ],
  [
    'lists',
    wrap(
      '<shortcode-list>a,b</shortcode-list><built-with-page-builder><![CDATA[/x/]]></built-with-page-builder>',
    ),
  ],
  [
    'settings',
    wrap(
      '<language-switcher-settings><key name="a"><key name="b">1</key></key></language-switcher-settings>',
    ),
  ],
  [
    'job fields',
    wrap(
      '<allow-translatable-job-fields><allow-translatable-job-field type="/a/" value="/b/"/></allow-translatable-job-fields>',
    ),
  ],
  [
    'blocks',
    wrap(
      '<gutenberg-blocks><gutenberg-block type="core/x" translate="1"><xpath>//p</xpath><key name="a"/></gutenberg-block></gutenberg-blocks>',
    ),
  ],
  [
    'widgets',
    wrap(
      '<elementor-widgets><widget name="h"><conditions><condition key="widgetType">h</condition></conditions><fields><field editor_type="AREA">t</field></fields><fields-in-item items_of="tabs"><field>x</field></fields-in-item><integration-classes><integration-class>C</integration-class></integration-classes></widget></elementor-widgets>',
    ),
  ],
  [
    'notices',
    wrap(
      '<notices><notice id="n" dismissible="1"><conditions relation="AND"><theme>x</theme></conditions><content>c</content></notice></notices>',
    ),
  ],
];

const INVALID: readonly [string, string, number, number][] = [
  ['blank', ' \n ', 4, 1],
  ['not closed', '<wpml-config>', 5, 1],
  ['a DOCTYPE', '<!DOCTYPE a><wpml-config/>', 5, 1],
  ['another root', '<config/>', 1845, 1],
  ['an unknown element', wrap('\n<gettext-domains/>'), 1871, 2],
  ['a misplaced element', wrap('<custom-types><taxonomy translate="1">x</taxonomy></custom-types>'), 1871, 1],
  ['an inherited name', wrap('<constructor/>'), 1871, 1],
  ['a duplicate section', wrap('<taxonomies/>\n\n<taxonomies/>'), 1871, 3],
  [
    'an unknown action',
    wrap('<custom-fields><custom-field action="keep">x</custom-field></custom-fields>'),
    1840,
    1,
  ],
  ['an invalid switch', wrap('<taxonomies><taxonomy translate="yes">x</taxonomy></taxonomies>'), 1840, 1],
  [
    'an unknown style',
    wrap('<custom-fields><custom-field action="copy" style="big">x</custom-field></custom-fields>'),
    1840,
    1,
  ],
  [
    'an unknown search method',
    wrap('<admin-texts><key name="a" search-method="glob"/></admin-texts>'),
    1840,
    1,
  ],
  [
    'an unknown relation',
    wrap('<notices><notice id="a"><conditions relation="XOR"/></notice></notices>'),
    1840,
    1,
  ],
  ['a missing attribute', wrap('<custom-types><custom-type>x</custom-type></custom-types>'), 1868, 1],
  [
    'an unknown attribute',
    wrap('<custom-types><custom-type translate="1" color="red">x</custom-type></custom-types>'),
    1866,
    1,
  ],
  ['an empty name', wrap('<custom-types><custom-type translate="1"> </custom-type></custom-types>'), 1841, 1],
  ['a stray text', wrap('hello'), 1841, 1],
];

const validating = suite('validateXmlConfig');
for (const [name, content] of VALID)
  validating(`accepts ${name}`, () => {
    assert.equal(validateXmlConfig(content), []);
  });
for (const [name, content, code, line] of INVALID) {
  validating(`refuses ${name}`, () => {
    assert.equal(
      validateXmlConfig(content).map((error) => [error.code, error.line]),
      [[code, line]],
    );
  });
}
validating('reports every problem, up to 100', () => {
  assert.is(validateXmlConfig(wrap('<x/>'.repeat(3))).length, 3);
  assert.is(validateXmlConfig(wrap('<x/>'.repeat(300))).length, 100);
});
validating('rules refer only to existing rules', () => {
  const ids = Object.values(CONFIG_RULES).flatMap((rule) => Object.values(rule.children ?? {}));
  assert.equal(
    ids.filter((id) => CONFIG_RULES[id] === undefined),
    [],
  );
});
validating.run();

const reading = suite('readXmlConfig');
reading('translates footnotes by default', () => {
  const config = readXmlConfig('');
  assert.equal([...config.fields], [['footnotes', 'translate']]);
  assert.equal([config.types.size, config.taxonomies.size, config.texts, config.shortcodes], [0, 0, [], []]);
});
reading('every section takes effect', () => {
  const config = readXmlConfig(
    wrap(`<custom-types><custom-type translate="0">book</custom-type></custom-types>
    <taxonomies><taxonomy translate="0">post_tag</taxonomy><taxonomy translate="1">category</taxonomy></taxonomies>
    <custom-fields><custom-field action="translate"> subtitle </custom-field><custom-field action="copy_once">price</custom-field><custom-field action="ignore">footnotes</custom-field></custom-fields>
    <custom-fields-texts><key name="a"><key name="*"/></key></custom-fields-texts>
    <shortcode-list>gallery, box</shortcode-list><shortcodes><shortcode><tag>box</tag></shortcode><shortcode><tag>tab</tag></shortcode></shortcodes>`),
  );
  assert.equal([...config.types], [['book', false]]);
  assert.equal(
    [...config.taxonomies],
    [
      ['post_tag', false],
      ['category', true],
    ],
  );
  assert.equal(
    [...config.fields],
    [
      ['footnotes', 'ignore'],
      ['subtitle', 'translate'],
      ['price', 'copy-once'],
    ],
  );
  assert.equal(config.texts, [{ name: 'a', keys: [{ name: '*', keys: [] }] }]);
  assert.equal(config.shortcodes, ['gallery', 'box', 'tab']);
});
reading.run();
