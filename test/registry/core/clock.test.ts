import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../lib/core/objects.ts';
import { type Fixture, loadFixture } from '../../../registry/transfer/fixture/fixture.ts';
import { createRandom } from '../../support/random.ts';
import { createRenewableStore } from '../../support/renewable-store.ts';
import {
  type Answer,
  type Asking,
  createWholeSite,
  SITE_URL,
  type WholeSite,
} from '../../support/whole-site.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const NOON = Date.UTC(2025, 0, 15, 12);

const FIXTURE: Fixture = {
  site: {
    name: 'Clocks',
    description: '',
    timezone_string: 'Europe/Amsterdam',
    default_category: 1,
    excerpt_length_default: 55,
  },
  users: [
    { id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
    { id: 2, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
  ],
  categories: [{ id: 1, name: 'None', slug: 'none', parent: 0 }],
};

interface Clock {
  now: number;
}

async function createSite(clock: Clock): Promise<WholeSite> {
  return createWholeSite({ fixture: FIXTURE, now: () => clock.now });
}

function field({ body }: Answer, name: string): unknown {
  return isObject(body) ? body[name] : undefined;
}

/** Creates a post as the editor. @returns its id */
async function create(site: WholeSite, body: Readonly<Record<string, unknown>>): Promise<number> {
  const answer = await site.ask({
    method: 'POST',
    target: '/cms/v2/posts',
    as: 'editor',
    body: { title: 'Due lantern', ...body },
  });
  assert.is(answer.status, 201, answer.text);
  return Number(field(answer, 'id'));
}

const update = (site: WholeSite, id: number, body: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
  site.ask({ method: 'PUT', target: `/cms/v2/posts/${id}`, as: 'editor', body });

/** Every way in which an anonymous caller can find out that a post is published. Each is tested on its own content, so that none depends on another. */
const WAYS: Readonly<
  Record<string, (id: number) => readonly [asking: Asking, isSeen: (answer: Answer) => boolean]>
> = {
  read: (id) => [{ target: `/cms/v2/posts/${id}` }, ({ status }) => status === 200],
  list: () => [{ target: '/cms/v2/posts' }, ({ body }) => Array.isArray(body) && body.length === 1],
  total: () => [{ target: '/cms/v2/posts?_fields=id' }, ({ headers }) => headers['X-CMS-Total'] === '1'],
  search: () => [{ target: '/cms/v2/posts?search=lantern' }, ({ headers }) => headers['X-CMS-Total'] === '1'],
  include: (id) => [
    { target: `/cms/v2/posts?include=${id}` },
    ({ headers }) => headers['X-CMS-Total'] === '1',
  ],
  slug: () => [{ target: '/cms/v2/posts?slug=due-lantern' }, ({ headers }) => headers['X-CMS-Total'] === '1'],
  HEAD: () => [{ method: 'HEAD', target: '/cms/v2/posts' }, ({ headers }) => headers['X-CMS-Total'] === '1'],
  oembed: (id) => [
    { target: `/oembed/1.0/embed?url=${encodeURIComponent(`${SITE_URL}/en/?p=${id}`)}` },
    ({ status }) => status === 200,
  ],
  'the head': () => [
    { target: `/seo/v1/get_head?url=${encodeURIComponent(`${SITE_URL}/en/due-lantern/`)}` },
    ({ body }) => field({ body, status: 200, headers: {}, text: '' }, 'status') === 200,
  ],
};

/** Scheduled dates in site time, with the moment that each stands for. */
const DATES: readonly (readonly [date: string, due: number])[] = [
  ['2025-01-16T12:00:00', Date.UTC(2025, 0, 16, 11)],
  // The hour that daylight saving time skips, the hour that is repeated in autumn (the second one counts), a leap day, the last possible date.
  ['2025-03-30T02:30:00', Date.UTC(2025, 2, 30, 1, 30)],
  ['2025-10-26T02:30:00', Date.UTC(2025, 9, 26, 1, 30)],
  ['2028-02-29T00:00:00', Date.UTC(2028, 1, 28, 23)],
  ['9999-12-31T23:59:59', Date.UTC(9999, 11, 31, 22, 59, 59)],
];

const due = suite('a scheduled post');

for (const [name, way] of Object.entries(WAYS)) {
  due(`is out exactly when it is due: ${name}`, async () => {
    const clock = { now: NOON };
    const store = createRenewableStore();
    const site = await createWholeSite({ fixture: FIXTURE, now: () => clock.now, store });
    for (const [date, moment] of DATES) {
      clock.now = NOON;
      store.renew();
      await loadFixture(store, FIXTURE);
      const [asking, isSeen] = way(await create(site, { status: 'publish', date }));
      const seen = async (now: number): Promise<boolean> => {
        clock.now = now;
        return isSeen(await site.ask(asking));
      };
      assert.equal(
        [await seen(NOON), await seen(moment - 1000), await seen(moment), await seen(moment + YEAR)],
        [false, false, true, true],
        date,
      );
      // After the clock was set back, posts that readers have seen stay visible.
      assert.is(await seen(moment - HOUR), true, date);
    }
    await site.close();
  });
}

due('is out after a jump of a year, many at once and each under its date', async () => {
  const clock = { now: NOON };
  const site = await createSite(clock);
  for (let day = 1; day <= 28; day += 1)
    for (let hour = 0; hour < 10; hour += 1)
      await create(site, {
        status: 'publish',
        date: `2025-02-${String(day).padStart(2, '0')}T0${hour}:00:00`,
      });
  assert.is((await site.ask({ target: '/cms/v2/posts' })).headers['X-CMS-Total'], '0');
  clock.now += YEAR;
  // More posts are due than one query returns.
  const { headers, body } = await site.ask({ target: '/cms/v2/posts?per_page=1' });
  assert.is(headers['X-CMS-Total'], '280');
  assert.is(Array.isArray(body) && isObject(body[0]) ? body[0]['date'] : '', '2025-02-28T09:00:00');
  await site.close();
});

due('is published once, whichever request comes first', async () => {
  const clock = { now: NOON };
  const site = await createSite(clock);
  const id = await create(site, { status: 'publish', date: '2025-01-16T12:00:00' });
  clock.now += YEAR;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_each, index) =>
      site.ask({ target: index % 2 === 0 ? `/cms/v2/posts/${id}` : '/cms/v2/posts' }),
    ),
  );
  assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  assert.is((await site.store.get('posts', id))?.version, 2);
  await site.close();
});

