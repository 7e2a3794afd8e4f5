// Runs alone: it measures the time of its process.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TEXT_KINDS } from './support/growth/hostile-texts.ts';
import { findFastGrowth } from './support/growth/measure-growth.ts';
import { TEXT_FUNCTIONS } from './support/growth/text-functions.ts';
import { isAll, isLong } from './support/long-mode.ts';

/** Longer texts are not tried. A quadratic time shows before. */
const LONGEST = 65_536;
/** Some of the kinds, or all of them in long mode. Each function begins with another one. */
const KINDS = isLong ? TEXT_KINDS.length : isAll ? 20 : 1;

/** What three measurements in a row find: one alone may meet a garbage collection. */
async function findSurely(...args: Parameters<typeof findFastGrowth>): Promise<string | null> {
  for (let tries = 1; tries < 3; tries += 1) if ((await findFastGrowth(...args)) === null) return null;
  return findFastGrowth(...args);
}

/** What the first of five measurements finds. */
async function findAtLast(...args: Parameters<typeof findFastGrowth>): Promise<string | null> {
  let found: string | null = null;
  for (let tries = 0; tries < 5 && found === null; tries += 1) found = await findFastGrowth(...args);
  return found;
}

const growth = suite('the time that a text takes grows with its length');

for (const [index, [name, run]] of Object.entries(TEXT_FUNCTIONS).entries()) {
  growth(name, async () => {
    for (let count = 0; count < KINDS; count += 1) {
      const kind = TEXT_KINDS[(index + Math.floor((count * TEXT_KINDS.length) / KINDS)) % TEXT_KINDS.length];
      assert.ok(kind);
      assert.is(await findSurely(run, kind.make, LONGEST), null, kind.name);
    }
  });
}

growth.run();

/** Texts that took quadratic or cubic time once. */
const FORMER: readonly (readonly [function_: string, make: (length: number) => string])[] = [
  ['redact of an address', (length) => `${'?'.repeat(length / 4)}${'key'.repeat(length / 4)}`],
  ['sanitiseStyle of a value', (length) => '-'.repeat(length)],
  ['readPageNumber', (length) => `${'/'.repeat(length)}x`],
  ['toFirstPage', (length) => `${'/'.repeat(length)}x`],
  ['countLinks', (length) => '<a '.repeat(length / 3)],
  ['countLinks', (length) => `<a ${' '.repeat(length)}`],
  ['scan of a post', (length) => '-----BEGIN PRIVATE KEY-----\n'.repeat(length / 28)],
  ['scan of a post', (length) => `-----BEGIN RSA PRIVATE KEY-----${'\n'.repeat(length)}:`],
  ['isLookAlike', (length) => 'İſs'.repeat(length / 3)],
  ['imitatesBrand', (length) => 'İſs'.repeat(length / 3)],
  ['rewriteAttributes', (length) => ' '.repeat(length)],
  ['toTitle', (length) => '<'.repeat(length)],
  ['cleanName', (length) => `${'.'.repeat(length)}a`],
  ['readDeclarations', (length) => '/*'.repeat(length / 2)],
  ['normaliseAddress', (length) => `a${' '.repeat(length)}b`],
  ['readCsv', (length) => `a,b\n${'"x ""y""",longer text\n'.repeat(length / 22)}`],
  [
    'validate of a list without duplicates',
    (length) => Array.from({ length: length / 8 }, (_each, at) => `${at}`.padStart(7)).join(),
  ],
  // Marks that must be put in order: JavaScript's own normalize takes quadratic time for them.
  ...['normalize NFC', 'normalize NFD', 'fold', 'toSlug'].flatMap((name) =>
    ['\u0301\u0316', '\u0301\u0316\u0327', '\uFF9E\u0301'].map(
      (marks) => [name, (length: number) => `\uFF76${marks.repeat(length / marks.length)}`] as const,
    ),
  ),
];

const former = suite('texts that were slow once');

for (const [name, make] of FORMER) {
  former(`${name}: ${JSON.stringify(make(64).slice(0, 40))}`, async () => {
    const run = TEXT_FUNCTIONS[name];
    assert.ok(run);
    assert.is(await findSurely(run, make, 4 * LONGEST), null);
  });
}

former.run();

const judge = suite('findFastGrowth');

judge('finds quadratic time, and passes linear time', async () => {
  assert.type(
    await findAtLast(
      (text) => /\/+$/.test(text),
      (length) => `${'/'.repeat(length)}x`,
      LONGEST,
    ),
    'string',
  );
  assert.type(
    await findAtLast(
      (text) => /<[^>]*>/.test(text),
      (length) => '<'.repeat(length),
      LONGEST,
    ),
    'string',
  );
  assert.is(
    await findSurely(
      (text) => JSON.parse(JSON.stringify({ text })),
      (length) => '"'.repeat(length),
      16 * LONGEST,
    ),
    null,
  );
});

judge.run();
