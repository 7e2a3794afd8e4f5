import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite } from '../../../support/whole-site.ts';

const DEPTH = 20;

const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_each, index) => make(index));

/** Posts and pages, each below a category or page of its own, all of them below one chain of ancestors. */
function toFixture(count: number): Fixture {
  const page = { author: 1, status: 'publish', date: '2024-01-01T00:00:00' };
  return {
    site: { name: 'Deep', timezone_string: 'UTC', default_category: 1 },
    users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
    categories: [
      ...many(DEPTH, (index) => ({
        id: index + 1,
        name: `Level ${index}`,
        slug: `level-${index}`,
        parent: index,
      })),
      ...many(count, (index) => ({
        id: 1000 + index,
        name: `Leaf ${index}`,
        slug: `leaf-${index}`,
        parent: DEPTH,
      })),
    ],
    posts: many(count, (index) => ({
      id: 2000 + index,
      author: 1,
      status: 'publish',
      slug: `post-${index}`,
      title: `Post ${index}`,
      date: '2024-07-09T10:20:30',
      categories: [1000 + index, 1],
    })),
    pages: [
      ...many(DEPTH, (index) => ({
        ...page,
        id: 3001 + index,
        slug: `page-${index}`,
        title: 'Page',
        parent: index === 0 ? 0 : 3000 + index,
      })),
      ...many(count, (index) => ({
        ...page,
        id: 4000 + index,
        slug: `above-${index}`,
        title: 'Above',
        parent: 3000 + DEPTH,
      })),
      ...many(count, (index) => ({
        ...page,
        id: 5000 + index,
        slug: `below-${index}`,
        title: 'Below',
        parent: 4000 + index,
        date: '2025-01-01T00:00:00',
      })),
    ],
  } as unknown as Fixture;
}

/** How often a collection is queried for a page with all that it embeds. */
async function countFinds(
  count: number,
  { content, target }: { content: 'core' | undefined; target: string },
): Promise<Readonly<Record<string, number>>> {
  const inner = createMemoryStore(collections);
  const finds: Record<string, number> = {};
  const find: Store['find'] = (query) => {
    finds[query.collection] = (finds[query.collection] ?? 0) + 1;
    return inner.find(query);
  };
  const { pages, ...seed } = toFixture(count) as Fixture & { readonly pages: unknown };
  const site = await createWholeSite({
    store: { ...inner, find },
    fixture: (content === undefined ? seed : { ...seed, pages }) as Fixture,
    ...(content === undefined ? {} : { content }),
  });
  try {
    for (const name of Object.keys(finds)) delete finds[name];
    const { status, body } = await site.ask({ target });
    assert.is(status, 200);
    assert.is(
      (body as readonly { readonly _embedded: unknown }[]).filter(
        ({ _embedded: embedded }) => embedded !== undefined,
      ).length,
      count,
    );
    return { ...finds };
  } finally {
    await site.close();
  }
}

const embeds = suite('embedded records');
embeds('of a list load the terms above theirs once', async () => {
  const target = '/cms/v2/posts?per_page=30&_embed';
  const [few, more] = [
    await countFinds(3, { content: undefined, target }),
    await countFinds(30, { content: undefined, target }),
  ];
  assert.equal(more, few);
  assert.is(more['terms'], DEPTH);
});
embeds('of the core controllers do so as well, two queries for each list of terms aside', async () => {
  const target = '/cms/v2/posts?per_page=30&_embed=cms:term';
  const finds = await countFinds(30, { content: 'core', target });
  assert.is(finds['terms'], DEPTH + 2 * 30);
});
embeds('load the pages above their pages once', async () => {
  const target = '/cms/v2/pages?per_page=30&after=2024-06-01T00:00:00&_embed=up';
  const [few, more] = [
    await countFinds(3, { content: 'core', target }),
    await countFinds(30, { content: 'core', target }),
  ];
  assert.equal(more['posts'], few['posts']);
});
embeds('show the terms of a post in the order of lists, which ignores case and accents', async () => {
  const names = ['zebra', 'Zulu', 'Apple', 'apple', 'élan', 'Eagle', 'banana'];
  const { categories: _categories, ...seed } = toFixture(1) as Fixture & { readonly categories: unknown };
  const fixture = {
    ...seed,
    categories: names.map((name, at) => ({ id: at + 1, name, slug: `c-${at}`, parent: 0 })),
    posts: [
      {
        id: 1,
        author: 1,
        status: 'publish',
        slug: 'post',
        title: 'Post',
        date: '2024-07-09T10:20:30',
        categories: names.map((_name, at) => at + 1),
      },
    ],
  } as unknown as Fixture;
  const site = await createWholeSite({ store: createMemoryStore(collections), fixture });
  try {
    const { body } = await site.ask({ target: '/cms/v2/posts/1?_embed=cms:term' });
    const [embedded] =
      (
        body as {
          readonly _embedded: Readonly<Record<string, readonly (readonly { readonly name: string }[])[]>>;
        }
      )._embedded['cms:term'] ?? [];
    const { records } = await site.store.find({
      collection: 'terms',
      order: [{ field: 'name', direction: 'asc' }],
    });
    assert.equal(
      embedded?.map(({ name }) => name),
      ['Apple', 'apple', 'banana', 'Eagle', 'élan', 'zebra', 'Zulu'],
    );
    assert.equal(
      records.map(({ name }) => name),
      embedded?.map(({ name }) => name),
    );
  } finally {
    await site.close();
  }
});
embeds.run();
