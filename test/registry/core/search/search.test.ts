// A search shows and counts what its caller may read. Each post of the canary site has words of its own in every field.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayEditPost } from '../../../support/canary/entitled.ts';
import { CALLERS, canaryFixture, COMMON, POSTS } from '../../../support/canary/fixture.ts';
import { findLeaks } from '../../../support/canary/leaks.ts';
import { toWord } from '../../../support/canary/words.ts';
import { createWholeSite, type WholeSiteOptions } from '../../../support/whole-site.ts';

const SEARCH = '/cms/v2/search';
const PUBLISHED = POSTS.filter(
  ({ status, ml_language: language }) => status === 'publish' && language === 'en',
);

/** Posts of every status and author. */
const SAMPLE = POSTS.filter((_post, index) => index % 3 === 0);

const search = suite('search');

for (const [name, options] of [
  ['with a cache', {}],
  ['without a cache', { cache: false }],
] as const satisfies readonly (readonly [string, Pick<WholeSiteOptions, 'cache'>])[]) {
  search(
    `finds a protected post by its texts only for its editors, and nothing that is not published; ${name}`,
    async () => {
      const site = await createWholeSite({ fixture: canaryFixture, content: 'core', ...options });
      for (const caller of CALLERS) {
        const count = async (query: string, path: string = SEARCH): Promise<number> => {
          const answer = await site.ask({
            target: `${path}?per_page=100&_embed&${query}`,
            as: caller.login,
          });
          assert.equal([answer.status, findLeaks(answer, caller, query)], [200, []], query);
          assert.is(Number(answer.headers['X-CMS-Total']), (answer.body as unknown[]).length, query);
          return (answer.body as unknown[]).length;
        };
        const open = PUBLISHED.filter((post) => post.password === '' || mayEditPost(caller, post));
        assert.equal(
          [await count(`search=${COMMON.content}`), await count(`search=${COMMON.title}`), await count('')],
          [open.length, open.length, PUBLISHED.length],
          String(caller.login),
        );
        for (const post of SAMPLE) {
          const isFound = open.includes(post) ? 1 : 0;
          assert.equal(
            [await count(`search=${toWord('t', post.id)}`), await count(`search=${toWord('c', post.id)}`)],
            [isFound, isFound],
            `${post.id} (${post.status}) as ${caller.login}`,
          );
          assert.is(await count(`search=${toWord('c', post.id)}`, '/cms/v2/posts'), isFound, `${post.id}`);
          for (const field of ['p', 'm', 'a', 'b', 'g'] as const)
            assert.is(await count(`search=${toWord(field, post.id)}`), 0, `${field}${post.id}`);
        }
      }
      await site.close();
    },
  );
}

search('finds terms and formats, and a subtype of another kind finds nothing', async () => {
  const site = await createWholeSite({ fixture: canaryFixture, content: 'core' });
  const titlesOf = async (query: string): Promise<unknown> =>
    ((await site.ask({ target: `${SEARCH}?${query}` })).body as { title: string }[]).map(
      ({ title }) => title,
    );
  assert.equal(
    [
      await titlesOf('type=term'),
      await titlesOf('type=term&search=CHI'),
      await titlesOf('type=term&subtype=post_tag'),
      await titlesOf('type=post-format&search=st'),
    ],
    [['Child', 'News', 'red'], ['Child'], ['red'], ['Status']],
  );
  assert.equal(
    [
      await titlesOf('type=term&subtype=post'),
      await titlesOf('subtype=category'),
      await titlesOf('type=post-format&include=1'),
    ],
    [[], [], []],
  );
  assert.is((await site.ask({ target: `${SEARCH}?search=${'x'.repeat(1601)}` })).status, 400);
  await site.close();
});

search.run();
