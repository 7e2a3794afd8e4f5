import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Operation, Store } from '../../../../lib/store/store.ts';
import type { Taxonomy } from '../../../../registry/core/model/content-type.ts';
import { createTermCounts } from '../../../../registry/core/terms/counts.ts';
import { createContentModel } from '../../../../registry/index.ts';
import { STORES } from '../../../support/store-factories.ts';

const TERMS = 200;
const POSTS = 2500;
const LANGUAGES = ['en', 'fr'];

/** Published or not, of types with and without the taxonomy, in languages that the site has and has not. */
const toPost = (at: number) => ({
  type: ['post', 'post', 'note', 'page'][at % 4] ?? '',
  status: ['publish', 'publish', 'draft'][at % 3] ?? '',
  language: ['en', 'fr', 'en', 'nl'][at % 5] ?? 'en',
  title: 'T',
  slug: `t-${at}`,
  tags: [(at % TERMS) + 1, ((at * 7) % 40) + 1, (at % TERMS) + 1],
});

function readTaxonomy(): Taxonomy {
  const { taxonomies } = createContentModel({
    core: true,
    types: [{ name: 'note', base: 'notes', taxonomies: ['post_tag'] }],
  });
  const taxonomy = taxonomies.get('post_tag');
  assert.ok(taxonomy);
  return taxonomy;
}

const isCounted = ({ type, status, language }: ReturnType<typeof toPost>): boolean =>
  type !== 'page' && status === 'publish' && LANGUAGES.includes(language);

async function fill(store: Store): Promise<readonly ReturnType<typeof toPost>[]> {
  const posts = Array.from({ length: POSTS }, (_each, at) => toPost(at));
  await store.commit(posts.map((values): Operation => ({ op: 'create', collection: 'posts', values })));
  return posts.filter(isCounted);
}

/** The store, which counts its reads. */
function watch(store: Store): { readonly store: Store; reads(): number } {
  let reads = 0;
  const watched = new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      if (name === 'find') reads += 1;
      return (...values: readonly unknown[]): unknown => Reflect.apply(member, target, values);
    },
  });
  // Calls are counted, not reads of the member: the proxy is asked once per call.
  return { store: watched, reads: () => reads };
}

const counts = suite('counts of terms');

for (const [name, open] of Object.entries(STORES)) {
  counts(
    `of many terms and of single ones are the same on ${name}, and many are counted with few reads`,
    async () => {
      const { store, remove } = await open();
      const published = await fill(store);
      const watched = watch(store);
      const [taxonomy, ids] = [readTaxonomy(), Array.from({ length: TERMS + 5 }, (_each, at) => at + 1)];
      const many = await createTermCounts(watched.store, LANGUAGES)(taxonomy, ids);
      assert.ok(watched.reads() < 10, `${watched.reads()} reads`);
      const countOne = createTermCounts(store, LANGUAGES);
      for (const id of ids) {
        const expected = published.filter(({ tags }) => tags.includes(id)).length;
        assert.equal(
          [many.get(id), (await countOne(taxonomy, [id])).get(id)],
          [expected, expected],
          `term ${id}`,
        );
      }
      await remove();
    },
  );
}

counts.run();
