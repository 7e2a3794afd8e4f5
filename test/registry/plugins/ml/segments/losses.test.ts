import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../../lib/core/cooperative.ts';
import { listLosses, type Losses } from '../../../../../registry/plugins/ml/segments/losses.ts';

const BLOCK = '<!-- cms:heading {"level":3} --><h3>A</h3><!-- /cms:heading -->';

const ROWS: readonly (readonly [what: string, source: string, target: string, lost: Losses | null])[] = [
  ['nothing', 'Hello %s, [gallery ids="1"] {{name}}', 'Bonjour %s, [gallery ids="1"] {{name}}', null],
  ['a shortcode', 'a [gallery ids="1"] b', 'a b', { shortcodes: ['gallery'] }],
  ['a renamed shortcode', '[gallery ids="1"]', '[galerie ids="1"]', { shortcodes: ['gallery'] }],
  ['the end of a shortcode', '[note]a[/note]', '[note]b', { shortcodes: ['/note'] }],
  ['one of two shortcodes', '[gallery] and [gallery]', '[gallery]', { shortcodes: ['gallery'] }],
  [
    'translated attributes of a shortcode',
    '[button title="Go on"]a[/button]',
    '[button title="Continuer"]b[/button]',
    null,
  ],
  ['a word in brackets', 'a [sic] b', 'a [ainsi] b', null],
  ['an escaped shortcode', '[[gallery ids="1"]]', 'x', null],
  ['a placeholder', '%s of %d', '%s', { placeholders: ['%2$d'] }],
  ['numbered placeholders', '%s of %s', '%2$s: %1$s', null],
  ['placeholders that changed their order', '%s %d', '%d %s', { placeholders: ['%1$s', '%2$d'] }],
  [
    'a renamed placeholder',
    'Hello {{ user.name }} and {city}',
    'Bonjour {{ nom }} et {city}',
    { placeholders: ['{{user.name}}'] },
  ],
  ['blanks in a placeholder', '{{name}}', '{{ name }}', null],
  [
    'variables',
    '%%title%% %site% ${a} %(b)s',
    '',
    { placeholders: ['%%title%%', '%site%', '${a}', '%(b)s'] },
  ],
  ['percentages and addresses', '50 % of 20% done, 100%safe <a href="/%d0%b0%sf">', 'autre', null],
  ['a block', `${BLOCK}<p>b</p>`, '<h3>A</h3><p>b</p>', { blocks: ['heading', '/heading'] }],
  ['a renamed block', BLOCK, BLOCK.replaceAll('heading', 'titre'), { blocks: ['heading', '/heading'] }],
  ['translated attributes of a block', BLOCK, BLOCK.replace('3}', '3,"alt":"é"}'), null],
  ['broken attributes of a block', BLOCK, BLOCK.replace('3}', '3,}'), { blocks: ['heading'] }],
  ['blocks that are added', 'a', BLOCK, null],
];

const losses = suite('listLosses');
for (const [what, source, target, lost] of ROWS)
  losses(what, () => {
    assert.equal(runSteps(listLosses(source, target, (name) => name === 'gallery')), lost);
  });
losses.run();
