import { suite } from 'uvu';
// Synced patterns: content of the type `wp_block` that posts show by a block.
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { collectionsOf, createContentModel } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture-rows.ts';
import { replaceNamedIds } from '../../../../registry/transfer/plan/references.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

// As a document names it.
const CONTENT = JSON.parse('{"core": true, "types": ["wp_block"]}') as { core: boolean };

const show = (ref: number): string => `<!-- cms:block {"ref":${ref}} /-->`;
const text = (words: string): string => `<!-- cms:paragraph -->\n<p>${words}</p>\n<!-- /cms:paragraph -->`;
const row = (id: number, content: string, more: object = {}) => ({
  id,
  title: `Record ${id}`,
  slug: `record-${id}`,
  ml_language: 'en',
  author: 1,
  status: 'publish',
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
  content,
  ...more,
});
const FIXTURE: Fixture & Readonly<Record<string, unknown>> = {
  site: { name: 'Patterns', timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
    { id: 2, login: 'author', name: 'Author', slug: 'author', role: 'author' },
    { id: 3, login: 'reader', name: 'Reader', slug: 'reader', role: 'subscriber' },
  ],
  blocks: [
    row(1, text('Call us'), { group: 9 }),
    row(2, `${text('Outer')}${show(1)}`),
    row(3, `${text('Circle')}${show(4)}`),
    row(4, show(3)),
    row(5, text('Draft'), { status: 'draft' }),
    row(6, text('Appelez'), { ml_language: 'fr', group: 9 }),
    row(7, text('Locked'), { password: 'x' }),
    row(8, text(`x" onclick="alert(1)`)),
  ],
  posts: [
    row(20, `${text('Before')}${show(2)}${text('After')}`),
    row(21, `${show(3)}${show(5)}${show(7)}${show(20)}${show(99)}<!-- cms:block {"ref":"1"} /-->`),
    row(22, show(1), { ml_language: 'fr' }),
  ],
};

async function inSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const store = createMemoryStore(collectionsOf(createContentModel(CONTENT)));
  const site = await createWholeSite({
    fixture: FIXTURE,
    store,
    content: CONTENT,
    languages: ['en', 'fr'],
    // `wp_pattern_sync_status` is null where nothing is stored, though its enum does not name it.
    checkAnswers: true,
  });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

async function textOf(site: WholeSite, id: number): Promise<string> {
  const { body } = await site.ask({ target: `/cms/v2/posts/${id}` });
  const { rendered } = (body as { content: { rendered: string } }).content;
  return rendered
    .replaceAll(/<\/?p>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const patterns = suite('synced patterns');

patterns('posts show published patterns, nested, translated, and never in circles', () =>
  inSite(async (site) => {
    assert.is(await textOf(site, 20), 'Before Outer Call us After');
    assert.is(await textOf(site, 21), 'Circle');
    assert.is(await textOf(site, 22), 'Appelez');
  }),
);

patterns('a change of a pattern changes the posts that show it', () =>
  inSite(async (site) => {
    const send = (method: string, body?: object) =>
      site.ask({ method, target: '/cms/v2/blocks/1', as: 'admin', ...(body === undefined ? {} : { body }) });
    await textOf(site, 20);
    assert.is((await send('POST', { content: text('Write to us') })).status, 200);
    assert.is(await textOf(site, 20), 'Before Outer Write to us After');
    await send('DELETE');
    assert.is(await textOf(site, 20), 'Before Outer After');
  }),
);

patterns('a pattern inside of an attribute adds no markup', () =>
  inSite(async (site) => {
    const content = `<p><a href="/" title='${show(8)}'>link</a></p>${show(8)}`;
    const body = { content, status: 'publish', ml_language: 'en' };
    const { body: made } = await site.ask({ method: 'POST', target: '/cms/v2/posts', as: 'author', body });
    assert.not.match(await textOf(site, (made as { id: number }).id), /<[^>]*\sonclick=/);
  }),
);

patterns('patterns are for those who write, and no pages', () =>
  inSite(async (site) => {
    const ask = async (target: string, as: string | null) => {
      const { status, body } = await site.ask({ target, as });
      return [status, Array.isArray(body) ? body.length : null];
    };
    assert.equal(await ask('/cms/v2/blocks', null), [200, 0]);
    assert.equal(await ask('/cms/v2/blocks', 'reader'), [200, 0]);
    assert.equal(await ask('/cms/v2/blocks', 'author'), [200, 6]);
    assert.is((await site.ask({ target: '/cms/v2/blocks/1' })).status, 401);
    assert.is((await site.ask({ target: '/cms/v2/blocks/1', as: 'reader' })).status, 403);
    assert.equal(await ask('/cms/v2/search?search=Outer', null), [200, 0]);
    const { body } = await site.ask({ target: '/cms/v2/types/wp_block?context=edit', as: 'admin' });
    const { viewable, rest_base: base } = body as { viewable: boolean; rest_base: string };
    assert.equal([viewable, base], [false, 'blocks']);
  }),
);

patterns('an import gives the blocks the new ids of their patterns', () => {
  const other = (id: number): number => id + 100;
  const core = '<!-- cms:core/block {"ref":7,"x":7} /-->';
  assert.is(
    replaceNamedIds('posts', `7 ${show(5)}${core}`, other),
    `7 ${show(105)}${core.replace(':7,', ':107,')}`,
  );
});

patterns.run();
