import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, PROJECT } from './support/sources.ts';

/** Turns of phrase that readers stumble over, and what to write instead. */
const HABITS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:whoever|whomever)\b/i, 'name the subject: "a caller who", "callers"'],
  [/\bstrangers?\b/i, 'anonymous caller'],
  [/\bslip of the pen\b/i, 'mistake'],
  [/\bknows? no\b/i, 'does not know, does not support'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b)[a-z]+/i, 'is not a'],
  [/\bthat (?:is|are) (?:none\b|no (?!longer))/i, 'that is not a'],
  [/\bcan not\b/i, 'cannot'],
  [/\band (?:has|have) to be\b/i, 'must be'],
  [/\banew\b/i, 'again'],
  [/\bways? out\b/i, 'outbound requests'],
  [/\bkept (?:answers?|responses?)\b/i, 'cached response'],
  [/\bat one with\b/i, 'consistent'],
  [/\bheard of\b/i, 'learns, gets'],
  [/\bwords on the wire\b/i, 'wire names'],
  [/\bthe peer\b/i, 'WordPress'],
];

/** Texts that WordPress sends, letter for letter. */
const RECORDED = [/A post can not be sticky/, /password protected post can not be/, /sticky post can not be/];

const FILES = [
  ...['lib', 'registry', 'adapters', 'examples'].flatMap((folder) => listFiles(folder, '.ts')),
  ...listFiles('docs', '.md'),
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];

const words = suite('words');

for (const [pattern, instead] of HABITS) {
  words(`no text says ${pattern.source}: write "${instead}"`, () => {
    const found = FILES.flatMap((file) =>
      readFileSync(`${PROJECT}${file}`, 'utf8')
        .split('\n')
        .map((line, at) => ({ place: `${file}:${at + 1}: ${line.trim()}`, line }))
        .filter(({ line }) => pattern.test(line) && !RECORDED.some((text) => text.test(line)))
        .map(({ place }) => place),
    );
    assert.equal(found, []);
  });
}

words('no text holds the marks of a merge that was not finished', () => {
  const marks = /^(?:<{7} |={7}$|>{7} )/m;
  assert.equal(
    FILES.filter((file) => marks.test(readFileSync(`${PROJECT}${file}`, 'utf8'))),
    [],
  );
});

words.run();
