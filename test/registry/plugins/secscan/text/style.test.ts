import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isHiding,
  isNoLength,
  isShrinking,
  readDeclarations,
} from '../../../../../registry/plugins/secscan/text/style.ts';

const reading = suite('readDeclarations');
reading('undoes comments, escapes and capitals', () => {
  assert.equal(readDeclarations('DIS/**/play : NONE !important; \\63olor:red;/* open'), [
    ['display', 'none'],
    ['color', 'red'],
    ['', ''],
  ]);
});
reading.run();

const hiding = suite('isHiding');
for (const [style, expected] of [
  ['display:none', true],
  ['display:block', false],
  ['visibility:hidden', true],
  ['opacity:0', true],
  ['opacity:0.0', true],
  ['opacity:0.05', true],
  ['opacity:.5', false],
  ['opacity:1', false],
  ['font-size:0', true],
  ['font-size:1px', true],
  ['font-size:0.9em', false],
  ['font-size:10px', false],
  ['left:-9999px', true],
  ['left:-20px', false],
  ['text-indent:-100em', true],
  ['text-indent:-2em', false],
  ['margin-left:-100%', true],
  ['clip:rect(0,0,0,0)', true],
  ['clip: rect(1px 1px 1px 1px)', true],
  ['clip-path:inset(50%)', true],
  ['transform:scale(0)', true],
  ['transform:scale(0.9)', false],
  ['display:', false],
  ['color:none', false],
  ['', false],
] as const)
  hiding(style, () => {
    assert.is(isHiding(style), expected);
  });
hiding.run();

const shrinking = suite('isShrinking');
for (const [style, expected] of [
  ['width:0', true],
  ['height:1px', true],
  ['max-height:0.5px', true],
  ['width:100%', false],
  ['width:0.9em', false],
  ['width:', false],
  ['border-width:0', false],
] as const) {
  shrinking(style, () => {
    assert.is(isShrinking(style), expected);
  });
}
shrinking.run();

const lengths = suite('isNoLength');
for (const [value, expected] of [
  ['0', true],
  ['1', true],
  ['01', true],
  [' 0px ', true],
  ['1px', true],
  ['0%', true],
  ['2', false],
  ['10', false],
  ['100%', false],
  ['1em', false],
  ['', false],
  ['auto', false],
] as const) {
  lengths(`"${value}"`, () => {
    assert.is(isNoLength(value), expected);
  });
}
lengths.run();