due.run();

const modified = suite('modified');

modified('never decreases while the clock jumps about', async () => {
  const random = createRandom(12);
  const clock = { now: NOON };
  const site = await createSite(clock);
  for (let life = 0; life < 100; life += 1) {
    clock.now = NOON;
    const id = await create(site, { status: random.pick(['publish', 'draft', 'pending']) });
    let last = '';
    for (let step = 0; step < 12; step += 1) {
      clock.now += random.pick([-HOUR, HOUR, -1000, 1000, YEAR, -YEAR]);
      const change = random.pick<Readonly<Record<string, unknown>>>([
        {},
        { title: `T${step}` },
        { status: 'draft' },
        { status: 'publish' },
        { content: `C${step}` },
      ]);
      const answer = random.chance(0.15)
        ? await site.ask({ method: 'DELETE', target: `/cms/v2/posts/${id}`, as: 'editor' })
        : await update(site, id, change);
      if (answer.status === 410) continue;
      assert.is(answer.status, 200, answer.text);
      const now = String(field(answer, 'modified_gmt'));
      assert.ok(now >= last, `life ${life}, step ${step}: ${now} after ${last}`);
      last = now;
    }
  }
  await site.close();
});

modified('is the moment of the change, also for a post that is dated in the future', async () => {
  const clock = { now: NOON };
  const site = await createSite(clock);
  const id = await create(site, { status: 'publish', date: '2031-01-01T10:00:00' });
  clock.now += HOUR;
  assert.is(field(await update(site, id, { title: 'x' }), 'modified_gmt'), '2025-01-15T13:00:00');
  await site.close();
});

modified.run();

const revisions = suite('revisions under a clock that is set back');

