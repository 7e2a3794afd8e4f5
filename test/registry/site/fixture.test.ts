import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { isObject } from '../../../lib/coerce.ts';
import { collections, createSite } from '../../../registry/index.ts';
import { clearSite, isEmptySite, loadFixture, type Fixture } from '../../../registry/site/fixture.ts';
import { createWholeSite } from '../../support/whole-site.ts';

const SITE = { name: 'Fixture', timezone_string: 'Europe/Amsterdam' } as const;
const USER = { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' } as const;
const POST = { id: 11, author: 1, status: 'publish', slug: 'lamp', title: 'Lamp' } as const;
const DATES = { date: '2024-07-01T12:00:00', date_gmt: '2024-07-01T10:00:00', modified: '2024-07-01T12:00:00', modified_gmt: '2024-07-01T10:00:00' } as const;

const toFixture = (post: Readonly<Record<string, string | null>>): Fixture => ({ site: SITE, users: [USER], posts: [{ ...POST, ...post }] });

const load = suite('loadFixture');

for (const [given, expected] of [
  [{ date: DATES.date }, DATES], [{ date_gmt: DATES.date_gmt }, DATES], [{ date: DATES.date, date_gmt: '', modified: null }, DATES],
  // In winter the site is one hour ahead.
  [{ ...DATES, modified: '2024-12-01T12:00:00', modified_gmt: '' }, { ...DATES, modified: '2024-12-01T12:00:00', modified_gmt: '2024-12-01T11:00:00' }],
  // What is given in both forms stands as it is, here in another zone.
  [{ ...DATES, date_gmt: '2024-07-01T03:00:00' }, { ...DATES, date_gmt: '2024-07-01T03:00:00' }],
  [{ status: 'draft', date: DATES.date }, { ...DATES, date_gmt: '' }], [{ status: 'pending', date: DATES.date, date_gmt: DATES.date_gmt }, DATES],
] as const) {
  load(`makes dates of those that are given: ${JSON.stringify(given)}`, async () => {
    const store = createMemoryStore(collections);
    await loadFixture(store, toFixture(given));
    const record = await store.get('posts', 11);
    assert.equal(Object.fromEntries(Object.keys(DATES).map((name) => [name, record?.[name]])), expected);
  });
}

for (const [slug, expected] of [['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'], ['Été à Lyon', 'ete-a-lyon'], ['%e6%97%a5', '%e6%97%a5'], ['a/b?c', 'a-bc']] as const) {
  load(`cleans the slug ${slug}, so that the post can be sent`, async () => {
    const site = await createWholeSite({ fixture: toFixture({ ...DATES, slug }) });
    const { status, body, headers } = await site.ask({ target: '/cms/v2/posts/11' });
    assert.is(status, 200);
    assert.is(isObject(body) ? body['slug'] : '', expected);
    assert.match(String(headers['Link']), `/en/${expected}/>`);
    await site.close();
  });
}

const FAULTS: readonly (readonly [place: string, fixture: Fixture])[] = [
  ['posts[0] (id 11): date ', toFixture({})],
  ['posts[0] (id 11): date ', toFixture({ status: 'draft' })],
  ['posts[0] (id 11): date ', toFixture({ date: '1 July 2024' })],
  ['posts[0] (id 11): date_gmt ', toFixture({ date_gmt: '2024-02-30T10:00:00' })],
  ['posts[0] (id 11): modified ', toFixture({ ...DATES, modified: '2024-07-01T12:00:00Z' })],
  ['posts[0] (id 11): of the slug ', toFixture({ ...DATES, slug: '!?' })],
  ['posts[0] (id 11): ml_language ', toFixture({ ...DATES, ml_language: '日本' })],
  ['site: ml_language ', { site: { ...SITE, ml_language: '' } }],
  ['site: timezone_string ', { site: { name: 'Fixture', timezone_string: 'Europe/Atlantis' } }],
  ['users[0] (id 1): of the slug ', { site: SITE, users: [{ ...USER, slug: '!' }] }],
  ['categories[0] (id unknown): ml_language ', { site: SITE, categories: [{ slug: 'news', ml_language: 3 }] }],
  ['tags[1] (id 5): of the slug ', { site: SITE, tags: [{ id: 4, slug: 'red' }, { id: 5, slug: '?' }] }],
  ['media[0] (id 7): date ', { site: SITE, media: [{ id: 7, date: 'today' }] }],
  ['users[0] (id 1): role is "boss" and has to be one of administrator, ', { site: SITE, users: [{ ...USER, role: 'boss' }] }],
  ['users[0] (id 1): role is "toString" ', { site: SITE, users: [{ ...USER, role: 'toString' }] }],
  ['users[0] (id 1): password ', { site: SITE, users: [{ ...USER, password: 5 }] }],
  ['posts[1] (id 12): title is 5 and has to be a text', { site: SITE, posts: [{ ...POST, ...DATES }, { ...POST, ...DATES, id: 12, title: 5 }] }],
  ['tags[0] (id 5): slug is 5 and has to be a text', { site: SITE, tags: [{ id: 5, slug: 5 }] }],
  ['posts[0] (id 11): categories is "1" and has to be a list of safe integers', toFixture({ ...DATES, categories: '1' })],
  ['revisions[0] (id 9): date ', { site: SITE, revisions: [{ id: 9, parent: 11 }] }],
];

for (const [place, fixture] of FAULTS) {
  load(`refuses ${JSON.stringify(fixture)}, names row and member, and writes nothing`, async () => {
    const store = createMemoryStore(collections);
    let fault: unknown = null;
    await loadFixture(store, fixture).catch((error: unknown) => { fault = error; });
    assert.instance(fault, TypeError);
    assert.ok(String(fault).startsWith(`TypeError: ${place}`), String(fault));
    assert.is((await store.find({ collection: 'options' })).records.length, 0);
  });
}

load.run();

const empty = suite('isEmptySite');

empty('is true before anything was written, of a site that was built on the store, too', async () => {
  const store = createMemoryStore(collections);
  assert.is(await isEmptySite(store), true);
  const site = await createSite({ store });
  assert.is((await store.find({ collection: 'options' })).records.length, 1);
  assert.is(await isEmptySite(store), true);
  await site.close();
});

const ROW = { id: 1, slug: 'a' } as const;
const NO_SITE = { site: {} } as const;
const CONTENTS: readonly Fixture[] = [
  { site: { name: 'Alone' } }, { ...NO_SITE, options: [{ group: 'seo', key: 'a', value: 1 }] }, { ...NO_SITE, users: [{ ...ROW, login: 'a' }] },
  { ...NO_SITE, categories: [ROW] }, { ...NO_SITE, tags: [ROW] }, { ...NO_SITE, media: [{ id: 1 }] }, { ...NO_SITE, posts: [{ ...POST, ...DATES }] },
  { ...NO_SITE, revisions: [{ id: 1, parent: 11, ...DATES }] },
];

for (const fixture of CONTENTS) {
  empty(`is false with ${JSON.stringify(fixture)}, and true when that is cleared`, async () => {
    const store = createMemoryStore(collections);
    await loadFixture(store, fixture);
    assert.is(await isEmptySite(store), false);
    await clearSite(store, collections);
    assert.is(await isEmptySite(store), true);
  });
}

empty.run();
