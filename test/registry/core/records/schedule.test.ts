import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { isObject } from '../../../../lib/core/objects.ts';
import { currentSource } from '../../../../lib/store/change-source.ts';
import type { Query } from '../../../../lib/store/query.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { createSchedule } from '../../../../registry/core/records/schedule.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { type Answer, createWholeSite } from '../../../support/whole-site.ts';

const NOON = Date.UTC(2025, 0, 15, 12);
const DUE = Date.UTC(2025, 0, 16, 12);

const written = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  content: 'Text',
};

const FIXTURE: Fixture = {
  site: { name: 'Schedule', timezone_string: 'UTC', default_category: 1 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  categories: [{ id: 1, name: 'None', slug: 'none' }],
  posts: [
    { ...written, id: 11, title: 'Alone', slug: 'alone' },
    { ...written, id: 12, title: 'Lamp', slug: 'lamp', group: 7 },
    { ...written, id: 13, title: 'Lampe', slug: 'lampe', ml_language: 'fr', group: 7, status: 'draft' },
    { ...written, id: 14, title: 'Later', slug: 'later', status: 'draft' },
  ],
};

/** A store that records the queries for scheduled posts, except those of the timer. */
function watchScheduled(): { readonly store: Store; readonly asked: Query[] } {
  const inner = createMemoryStore(collections);
  const asked: Query[] = [];
  const find: Store['find'] = (query) => {
    if (JSON.stringify(query.where ?? null).includes('"future"') && currentSource().from !== 'schedule')
      asked.push(query);
    return inner.find(query);
  };
  return { store: { ...inner, find }, asked };
}

const member = ({ body }: Answer, name: string): unknown => (isObject(body) ? body[name] : undefined);

const schedule = suite('the schedule');

schedule('is not asked by a read and a change of a post that shows no scheduled one', async () => {
  const { store, asked } = watchScheduled();
  const site = await createWholeSite({ fixture: FIXTURE, now: () => NOON, store });
  assert.is(
    (await site.ask({ method: 'PUT', target: '/cms/v2/posts/11', as: 'admin', body: { title: 'Changed' } }))
      .status,
    200,
  );
  assert.is((await site.ask({ target: '/cms/v2/posts/11' })).status, 200);
  assert.is(asked.length, 0);
  await site.ask({ target: '/cms/v2/posts/12' });
  assert.is(asked.length, 1);
  await site.close();
});

/** Written past this site, as by another process. */
const scheduleBy = (store: Store, id: number) =>
  store.commit([
    {
      op: 'update',
      collection: 'posts',
      id,
      values: { status: 'future', date: '2025-01-16T12:00:00', date_gmt: '2025-01-16T12:00:00' },
    },
  ]);

schedule('is kept for a post that another process has scheduled', async () => {
  const clock = { now: NOON };
  const site = await createWholeSite({ fixture: FIXTURE, now: () => clock.now });
  await scheduleBy(site.store, 14);
  assert.is((await site.ask({ target: '/cms/v2/posts/14' })).status, 401);
  clock.now = DUE;
  // A writer finds it published, like any reader.
  const changed = await site.ask({
    method: 'PUT',
    target: '/cms/v2/posts/14',
    as: 'admin',
    body: { title: 'Changed' },
  });
  assert.equal([changed.status, member(changed, 'status')], [200, 'publish']);
  assert.is((await site.store.get('posts', 14))?.version, 4);
  await site.close();
});

schedule('is kept for others when a post has no moment', async () => {
  const clock = { now: NOON };
  const site = await createWholeSite({ fixture: FIXTURE, now: () => clock.now });
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 11, values: { status: 'future', date_gmt: '' } },
  ]);
  await scheduleBy(site.store, 14);
  const listed = async (): Promise<unknown> =>
    (await site.ask({ target: '/cms/v2/posts?include=11,14&_fields=id' })).body;
  assert.equal([await listed(), await listed()], [[], []]);
  clock.now = DUE;
  assert.equal(await listed(), [{ id: 14 }]);
  await site.close();
});

for (const none of ['0000-00-00T00:00:00', '2025-01-15T99:99:99', 'tomorrow']) {
  schedule(`is kept for others when a post is scheduled for ${none}`, async () => {
    const clock = { now: NOON };
    const site = await createWholeSite({ fixture: FIXTURE, now: () => clock.now });
    await site.store.commit([
      { op: 'update', collection: 'posts', id: 11, values: { status: 'future', date_gmt: none } },
    ]);
    await scheduleBy(site.store, 14);
    const listed = async (): Promise<unknown> =>
      (await site.ask({ target: '/cms/v2/posts?include=14&_fields=id' })).body;
    assert.equal(await listed(), []);
    clock.now = DUE;
    assert.equal(await listed(), [{ id: 14 }]);
    await site.close();
  });
}

schedule('is not what a look found that began before a change', async () => {
  const { store, asked } = watchScheduled();
  const looks: (() => void)[] = [];
  const slow: Store = {
    ...store,
    find: async (query) => {
      const found = await store.find(query);
      // The first query has its result, but returns it late.
      if (asked.length === 1 && looks.length === 0)
        await new Promise<void>((resolve) => {
          looks.push(resolve);
        });
      return found;
    },
  };
  const { publishDue, nextDue } = createSchedule({ store: slow, now: () => NOON });
  const first = publishDue();
  while (looks.length === 0) await Promise.resolve();
  await store.commit([
    { op: 'create', collection: 'posts', values: { status: 'future', date_gmt: '2025-01-16T12:00:00' } },
  ]);
  await publishDue();
  looks[0]?.();
  await first;
  assert.is(nextDue(), DUE);
});

schedule('is kept for the translations that a post shows', async () => {
  const clock = { now: NOON };
  const site = await createWholeSite({ fixture: FIXTURE, now: () => clock.now });
  await scheduleBy(site.store, 13);
  const translations = async (): Promise<unknown> =>
    member(await site.ask({ target: '/cms/v2/posts/12' }), 'ml_translations');
  assert.equal([await translations(), await translations()], [undefined, undefined]);
  clock.now = DUE;
  assert.equal(await translations(), { en: 12, fr: 13 });
  await site.close();
});

schedule.run();
