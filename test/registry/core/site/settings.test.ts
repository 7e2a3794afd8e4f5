import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { changeOption } from '../../../../registry/core/settings/options.ts';
import { createSettings } from '../../../../registry/core/settings/site-settings.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite, type Answer, type WholeSite } from '../../../support/whole-site.ts';

const FIXTURE: Fixture = {
  site: {
    name: 'Old',
    description: 'x',
    timezone_string: 'UTC',
    default_category: { en: 1, fr: 2 },
    page_on_front: { en: 7, fr: 8 },
  },
  settings: { title: 'Harbour', posts_per_page: 7, site_logo: null },
  users: [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
    { id: 2, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
  ],
  categories: [
    { id: 1, name: 'All', slug: 'all' },
    { id: 2, name: 'Tout', slug: 'tout', ml_language: 'fr' },
    { id: 3, name: 'Other', slug: 'other' },
  ],
  tags: [{ id: 4, name: 'Tag', slug: 'tag' }],
};
const SETTINGS = '/cms/v2/settings';

async function withSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core' });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

const read = async (site: WholeSite, language = 'en'): Promise<Record<string, unknown>> =>
  (await site.ask({ target: SETTINGS, as: 'admin', language })).body as Record<string, unknown>;
const write = (
  site: WholeSite,
  body: object,
  more: { readonly as?: string | null; readonly language?: string } = {},
): Promise<Answer> => site.ask({ method: 'POST', target: SETTINGS, as: 'admin', body, ...more });

const settings = suite('settings');

settings('lose none of the changes that are made at the same moment', async () => {
  const store = createMemoryStore(collections);
  const add = (): Promise<unknown> => changeOption(store, ['test', 'sum'], (value) => Number(value ?? 0) + 1);
  for (const sum of [3, 6]) {
    const values = await Promise.all([add(), add(), add()]);
    assert.is(Math.max(...values.map(Number)), sum);
  }
  await store.close();
});

settings('of a fixture replace those of its site', () =>
  withSite(async (site) => {
    const {
      title,
      description,
      posts_per_page: perPage,
      timezone,
      site_logo: logo,
      date_format: format,
    } = await read(site);
    assert.equal(
      [title, description, perPage, timezone, logo, format],
      ['Harbour', 'x', 7, 'UTC', null, 'F j, Y'],
    );
  }),
);

settings('are read and changed by administrators alone', () =>
  withSite(async (site) => {
    for (const [as, status] of [
      [null, 401],
      ['editor', 403],
    ] as const) {
      assert.equal(
        [
          (await site.ask({ target: SETTINGS, as })).status,
          (await write(site, { title: 'x' }, { as })).status,
        ],
        [status, status],
      );
    }
    assert.is((await read(site))['title'], 'Harbour');
  }),
);

settings('decide whether new posts can be discussed, where their type allows it', () =>
  withSite(async (site) => {
    const create = async (base: string, body: object = {}): Promise<unknown> => {
      const { body: created } = await site.ask({
        method: 'POST',
        target: `/cms/v2/${base}`,
        as: 'editor',
        body: { title: 'x', ...body },
      });
      const { comment_status: comments, ping_status: pings } = created as Record<string, unknown>;
      return [comments, pings];
    };
    assert.equal(
      [await create('posts'), await create('pages')],
      [
        ['open', 'open'],
        ['closed', 'closed'],
      ],
    );
    await write(site, { default_comment_status: 'closed' });
    assert.equal(
      [await create('posts'), await create('posts', { comment_status: 'open' })],
      [
        ['closed', 'open'],
        ['open', 'open'],
      ],
    );
    await write(site, { default_comment_status: 'open', default_ping_status: 'closed' });
    assert.equal(
      [await create('posts'), await create('pages')],
      [
        ['open', 'closed'],
        ['closed', 'closed'],
      ],
    );
  }),
);

settings('take effect with the next request', () =>
  withSite(async (site) => {
    const index = async (): Promise<unknown> => {
      const {
        name,
        timezone_string: zone,
        page_for_posts: page,
      } = (await site.ask({ target: '/' })).body as Record<string, unknown>;
      return [name, zone, page];
    };
    const dateOf = async (): Promise<unknown> =>
      (
        (await site.ask({ method: 'POST', target: '/cms/v2/posts', as: 'editor', body: { title: 'x' } }))
          .body as Record<string, unknown>
      )['date'];
    assert.equal([await index(), await dateOf()], [['Harbour', 'UTC', 0], '2025-01-15T12:00:00']);
    await write(site, { title: 'A & B', timezone: 'Asia/Tokyo', page_for_posts: 9 });
    assert.equal([await index(), await dateOf()], [['A &amp; B', 'Asia/Tokyo', 9], '2025-01-15T21:00:00']);
  }),
);

settings('that have a value for each language change in that of the request', () =>
  withSite(async (site) => {
    await write(site, { default_category: 3, page_on_front: 17 });
    const shown = async (language: string): Promise<unknown> => {
      const { default_category: category, page_on_front: page } = await read(site, language);
      return [category, page];
    };
    assert.equal(
      [await shown('en'), await shown('fr')],
      [
        [3, 17],
        [2, 8],
      ],
    );
  }),
);

settings('with one value for all languages keep it in the other ones', () =>
  withSite(async (site) => {
    assert.is((await read(site, 'fr'))['title'], 'Harbour');
    await write(site, { title: 'Port', page_for_posts: 9 }, { language: 'fr' });
    await write(site, { page_for_posts: 4 });
    const shown = async (language: string): Promise<unknown> => {
      const { title, page_for_posts: page } = await read(site, language);
      return [title, page];
    };
    assert.equal(
      [await shown('en'), await shown('fr')],
      [
        ['Harbour', 4],
        ['Port', 9],
      ],
    );
  }),
);

settings('change together or not at all, and keep their value where the new one is nothing that exists', () =>
  withSite(async (site) => {
    assert.is((await write(site, { title: 'New', posts_per_page: 'many' })).status, 400);
    await write(site, {
      timezone: 'UTC+2',
      language: 'xx_YY',
      start_of_week: 8,
      show_on_front: 'nothing',
      default_category: 4,
      constructor: 'x',
    });
    const {
      title,
      timezone,
      language,
      start_of_week: start,
      show_on_front: front,
      default_category: category,
    } = await read(site);
    assert.equal(
      [title, timezone, language, start, front, category],
      ['Harbour', 'UTC', 'en_US', 1, 'posts', 1],
    );
    await write(site, { title: null, posts_per_page: null });
    assert.equal([(await read(site))['title'], (await read(site))['posts_per_page']], ['', 10]);
  }),
);

settings('of several writers at the same time are all kept', () =>
  withSite(async (site) => {
    await Promise.all(
      ['date_format', 'time_format', 'description', 'title'].map((name) => write(site, { [name]: name })),
    );
    const { date_format: date, time_format: time, description, title } = await read(site);
    assert.equal([date, time, description, title], ['date_format', 'time_format', 'description', 'title']);
  }),
);

settings(
  'of a closed store are rejected, not thrown, so that reads beside them are not left unhandled',
  async () => {
    const store = createMemoryStore(collections);
    const readSettings = createSettings(store, ['en']);
    await readSettings();
    await store.close();
    const reading = readSettings();
    const error: unknown = await reading.catch((reason: unknown) => reason);
    assert.is((error as { code?: string }).code, 'closed');
  },
);

settings('and the search are described by OPTIONS as in WordPress', () =>
  withSite(async (site) => {
    const propertiesOf = async (target: string): Promise<Record<string, Record<string, unknown>>> => {
      const { body } = await site.ask({ method: 'OPTIONS', target, as: null });
      return (body as { schema: { properties: Record<string, Record<string, unknown>> } }).schema.properties;
    };
    const settings = await propertiesOf(SETTINGS);
    assert.equal(
      ['title', 'language', 'use_smilies', 'posts_per_page'].map((each) => settings[each]?.['default']),
      [null, 'en_US', true, 10],
    );
    assert.equal(
      Object.values(settings).filter((each) => 'context' in each),
      [],
    );
    const { type, subtype } = await propertiesOf('/cms/v2/search');
    assert.equal(
      [type?.['enum'], subtype?.['enum']],
      [
        ['post', 'term', 'post-format'],
        ['post', 'page', 'category', 'post_tag'],
      ],
    );
  }),
);

settings.run();