revisions('the newest is the one that was written last, whatever its date says', async () => {
  const clock = { now: NOON };
  const site = await createSite(clock);
  const id = await create(site, {});
  await update(site, id, { title: 'First' });
  clock.now -= HOUR;
  await update(site, id, { title: 'Second' });
  // Saving the same text again does not create a revision.
  await update(site, id, { title: 'Second' });
  // An autosave is newer than both, but is not a revision.
  const autosave = await site.ask({
    method: 'POST',
    target: `/cms/v2/posts/${id}/autosaves`,
    as: 'admin',
    body: { title: 'Draft' },
  });
  assert.is(autosave.status, 200, autosave.text);
  await update(site, id, { title: 'Second' });
  const list = await site.ask({ target: `/cms/v2/posts/${id}/revisions?context=edit`, as: 'editor' });
  assert.is(list.headers['X-CMS-Total'], '3', list.text);
  await site.close();
});

/** The id in the predecessor link that an anonymous caller sees. */
async function predecessorOf(site: WholeSite, id: number): Promise<unknown> {
  const links = field(await site.ask({ target: `/cms/v2/posts/${id}` }), '_links');
  const found = isObject(links) ? links['predecessor-version'] : undefined;
  return Array.isArray(found) && isObject(found[0]) ? found[0]['id'] : undefined;
}

revisions('a post names the one with the highest id, whatever is added, changed and removed', async () => {
  const clock = { now: NOON };
  const site = await createSite(clock);
  const id = await create(site, { status: 'publish', date: '2024-01-01T10:00:00' });
  const autosave = async (title: string) =>
    Number(
      field(
        await site.ask({
          method: 'POST',
          target: `/cms/v2/posts/${id}/autosaves`,
          as: 'admin',
          body: { title },
        }),
        'id',
      ),
    );
  const revise = async (title: string): Promise<unknown> => {
    clock.now -= HOUR;
    await update(site, id, { title });
    return predecessorOf(site, id);
  };
  const remove = async (revision: unknown): Promise<unknown> => {
    const answer = await site.ask({
      method: 'DELETE',
      target: `/cms/v2/posts/${id}/revisions/${String(revision)}?force=true`,
      as: 'editor',
    });
    assert.is(answer.status, 200, answer.text);
    return predecessorOf(site, id);
  };
  const ids = [await revise('One'), await autosave('Draft'), await revise('Two'), await revise('Three')];
  assert.equal(
    ids,
    ids.toSorted((one, other) => Number(one) - Number(other)),
  );
  const [first, draft, second, third] = ids;
  // An autosave that is overwritten keeps its id and its place.
  clock.now += YEAR;
  assert.is(await autosave('Draft again'), draft);
  assert.is(await predecessorOf(site, id), third);
  assert.equal(
    [await remove(third), await remove(first), await remove(second), await remove(draft)],
    [second, second, draft, undefined],
  );
  await site.close();
});

revisions.run();

const far = suite('far dates');

for (const date of [
  '1969-12-31T23:59:59',
  '1900-01-01T00:00:00',
  '2024-02-29T12:00:00',
  '9999-12-31T23:59:59',
  '2025-03-30T02:30:00',
  '2025-10-26T02:30:00',
]) {
  far(`${date} is kept and found`, async () => {
    const site = await createSite({ now: NOON });
    const id = await create(site, { status: 'private', date });
    const shown = await site.ask({ target: `/cms/v2/posts/${id}?context=edit`, as: 'editor' });
    const kept = String(field(shown, 'date'));
    assert.is(kept.slice(0, 10), date.slice(0, 10));
    const before = await site.ask({
      target: `/cms/v2/posts?status=private&before=${date.slice(0, 10)}T00:00:00`,
      as: 'editor',
    });
    assert.is(before.headers['X-CMS-Total'], '0');
    // Writing back the values that were read changes nothing.
    const again = await update(site, id, { date: kept });
    assert.equal([field(again, 'date'), field(again, 'date_gmt')], [kept, field(shown, 'date_gmt')]);
    await site.close();
  });
}

far.run();
