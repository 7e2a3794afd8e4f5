import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findFreeNumber, toSlug, toSuffixed } from '../../../../registry/core/content/slug.ts';

const LONG = 'long-'.repeat(40).slice(0, 199);

const slugs = suite('toSlug');
const ROWS: readonly (readonly [text: string, slug: string])[] = [
  ['my-slug', 'my-slug'],
  ['Hello Big World', 'hello-big-world'],
  ['Café, déjà-vu & Co. (2)', 'cafe-deja-vu-co-2'],
  ['My Slug!! & More', 'my-slug-more'],
  ['UPPER', 'upper'],
  ['ALPHA', 'alpha'],
  ['2024', '2024'],
  ['', ''],
  ['   ', ''],
  ['!!!', ''],
  ['a/b\\c.d', 'a-bc-d'],
  ['under_score', 'under_score'],
  ['-- a -- b --', 'a-b'],
  ['en – dash — em', 'en-dash-em'],
  ['it’s “quoted” …', 'its-quoted'],
  ['100% & 5 €', '100-5-e'],
  ['Straße Øre Łódź Þor', 'strasse-ore-lodz-thor'],
  ['Fish &amp; Chips &lt;now&gt;', 'fish-chips-now'],
  ['Bold <strong>move</strong> &amp; more', 'bold-move-more'],
  ['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'],
  ['%E6%97%A5', '%e6%97%a5'],
  ['%2e%2e%2fetc', 'etc'],
  ['%ff%zz', 'zz'],
  ['ガ', '%e3%82%ac'],
  ['Привет, мир', '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d0%bc%d0%b8%d1%80'],
  ['🚀 go', '%f0%9f%9a%80-go'],
  ['long '.repeat(60), LONG],
  ['a\uD800b', 'ab'],
  ['trashed-one__trashed', 'trashed-one__trashed'],
];
for (const [text, slug] of ROWS)
  slugs(`${JSON.stringify(text.slice(0, 40))}`, () => assert.is(toSlug(text), slug));

slugs('cuts before a character that does not fit whole', () => {
  const slug = toSlug(`a${'日'.repeat(100)}`);
  assert.is(slug, `a${'%e6%97%a5'.repeat(22)}`);
});

slugs('is safe in an address, at most 200 bytes, and does not change when cleaned again', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ unit: 'grapheme', maxLength: 120 }),
      ),
      (text) => {
        const slug = toSlug(text);
        assert.match(slug, /^(?:[a-z0-9_-]|%[0-9a-f]{2}){0,200}$/);
        assert.ok(slug.length <= 200);
        assert.not.match(slug, /^-|-$|--/);
        assert.is(toSlug(slug), slug);
        decodeURIComponent(slug);
      },
    ),
    { numRuns: 3000 },
  );
});

slugs(
  'of a plain title is what it is of one with a mark that is dropped, which is read with more care',
  () => {
    const characters = fc.constantFrom(...'abzABZ059_- -'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 400 }), (text) =>
        assert.is(toSlug(text), toSlug(`${text}!`)),
      ),
      { numRuns: 2000 },
    );
  },
);
slugs.run();

const suffixes = suite('toSuffixed');
suffixes('adds the number', () => assert.is(toSuffixed('alpha', 2), 'alpha-2'));
suffixes('keeps within 200 bytes', () => {
  const slug = toSuffixed('x'.repeat(200), 12);
  assert.is(slug, `${'x'.repeat(197)}-12`);
});
suffixes('keeps characters whole', () => {
  const slug = toSuffixed('%e6%97%a5'.repeat(22), 100);
  assert.is(slug, `${'%e6%97%a5'.repeat(21)}-100`);
});
suffixes.run();

/** The number for the slug `a` when these numbers are taken, and how many slugs were looked up in how many reads. */
async function findIn(taken: Iterable<number>, own?: string): Promise<readonly number[]> {
  const all = new Set([...taken].map((n) => toSuffixed('a', n)));
  let [reads, slugs] = [0, 0];
  const found = await findFreeNumber({ slug: 'a', ...(own === undefined ? {} : { own }) }, async (asked) => {
    reads += 1;
    slugs += asked.length;
    return new Set(asked.filter((slug) => all.has(slug)));
  });
  return [found, reads, slugs];
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_each, at) => at + 1);

const numbers = suite('findFreeNumber');
numbers('is the first free one', async () => {
  assert.is((await findIn([]))[0], 1);
  assert.is((await findIn([1]))[0], 2);
  assert.is((await findIn([1, 2, 4]))[0], 3);
  assert.is((await findIn(upTo(40).filter((n) => n !== 15)))[0], 15);
});
numbers('costs hardly more if ten thousand are taken', async () => {
  for (const count of [20, 21, 41, 9600, 10_000, 123_456]) {
    const [found = 0, reads = 0, slugs = 0] = await findIn(upTo(count));
    assert.is(found, count + 1);
    assert.ok(reads <= 7 && slugs <= 140, `${reads} reads of ${slugs} slugs`);
  }
});
numbers('can be that of the record itself', async () => {
  assert.is((await findIn(upTo(500), 'a-300'))[0], 300);
  assert.is((await findIn(upTo(10), 'a-7'))[0], 7);
  assert.is((await findIn(upTo(500), 'b-99999999999999999999'))[0], 501);
});
numbers.run();
