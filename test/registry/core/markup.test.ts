// Markup of posts, from the write to every form in which readers get it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';
import { INHERITED_NAMES } from '../../support/inherited-names.ts';
import { createWholeSite, type WholeSite } from '../../support/whole-site.ts';

const POSTS = '/cms/v2/posts';
const FIXTURE: Fixture = {
  site: { name: 'Markup', timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
    { id: 2, login: 'author', name: 'Author', slug: 'author', role: 'author' },
  ],
};

async function withSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

const names = suite('elements that are called like a member of every object');

for (const as of ['editor', 'author']) {
  names(`are shown and deleted like any other, written by an ${as}`, () =>
    withSite(async (site) => {
      for (const name of INHERITED_NAMES) {
        const text = `<${name}>a</${name}>`;
        const { status, body } = await site.ask({
          method: 'POST',
          target: POSTS,
          as,
          body: { title: text, content: text, excerpt: text, status: 'publish' },
        });
        assert.is(status, 201, name);
        assert.is((await site.ask({ target: POSTS })).status, 200, name);
        assert.is(
          (
            await site.ask({
              method: 'DELETE',
              target: `${POSTS}/${Reflect.get(Object(body), 'id')}?force=true`,
              as,
            })
          ).status,
          200,
          name,
        );
      }
    }),
  );
}

names.run();
