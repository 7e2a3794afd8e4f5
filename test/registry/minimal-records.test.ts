// A store may hold records that have little more than their id: an older version, an import or a fixture wrote them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { createWholeSite, type WholeSite } from '../support/whole-site.ts';

const DATE = '2024-01-01T00:00:00';

/** Rows with nothing but what a fixture must have. */
const FIXTURE: Fixture = {
  site: {},
  users: [{ id: 1, login: 'admin', role: 'administrator' }],
  posts: [
    { id: 11, status: 'publish', date: DATE },
    { id: 13, date: DATE },
  ],
  revisions: [
    { id: 21, parent: 11, date: DATE },
    { id: 22, parent: 11, autosave: true, date: DATE },
  ],
  media: [{ id: 31 }],
  comments: [{ id: 41, post: 11, date: DATE }],
  categories: [{ id: 51 }],
  tags: [{ id: 52 }],
};

const TARGETS = [
  '/cms/v2/posts?status=any',
  '/cms/v2/posts/11',
  '/cms/v2/posts/13',
  '/cms/v2/posts/11/revisions',
  '/cms/v2/posts/11/revisions/21',
  '/cms/v2/posts/11/autosaves',
  '/cms/v2/media',
  '/cms/v2/media/31',
  '/cms/v2/comments',
  '/cms/v2/comments/41',
  '/cms/v2/categories',
  '/cms/v2/categories/51',
  '/cms/v2/tags',
  '/cms/v2/tags/52',
  '/cms/v2/users',
  '/cms/v2/users/1',
  '/cms/v2/users/me',
  '/cms/v2/users/1/application-passwords',
  '/cms/v2/settings',
  '/cms/v2/types',
  '/cms/v2/statuses',
  '/cms/v2/taxonomies',
] as const;

async function open(): Promise<WholeSite> {
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core', checkAnswers: true });
  await site.store.commit([
    {
      op: 'create',
      collection: 'credentials',
      values: { id: 61, user: 1, uuid: 'c0ffee00-c0ff-4ee0-8c0f-c0ffee00c0ff', name: 'App' },
    },
  ]);
  return site;
}

const minimal = suite('records with no values');

minimal('are shown as the OpenAPI document says', async () => {
  const site = await open();
  const failed: string[] = [];
  for (const context of ['view', 'edit', 'embed']) {
    for (const target of TARGETS) {
      const { status, text } = await site.ask({
        target: `${target}${target.includes('?') ? '&' : '?'}context=${context}`,
        as: 'admin',
      });
      if (status !== 200)
        failed.push(
          `${target} ${context}: ${status} ${text.slice(0, 200)} ${site.logged.map(({ message, error }) => `${message} ${String(error)}`).at(-1) ?? ''}`,
        );
    }
  }
  await site.close();
  assert.equal(failed, []);
});

minimal.run();
