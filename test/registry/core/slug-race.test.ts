import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { isObject } from '../../../lib/core/objects.ts';
import type { Store } from '../../../lib/store/store.ts';
import { toSuffixed } from '../../../registry/core/content/slug.ts';
import { collections } from '../../../registry/index.ts';
import { batchFixture } from '../../support/batch/fixture.ts';
import { type Answer, createWholeSite } from '../../support/whole-site.ts';

const CREATES = 200;

function slugOf(body: unknown): string {
  return isObject(body) ? String(body['slug']) : '';
}

function bodiesOf({ body }: Answer): readonly unknown[] {
  return isObject(body) && Array.isArray(body['responses'])
    ? body['responses'].map((item: unknown) => (isObject(item) ? item['body'] : null))
    : [];
}

const race = suite('posts of one title made at once');

race('each gets the next slug, without a race to the others', async () => {
  const inner = createMemoryStore(collections);
  let calls = 0;
  const store: Store = {
    ...inner,
    find: (...query) => {
      calls += 1;
      return inner.find(...query);
    },
    commit: (...operations) => {
      calls += 1;
      return inner.commit(...operations);
    },
  };
  const site = await createWholeSite({ fixture: batchFixture, store });
  calls = 0;
  const answers = await Promise.all(
    Array.from({ length: CREATES }, () =>
      site.ask({
        method: 'POST',
        target: '/cms/v2/posts',
        as: 'editor',
        body: { title: 'One name', status: 'publish' },
      }),
    ),
  );
  assert.equal(
    answers.map(({ status }) => status),
    Array.from({ length: CREATES }, () => 201),
  );
  const slugs = answers.map(({ body }) => slugOf(body));
  assert.is(new Set(slugs).size, CREATES);
  assert.equal(
    new Set(slugs),
    new Set(Array.from({ length: CREATES }, (_each, at) => toSuffixed('one-name', at + 1))),
  );
  assert.ok(calls < 4 * CREATES, `${calls} calls of the store`);
  await site.close();
});

race('also as items of batches, and when posts are renamed', async () => {
  const site = await createWholeSite({ fixture: batchFixture });
  const create = { path: '/cms/v2/posts', body: { title: 'One name', status: 'publish' } };
  const batches = await Promise.all(
    Array.from({ length: 20 }, () =>
      site.ask({
        method: 'POST',
        target: '/batch/v1',
        as: 'editor',
        body: { requests: Array.from({ length: 10 }, () => create) },
      }),
    ),
  );
  const ids = batches.flatMap(bodiesOf).map((body) => (isObject(body) ? Number(body['id']) : 0));
  assert.is(new Set(batches.flatMap(bodiesOf).map(slugOf)).size, CREATES);
  const renamed = await Promise.all(
    ids.map((id) =>
      site.ask({ method: 'PUT', target: `/cms/v2/posts/${id}`, as: 'editor', body: { slug: 'another' } }),
    ),
  );
  assert.equal(
    renamed.filter(({ status }) => status !== 200),
    [],
  );
  assert.is(new Set(renamed.map(({ body }) => slugOf(body))).size, CREATES);
  await site.close();
});

race.run();
