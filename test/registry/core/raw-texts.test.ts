import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite } from '../../support/whole-site.ts';

const FIXTURE: Fixture = {
  site: { name: 'Texts', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [{ id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' }],
  categories: [{ id: 5, name: 'News', slug: 'news' }],
};

type Row = readonly [
  body: object,
  expected: number | readonly [title: string, content: string, excerpt: string],
];

const ROWS: readonly Row[] = [
  [{ title: { raw: 5 } }, ['5', '', '']],
  [{ title: { raw: 5 }, content: 'x' }, ['5', 'x', '']],
  [{ content: { raw: 1.5 }, excerpt: { raw: true } }, ['', '1.5', '1']],
  [{ title: { raw: 0 }, content: { raw: 0 }, excerpt: { raw: 0 } }, ['0', '0', '0']],
  [{ title: { raw: false }, content: 'x' }, ['', 'x', '']],
  [{ title: { raw: null }, content: 'x' }, ['', 'x', '']],
  [{ title: { raw: ['a'] }, content: 'x' }, 400],
  [{ title: 'T', content: { raw: { raw: 'x' } } }, 400],
  [{ title: 'T', excerpt: { raw: 2 ** 60 } }, 400],
];

interface Post {
  readonly id: number;
  readonly categories: readonly number[];
  readonly meta: object;
  readonly title: { readonly raw: string };
  readonly content: { readonly raw: string };
  readonly excerpt: { readonly raw: string };
}

const textsOf = ({ title, content, excerpt }: Post): readonly string[] => [
  title.raw,
  content.raw,
  excerpt.raw,
];

const texts = suite('texts that are not text');

for (const [body, expected] of ROWS) {
  texts(`${JSON.stringify(body)} in a post, an update and an autosave`, async () => {
    const { ask, close, store } = await createWholeSite({ fixture: FIXTURE });
    const status = typeof expected === 'number' ? expected : 201;
    const made = await ask({ method: 'POST', target: '/cms/v2/posts', as: 'editor', body });
    assert.is(made.status, status);
    if (typeof expected !== 'number') {
      const { id } = made.body as Post;
      assert.equal(textsOf(made.body as Post), expected);
      const updated = await ask({
        method: 'POST',
        target: `/cms/v2/posts/${id}`,
        as: 'editor',
        body: { title: 'T', content: 'C', excerpt: 'E', ...body, status: 'publish' },
      });
      assert.is(updated.status, 200);
      const autosave = await ask({
        method: 'POST',
        target: `/cms/v2/posts/${id}/autosaves`,
        as: 'editor',
        body,
      });
      assert.equal([autosave.status, textsOf(autosave.body as Post)], [200, expected]);
    }
    await close();
    await store.close();
  });
}

texts('leave no trace of terms that do not exist and of unregistered meta', async () => {
  const { ask, close, store } = await createWholeSite({ fixture: FIXTURE });
  const { status, body } = await ask({
    method: 'POST',
    target: '/cms/v2/posts',
    as: 'editor',
    body: { title: 'T', categories: [5, 99], tags: [5], meta: { unknown: 'x', footnotes: '' } },
  });
  const { categories, meta } = body as Post;
  assert.equal([status, categories, meta], [201, [5], { footnotes: '' }]);
  await close();
  await store.close();
});

texts.run();
