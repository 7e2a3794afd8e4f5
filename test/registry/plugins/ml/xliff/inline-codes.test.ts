import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readXliff } from '../../../../../registry/plugins/ml/xliff/xliff-read.ts';

const SOURCE = '<p>Hello <b class="x">big</b> <a href="/a">world</a><br/>!</p>';
const wrap1 = (source: string, target: string): string =>
  `<xliff version="1.2"><file original="1" source-language="en" target-language="fr"><body><trans-unit id="a"><source>${source}</source><target>${target}</target></trans-unit></body></file></xliff>`;
const wrap2 = (source: string, target: string, data = ''): string =>
  `<xliff version="2.0" srcLang="en" trgLang="fr"><file id="f" original="1"><unit id="a">${data}<segment><source>${source}</source><target>${target}</target></segment></unit></file></xliff>`;
const DATA =
  '<originalData><data id="d1">&lt;b class="x"></data><data id="d2">&lt;/b></data><data id="d3">&lt;br/></data></originalData>';

const FULL = '<p>Bonjour <b class="x">grand</b> <a href="/a">monde</a><br/>!</p>';
const ROWS: readonly (readonly [what: string, xliff: string, text: string, unknown?: readonly string[]])[] = [
  [
    'g and x by the number of the tag',
    wrap1('', '<g id="1">Bonjour <g id="2">grand</g> <g id="3">monde</g><x id="4"/>!</g>'),
    FULL,
  ],
  [
    'g and x by the place of their id in the source',
    wrap1(
      '<g id="p">Hello <g id="b7">big</g> <g id="l">world</g><x id="br"/>!</g>',
      '<g id="p">Bonjour <g id="b7">grand</g> <g id="l">monde</g><x id="br"/>!</g>',
    ),
    FULL,
  ],
  [
    'g in another order',
    wrap1('', '<g id="3">monde</g> <g id="2">grand</g>'),
    '<a href="/a">monde</a> <b class="x">grand</b>',
  ],
  [
    'bpt, ept and ph with their markup',
    wrap1('', '<bpt id="1">&lt;b class="x"></bpt>grand<ept id="1">&lt;/b></ept><ph id="2">&lt;br/></ph>'),
    '<b class="x">grand</b><br/>',
  ],
  ['bx and ex', wrap1('', '<bx id="2"/>grand<ex id="9" rid="2"/>'), '<b class="x">grand</b>'],
  ['x with its equivalent', wrap1('', 'a<x id="z" equiv-text="&lt;br/>"/>b'), 'a<br/>b'],
  [
    'an equivalent that the source does not have',
    wrap1('', 'a<x id="z" equiv-text="&lt;hr/>"/>b'),
    'ab',
    ['<x id="z">'],
  ],
  ['marks of a tool', wrap1('', 'a<mrk mtype="seg" mid="0">b<g id="2">c</g></mrk>'), 'ab<b class="x">c</b>'],
  [
    'unknown codes',
    wrap1('', 'a<g id="9">b</g><x id="77"/><b>c</b>'),
    'abc',
    ['<g id="9">', '<x id="77">', '<b id="">'],
  ],
  [
    'ids that the source of the file does not have',
    wrap1('<g id="5">Hello</g>', '<g id="1">a</g>'),
    'a',
    ['<g id="1">'],
  ],
  [
    'pc and ph with their data',
    wrap2('', '<pc id="1" dataRefStart="d1" dataRefEnd="d2">grand</pc><ph id="2" dataRef="d3"/>', DATA),
    '<b class="x">grand</b><br/>',
  ],
  [
    'sc and ec with their data',
    wrap2('', '<sc id="1" dataRef="d1"/>grand<ec startRef="1" dataRef="d2"/>', DATA),
    '<b class="x">grand</b>',
  ],
  ['pc by the number of the tag', wrap2('', '<pc id="2">grand</pc>'), '<b class="x">grand</b>'],
  [
    'sc and ec by the number of the tag',
    wrap2('', '<sc id="2"/>grand<ec startRef="2"/>'),
    '<b class="x">grand</b>',
  ],
  ['unknown codes of 2.x', wrap2('', '<pc id="x">a</pc><cp hex="0041"/>'), 'aA', ['<pc id="x">']],
];

const codes = suite('inline codes');
for (const [what, xliff, text, unknown] of ROWS) {
  codes(what, () => {
    const [target] = readXliff(xliff, () => SOURCE).targets;
    assert.equal([target?.text, target?.unknown], [text, unknown]);
  });
}
codes('block comments count where the file has as many codes', () => {
  const source = '<!-- cms:paragraph --><p>Hello</p><!-- /cms:paragraph -->';
  const [target] = readXliff(
    wrap1('<x id="1"/><g id="2">Hello</g><x id="3"/>', '<x id="1"/><g id="2">Bonjour</g><x id="3"/>'),
    () => source,
  ).targets;
  assert.is(target?.text, source.replace('Hello', 'Bonjour'));
});
codes.run();
