import type { Predicate } from '../../../lib/store/query.ts';
import { CaseList, type StoreCase } from './cases.ts';
import * as assert from './expect.ts';
import { rejectsStore } from './rejects.ts';
import { article } from './steps.ts';

/** A text that no database index can hold or compress much. */
function longText(length: number): string {
  let seed = 7;
  return Array.from({ length }, () =>
    String.fromCharCode(0x4e00 + ((seed = (seed * 16_807) % 2_147_483_647) % 0x4000)),
  ).join('');
}

const LONG_TEXTS = new CaseList('long texts');

// Around the length that a store may index, and far above it.
const LENGTHS = [148, 149, 150, 151, 199, 200, 201, 255, 256, 5000];
for (const length of LENGTHS) {
  LONG_TEXTS.test(
    `of ${length} characters and some more are compared and ordered to the last one`,
    async (store) => {
      const base = longText(length);
      const texts = [base, `${base}a`, `${base}b`, base.slice(0, -1), 'z'];
      await store.commit(
        texts.map((text) =>
          article({ title: text, slug: text, language: text, status: text, words: [text, `${text}!`] }),
        ),
      );
      const find = async (where: Predicate): Promise<readonly number[]> =>
        (await store.find({ collection: 'articles', where })).records.map((record) => record.id);
      for (const [index, text] of texts.entries()) {
        const rest = [1, 2, 3, 4, 5].filter((id) => id !== index + 1);
        for (const field of ['title', 'slug', 'status']) {
          assert.equal(await find({ op: 'eq', field, value: text }), [index + 1]);
          assert.equal(await find({ op: 'not', of: { op: 'in', field, values: [text] } }), rest);
          const smaller = texts.flatMap((other, at) => (other < text ? [at + 1] : []));
          assert.equal(await find({ op: 'lt', field, value: text }), smaller);
          assert.equal(await find({ op: 'lte', field, value: text }), [...smaller, index + 1].toSorted());
        }
        assert.equal(await find({ op: 'equalsFolded', field: 'title', text: text.toUpperCase() }), [
          index + 1,
        ]);
        assert.equal(await find({ op: 'hasAny', field: 'words', values: [text] }), [index + 1]);
        assert.equal(await find({ op: 'hasAll', field: 'words', values: [`${text}!`, text] }), [index + 1]);
      }
      for (const field of ['title', 'slug', 'language']) {
        const { records: found } = await store.find({
          collection: 'articles',
          order: [{ field, direction: 'asc' }],
        });
        assert.equal(
          found.map((record) => record.id),
          [5, 4, 1, 2, 3],
        );
      }
    },
  );
  LONG_TEXTS.test(`of ${length} characters and some more are distinguished by unique keys`, async (store) => {
    const base = longText(length);
    await store.commit([
      article({ slug: base }),
      article({ slug: `${base}a` }),
      article({ slug: `${base}b` }),
      article({ slug: base.slice(0, -1) }),
    ]);
    for (const slug of [base, `${base}a`])
      assert.equal((await rejectsStore(store.commit([article({ slug })]), 'unique')).fields, [
        'language',
        'slug',
      ]);
    await store.commit([article({ slug: base, language: 'nl' })]);
  });
}

/** Texts that are longer than an index entry. */
export const longTexts: readonly StoreCase[] = LONG_TEXTS.cases;
