import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  parseShortcodes,
  type TextNode,
} from '../../../../../registry/core/content/shortcodes/shortcode-parser.ts';
import { codeOf } from '../../../../support/code-of.ts';

const parse = (text: string): readonly TextNode[] => parseShortcodes(text, (name) => name === 'known');
const code = (
  name: string,
  children: readonly TextNode[] = [],
  attributes: Readonly<Record<string, string>> = {},
): TextNode => ({ name, attributes, children });

const test = suite('parseShortcodes');

const CASES: readonly (readonly [text: string, expected: readonly TextNode[]])[] = [
  ['', []],
  [
    'plain [text] in brackets [1] [sic] and a [link](x)',
    ['plain [text] in brackets [1] [sic] and a [link](x)'],
  ],
  ['[known]', [code('known')]],
  ['a [known /] b', ['a ', code('known'), ' b']],
  ['[KNOWN]x[/Known]', [code('known', ['x'])]],
  ['[other]x[/other]', [code('other', ['x'])]],
  ['[other a="1" B=\'2 3\' c=4 flag]', [code('other', [], { a: '1', b: '2 3', c: '4', flag: '' })]],
  ['[other flag]', ['[other flag]']],
  ['[a][b]x[/b][/a]', [code('a', [code('b', ['x'])])]],
  ['[a][b]x[/a][/b]y', [code('a', [code('b', ['x'])]), 'y']],
  ['[a]x[a]y[/a]', ['[a]x', code('a', ['y'])]],
  ['[known]x[known]y[/known]', [code('known'), 'x', code('known', ['y'])]],
  ['x[/known]y', ['x', 'y']],
  ['x[/other]y', ['x[/other]y']],
  ['[[known]] and [[known a="1"]]', ['[known]', ' and [known a="1"]']],
  ['[known a="unfinished', ['[known a="unfinished']],
  ['[__proto__ a="1"]', ['[__proto__ a="1"]']],
  [
    '[other __proto__="1"]',
    [{ name: 'other', attributes: Object.fromEntries([['__proto__', '1']]), children: [] }],
  ],
];

for (const [text, expected] of CASES)
  test(JSON.stringify(text), () => {
    assert.equal(parse(text), expected);
  });

test('refuses what is nested deeper than 20 levels', () => {
  const nest = (depth: number): string =>
    `${Array.from({ length: depth }, (_each, index) => `[c${index}]`).join('')}x${Array.from({ length: depth }, (_each, index) => `[/c${depth - 1 - index}]`).join('')}`;
  assert.is(
    codeOf(() => parse(nest(20))),
    null,
  );
  assert.is(
    codeOf(() => parse(nest(21))),
    'builder_nested_too_deep',
  );
  assert.is(
    codeOf(() => parse(`${'[known]'.repeat(30)}${'[/known]'.repeat(30)}`)),
    'builder_nested_too_deep',
  );
});

test('refuses more than 4,000 tags', () => {
  assert.is(
    codeOf(() => parse('[known]'.repeat(4000))),
    null,
  );
  assert.is(
    codeOf(() => parse('[known]'.repeat(4001))),
    'builder_too_many_shortcodes',
  );
});

test('reads a million characters of anything in a moment', () => {
  for (const part of [
    '[',
    '[a',
    '[a ',
    '[a b',
    '[a b=',
    '[a b="',
    '[a b="c" ',
    '[/',
    '[a][',
    'a ',
    ' ',
    '[a  ',
    '[[a]]x',
    '[a b=c d',
  ]) {
    for (const text of [
      part.repeat(1_000_000 / part.length),
      `[a ${part.replaceAll('[', '').repeat(1_000_000 / part.length)}`,
    ]) {
      const began = process.cpuUsage();
      codeOf(() => parse(text));
      const { user } = process.cpuUsage(began);
      // Half a second is usual. What grows with the square takes minutes.
      assert.ok(user < 10_000_000, `${JSON.stringify(part)} took ${user / 1000} ms`);
    }
  }
});

test.run();
