// Every list limits the text that it searches for, because folding and comparing it takes time.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { collectionsOf, createContentModel } from '../../registry/index.ts';
import { listReadRoutes } from '../support/canary/core/cells.ts';
import { buildCoreSite, CORE_CONTENT } from '../support/canary/core/fixture.ts';
import { Secrets } from '../support/canary/core/secrets.ts';
import { createWholeSite } from '../support/whole-site.ts';

const LONGEST = 1600;

const searches = suite('searches');

searches('of every route refuse a text of more than 1,600 characters', async () => {
  const site = await createWholeSite({
    fixture: buildCoreSite(new Secrets(null)).fixture,
    content: CORE_CONTENT,
    store: createMemoryStore(collectionsOf(createContentModel(CORE_CONTENT))),
  });
  try {
    const searched = (await listReadRoutes(site))
      .filter(({ args }) => Object.hasOwn(args, 'search'))
      .map(({ pattern }) => pattern.replaceAll(/\(\?P<\w+>[^)]*\)/g, '1'));
    assert.ok(
      [
        '/cms/v2/posts',
        '/cms/v2/users',
        '/cms/v2/books',
        '/cms/v2/genres',
        '/cms/v2/comments',
        '/cms/v2/media',
        '/cms/v2/search',
        '/ml/v1/glossary',
      ].every((path) => searched.includes(path)),
      searched.join(),
    );
    for (const path of searched) {
      const { status, text } = await site.ask({ target: `${path}?search=${'a'.repeat(LONGEST + 1)}` });
      assert.is(status, 400, `${path}: ${text.slice(0, 200)}`);
      assert.match(text, /"search"/, path);
    }
  } finally {
    await site.close();
  }
});

searches.run();
