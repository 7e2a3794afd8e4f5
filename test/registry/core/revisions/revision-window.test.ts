import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite } from '../../../support/whole-site.ts';

const written = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  title: 'Lamp',
  content: 'some words',
};
const FIXTURE: Fixture = {
  site: { name: 'Windows', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  posts: [
    { ...written, id: 11, slug: 'lamp' },
    { ...written, id: 12, slug: 'bare' },
  ],
  revisions: [21, 22, 23].map((id) => ({
    id,
    parent: 11,
    author: 1,
    date: `2024-07-0${id - 20}T12:00:00`,
    autosave: false,
    title: `Lamp ${id}`,
    content: 'some words',
  })),
};

const OFFSET = 'rest_revision_invalid_offset_number';
const PAGE = 'rest_revision_invalid_page_number';

/** The three revisions of post 11, newest first. As recorded, an offset before the end has no effect without a page size. */
const ROWS: readonly (readonly [query: string, expected: string | readonly number[]])[] = [
  ['', [23, 22, 21]],
  ['?offset=0', [23, 22, 21]],
  ['?offset=2', [23, 22, 21]],
  ['?offset=3', OFFSET],
  ['?offset=4', OFFSET],
  ['?offset=3&page=2', OFFSET],
  ['?offset=2&per_page=2', [21]],
  ['?offset=3&per_page=2', OFFSET],
  ['?offset=1&per_page=1&page=9', [22]],
  ['?page=2', PAGE],
  ['?page=2&offset=0', PAGE],
  ['?page=3&per_page=2', PAGE],
  ['?page=2&per_page=2', [21]],
];

const windows = suite('a list of revisions');

for (const [query, expected] of ROWS) {
  windows(`${query} is ${String(expected)}`, async () => {
    const site = await createWholeSite({ fixture: FIXTURE });
    const { status, body } = await site.ask({ target: `/cms/v2/posts/11/revisions${query}`, as: 'admin' });
    if (typeof expected === 'string')
      assert.equal([status, (body as { code: string }).code], [400, expected]);
    else assert.equal([status, (body as { id: number }[]).map(({ id }) => id)], [200, expected]);
    await site.close();
    await site.store.close();
  });
}

windows('of a post without any is empty, whatever is asked for', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  for (const query of ['', '?offset=3', '?page=9', '?offset=3&per_page=2']) {
    const { status, body } = await site.ask({ target: `/cms/v2/posts/12/revisions${query}`, as: 'admin' });
    assert.equal([status, body], [200, []], query);
  }
  await site.close();
  await site.store.close();
});

windows.run();
