import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasBrowser, skipBrowser, withBrowser } from '../support/chromium.ts';
import { startNode } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';

/** With `ROUTEBOOK_EDITOR_REQUESTS`, the test prints the requests of the day, which docs/clients.md lists. */
const NAME = 'a day in the block editor';
const BUILD = 'examples/editor/build';
const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;
const CONFIG = {
  content: {
    core: true,
    types: [
      'wp_block',
      {
        name: 'book',
        base: 'books',
        labels: { name: 'Books', singular: 'Book' },
        meta: { pages: { type: 'integer' } },
      },
    ],
  },
};

type Shown = Readonly<Record<string, unknown>>;
type Raw = { readonly raw: string };

/** What a step needs: the page, the site over its API, and what earlier steps made. */
interface Day {
  readonly page: Page;
  readonly origin: string;
  readonly ask: (path: string, init?: RequestInit) => Promise<unknown>;
  readonly made: Map<string, number>;
}

/** The record that an earlier step made, as the API shows it. */
const read = async ({ ask, made }: Day, base: string, name: string): Promise<Shown> =>
  (await ask(`/wp/v2/${base}/${made.get(name) ?? 0}?context=edit`)) as Shown;
const rawOf = (record: Shown, field: string): string => (record[field] as Raw).raw;

/** Runs an expression in the page, where `wp` is that of WordPress. */
const run = <T>({ page }: Day, script: string): Promise<T> => page.evaluate<T>(script);
/** Waits until an expression is true. The policy of the page forbids `waitForFunction`, which evaluates texts in it. */
async function settle(day: Day, script: string): Promise<void> {
  for (let turns = 300; turns > 0; turns -= 1) {
    if (await run<boolean>(day, script)) return;
    await day.page.waitForTimeout(100);
  }
  throw new Error(`not true within 30 s: ${script}`);
}
/** Changes the record in the editor as its panels do, and saves it with the keys. */
async function change(day: Day, edits: Shown): Promise<void> {
  await run(day, `wp.data.dispatch('core/editor').editPost(${JSON.stringify(edits)})`);
  await save(day);
}
async function save(day: Day): Promise<void> {
  await day.page.keyboard.press('Control+s');
  await settle(
    day,
    "!wp.data.select('core/editor').isSavingPost() && !wp.data.select('core/editor').isEditedPostDirty()",
  );
}
const insert = (day: Day, block: string): Promise<void> =>
  run(
    day,
    `(() => { const { createBlock: b } = wp.blocks; wp.data.dispatch('core/block-editor').insertBlocks(${block}); })()`,
  );
const canvas = ({ page }: Day) => page.frameLocator('iframe[name="editor-canvas"]');
async function openEditor(day: Day, type: string, id: number): Promise<void> {
  await day.page.goto(`${day.origin}/edit/${type}/post.php?post=${id}&action=edit`);
  await canvas(day).locator('.is-root-container').waitFor();
}
async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Application password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const idOfPage = ({ page }: Day): number => Number(new URL(page.url()).searchParams.get('post'));
async function create(day: Day, type: string, title: string): Promise<void> {
  await day.page.goto(`${day.origin}/edit/${type}/edit.php`);
  await day.page.getByLabel('Title').fill(title);
  await day.page.getByRole('button', { name: 'New' }).click();
  await canvas(day).locator('.is-root-container').waitFor();
  day.made.set(type, idOfPage(day));
}
const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#357' } })
    .png()
    .toBuffer();

/** The steps of the day, each of which asserts over the API what it did. */
const STEPS: readonly (readonly [name: string, step: (day: Day) => Promise<void>])[] = [
  [
    'a wrong password is refused',
    async ({ page, origin }) => {
      await page.goto(`${origin}/edit/`);
      await signIn(page, 'admin', 'mistyped');
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'an application password signs in',
    async ({ page, ask }) => {
      const made = (await ask('/wp/v2/users/me/application-passwords', {
        method: 'POST',
        body: JSON.stringify({ name: 'Editor' }),
      })) as { password: string };
      await signIn(page, 'admin', made.password);
      await page.getByRole('heading', { name: 'Posts' }).waitFor();
    },
  ],
  [
    'a new post',
    async (day) => {
      await create(day, 'post', 'A day');
      assert.is(rawOf(await read(day, 'posts', 'post'), 'title'), 'A day');
    },
  ],
  [
    'text is typed',
    async (day) => {
      await canvas(day).locator('.wp-block-post-title').click();
      await day.page.keyboard.press('End');
      await day.page.keyboard.press('Enter');
      await day.page.keyboard.type('The harbour wakes ');
      await day.page.keyboard.press('Control+b');
      await day.page.keyboard.type('early');
      await save(day);
      assert.match(
        rawOf(await read(day, 'posts', 'post'), 'content'),
        '<p>The harbour wakes <strong>early</strong></p>',
      );
    },
  ],
  [
    'a link',
    async (day) => {
      // The editor asks for the title of the page. The test reaches no other site, which would be a 404 as in WordPress.
      const link = `${day.origin}/en/`;
      await day.page.keyboard.press('Shift+Home');
      await day.page.keyboard.press('Control+k');
      await day.page.getByRole('combobox', { name: 'Search or type URL' }).fill(link);
      await day.page.keyboard.press('Enter');
      await save(day);
      assert.match(rawOf(await read(day, 'posts', 'post'), 'content'), `href="${link}"`);
    },
  ],
  [
    'blocks of text',
    async (day) => {
      await insert(
        day,
        `[b('core/heading', { content: 'Boats' }), b('core/list', {}, [b('core/list-item', { content: 'One' })]), b('core/quote', {}, [b('core/paragraph', { content: 'Q' })]), b('core/code', { content: 'let x' }), b('core/preformatted', { content: 'p' }), b('core/verse', { content: 'v' }), b('core/pullquote', { value: 'pq' }), b('core/separator'), b('core/buttons', {}, [b('core/button', { text: 'Go', url: 'https://example.com' })]), b('core/columns', {}, [b('core/column', {}, [b('core/paragraph', { content: 'left' })])]), b('core/details', { summary: 'More' }), b('core/html', { content: '<b>h</b>' }), b('core/more'), b('core/shortcode', { text: '[x]' })]`,
      );
      await save(day);
      const content = rawOf(await read(day, 'posts', 'post'), 'content');
      for (const name of [
        'heading',
        'list',
        'quote',
        'code',
        'preformatted',
        'verse',
        'pullquote',
        'separator',
        'buttons',
        'columns',
        'details',
        'html',
        'more',
        'shortcode',
      ])
        assert.match(content, `<!-- wp:${name} `, name);
    },
  ],
  [
    'a table by the keyboard',
    async (day) => {
      await insert(day, `[b('core/paragraph')]`);
      await day.page.keyboard.type('/table');
      await day.page.getByRole('option', { name: 'Table', exact: true }).waitFor();
      await day.page.keyboard.press('Enter');
      await canvas(day).getByRole('button', { name: 'Create Table' }).click();
      await save(day);
      assert.match(rawOf(await read(day, 'posts', 'post'), 'content'), '<table');
    },
  ],
  [
    'a picture is uploaded',
    async (day) => {
      await insert(day, `[b('core/image')]`);
      await canvas(day)
        .locator('[data-type="core/image"] input[type=file]')
        .setInputFiles({ name: 'quay.png', mimeType: 'image/png', buffer: await picture() });
      await settle(day, "wp.data.select('core/block-editor').getSelectedBlock()?.attributes.id > 0");
      await save(day);
      const id = await run<number>(
        day,
        "wp.data.select('core/block-editor').getSelectedBlock().attributes.id",
      );
      day.made.set('picture', id);
      assert.match(rawOf(await read(day, 'posts', 'post'), 'content'), `"id":${id}`);
      assert.is((await read(day, 'media', 'picture'))['mime_type'], 'image/png');
    },
  ],
  [
    'the picture is cropped to a square',
    async (day) => {
      const attribute = "wp.data.select('core/block-editor').getSelectedBlock()?.attributes.id";
      await canvas(day).locator('[data-type="core/image"]').click();
      await day.page.getByRole('button', { name: 'Edit image' }).click();
      const dialog = day.page.getByRole('dialog', { name: 'Edit media' });
      await dialog.getByLabel('Aspect ratio').selectOption({ label: 'Square (1:1)' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await settle(day, `![undefined, ${day.made.get('picture')}].includes(${attribute})`);
      day.made.set('square', await run<number>(day, attribute));
      await save(day);
      const { media_details: made } = await read(day, 'media', 'square');
      const { media_details: former } = await read(day, 'media', 'picture');
      const sizes = [made, former].map((each) => [(each as Shown)['width'], (each as Shown)['height']]);
      assert.equal(sizes, [
        [480, 480],
        [640, 480],
      ]);
      assert.match(rawOf(await read(day, 'posts', 'post'), 'content'), `"id":${day.made.get('square')}`);
    },
  ],
  [
    'an embed of a post of the site',
    async (day) => {
      const [other] = (await day.ask('/wp/v2/posts?per_page=1&status=publish')) as readonly {
        link: string;
      }[];
      await insert(day, `[b('core/embed', { url: ${JSON.stringify(other?.link)} })]`);
      await canvas(day).locator('[data-type="core/embed"]').waitFor();
      await day.page.waitForTimeout(1500);
      await save(day);
      assert.match(rawOf(await read(day, 'posts', 'post'), 'content'), '<!-- wp:embed');
    },
  ],
  [
    'a synced pattern',
    async (day) => {
      const id = await run<number>(
        day,
        `wp.data.dispatch('core').saveEntityRecord('postType', 'wp_block', { title: 'Times', content: '<!-- wp:paragraph --><p>Open daily</p><!-- /wp:paragraph -->', status: 'publish' }).then((record) => record.id)`,
      );
      day.made.set('pattern', id);
      await insert(day, `[b('core/block', { ref: ${id} })]`);
      await canvas(day).getByText('Open daily').waitFor();
      await save(day);
      assert.match(
        ((await read(day, 'posts', 'post'))['content'] as { rendered: string }).rendered,
        'Open daily',
      );
    },
  ],
  [
    'a category and a tag are made and given',
    async (day) => {
      const term = (taxonomy: string, name: string): Promise<number> =>
        run<number>(
          day,
          `wp.data.dispatch('core').saveEntityRecord('taxonomy', '${taxonomy}', { name: '${name}' }).then((term) => term.id)`,
        );
      const [category, tag] = [await term('category', 'Quays'), await term('post_tag', 'Fog')];
      await change(day, { categories: [category], tags: [tag] });
      const { categories, tags } = await read(day, 'posts', 'post');
      assert.equal([categories, tags], [[category], [tag]]);
    },
  ],
  [
    'slug, excerpt, picture, format, discussion',
    async (day) => {
      const edits = {
        slug: 'a-day-at-the-quay',
        featured_media: day.made.get('picture') ?? 0,
        format: 'aside',
        comment_status: 'closed',
      };
      await change(day, { ...edits, excerpt: 'Short' });
      const post = await read(day, 'posts', 'post');
      for (const [name, value] of Object.entries(edits)) assert.is(post[name], value, name);
      assert.is(rawOf(post, 'excerpt'), 'Short');
    },
  ],
  [
    'the author is changed',
    async (day) => {
      const [other] = (await day.ask('/wp/v2/users?search=editor&context=edit')) as readonly { id: number }[];
      await change(day, { author: other?.id });
      assert.is((await read(day, 'posts', 'post'))['author'], other?.id);
    },
  ],
  [
    'a draft is previewed by its link alone',
    async (day) => {
      const link = await run<string>(day, "wp.data.select('core/editor').getEditedPostPreviewLink()");
      const response = await fetch(link);
      assert.is(response.status, 200);
      assert.match(await response.text(), 'The harbour wakes');
    },
  ],
  [
    'a password',
    async (day) => {
      await change(day, { password: 'tide' });
      assert.is((await read(day, 'posts', 'post'))['password'], 'tide');
      await change(day, { password: '' });
    },
  ],
  [
    'the post is scheduled',
    async (day) => {
      await change(day, { status: 'future', date: '2099-01-02T03:04:05' });
      const { status, date } = await read(day, 'posts', 'post');
      assert.equal([status, date], ['future', '2099-01-02T03:04:05']);
      await change(day, { status: 'draft', date: null });
    },
  ],
  [
    'it is published with the buttons',
    async (day) => {
      await day.page.getByRole('button', { name: 'Publish', exact: true }).click();
      await day.page
        .getByLabel('Editor publish')
        .getByRole('button', { name: 'Publish', exact: true })
        .click();
      await day.page.getByText('is now live').waitFor();
      assert.is((await read(day, 'posts', 'post'))['status'], 'publish');
      await day.page.getByRole('button', { name: 'Close panel' }).click();
    },
  ],
  [
    'a change is an autosave until it is saved, and previewed',
    async (day) => {
      await insert(day, `[b('core/paragraph', { content: 'Not yet public' })]`);
      await run(day, "wp.data.dispatch('core/editor').autosave()");
      const link = await run<string>(day, "wp.data.select('core/editor').getEditedPostPreviewLink()");
      assert.match(await (await fetch(link)).text(), 'Not yet public');
      assert.not.match(rawOf(await read(day, 'posts', 'post'), 'content'), 'Not yet public');
    },
  ],
  [
    'the change is saved with the button',
    async (day) => {
      await day.page.getByRole('button', { name: 'Save', exact: true }).click();
      await settle(day, "!wp.data.select('core/editor').isEditedPostDirty()");
      assert.match(rawOf(await read(day, 'posts', 'post'), 'content'), 'Not yet public');
    },
  ],
  [
    'revisions are listed and compared',
    async (day) => {
      const list = (await day.ask(`/wp/v2/posts/${day.made.get('post')}/revisions`)) as readonly unknown[];
      const shown = await run<number>(
        day,
        `wp.data.resolveSelect('core').getRevisions('postType', 'post', ${day.made.get('post')}, { per_page: 100, context: 'edit' }).then((revisions) => revisions.length)`,
      );
      assert.is(shown, list.length > 10 ? shown : list.length);
      assert.ok(shown > 5);
    },
  ],
  [
    'a note is written, answered and resolved',
    async (day) => {
      const write = (body: object): Promise<number> =>
        run<number>(
          day,
          `wp.data.dispatch('core').saveEntityRecord('root', 'comment', ${JSON.stringify({ post: day.made.get('post'), type: 'note', ...body })}, { throwOnError: true }).then((note) => note.id)`,
        );
      const note = await write({ content: 'Which pier?', status: 'hold', parent: 0 });
      await write({ content: 'The second', status: 'hold', parent: note });
      await write({ content: '', status: 'approved', parent: note, meta: { _wp_note_status: 'resolved' } });
      assert.is(
        (
          (await day.ask(
            `/wp/v2/comments?type=note&status=all&post=${day.made.get('post')}`,
          )) as readonly unknown[]
        ).length,
        3,
      );
    },
  ],
  [
    'sticky',
    async (day) => {
      await change(day, { sticky: true });
      assert.is((await read(day, 'posts', 'post'))['sticky'], true);
    },
  ],
  [
    'the post is opened again, as it was',
    async (day) => {
      await openEditor(day, 'post', day.made.get('post') ?? 0);
      assert.is(
        await run<boolean>(
          day,
          "wp.data.select('core/block-editor').getBlocks().every(({ isValid }) => isValid)",
        ),
        true,
      );
      assert.is(await run<boolean>(day, "wp.data.select('core/editor').isEditedPostDirty()"), false);
    },
  ],
  [
    'another user is told who edits the post, and takes it over; what the first one wrote is an autosave',
    async (day) => {
      const id = day.made.get('post') ?? 0;
      const other = await day.page.context().newPage();
      await other.goto(`${day.origin}/edit/post/post.php?post=${id}&action=edit`);
      await signIn(other, 'editor', 'editorpass');
      await other.getByText('This post is already being edited').waitFor();
      await insert(day, "[b('core/paragraph', { content: 'Almost lost' })]");
      await other.getByRole('link', { name: 'Take over' }).click();
      await other.frameLocator('iframe[name="editor-canvas"]').locator('.is-root-container').waitFor();
      await day.page.getByText('Someone else has taken over this post').waitFor();
      const autosaves = async (): Promise<string> =>
        JSON.stringify(await day.ask(`/wp/v2/posts/${id}/autosaves?context=edit`));
      for (let turns = 50; turns > 0 && !(await autosaves()).includes('Almost lost'); turns -= 1)
        await day.page.waitForTimeout(100);
      assert.match(await autosaves(), 'Almost lost');
      assert.not.match(rawOf(await read(day, 'posts', 'post'), 'content'), 'Almost lost');
      await other.close();
      await day.page.bringToFront();
      await day.page.getByRole('link', { name: 'Exit editor' }).click();
      await day.page.getByRole('heading', { name: 'Posts' }).waitFor();
    },
  ],
  [
    'a page below another one',
    async (day) => {
      const parent = (await day.ask('/wp/v2/pages', {
        method: 'POST',
        body: JSON.stringify({ title: 'Ferries', status: 'publish' }),
      })) as { id: number };
      await create(day, 'page', 'Timetable');
      await change(day, { parent: parent.id, menu_order: 3, status: 'publish' });
      const page = await read(day, 'pages', 'page');
      assert.equal([page['parent'], page['menu_order'], page['status']], [parent.id, 3, 'publish']);
    },
  ],
  [
    'a record of an own type, with its meta',
    async (day) => {
      await create(day, 'book', 'Tides');
      await change(day, { meta: { pages: 320 } });
      assert.is(((await read(day, 'books', 'book'))['meta'] as Shown)['pages'], 320);
    },
  ],
  [
    'the pattern is changed where it is edited',
    async (day) => {
      await openEditor(day, 'wp_block', day.made.get('pattern') ?? 0);
      await insert(day, `[b('core/paragraph', { content: 'Closed on Monday' })]`);
      await save(day);
      assert.match(
        ((await read(day, 'posts', 'post'))['content'] as { rendered: string }).rendered,
        'Closed on Monday',
      );
    },
  ],
  [
    'the list is searched',
    async (day) => {
      await day.page.goto(`${day.origin}/edit/post/edit.php`);
      await day.page.getByLabel('Search').fill('A day');
      await day.page.getByRole('link', { name: 'A day', exact: true }).waitFor();
    },
  ],
  [
    'it is translated beside the original',
    async (day) => {
      const row = day.page.getByRole('row', { name: /^A day/ });
      await row.getByRole('button', { name: '+ fr' }).click();
      await canvas(day).locator('.is-root-container').waitFor();
      await day.page.frameLocator('iframe[sandbox=""]').getByText('The harbour wakes').waitFor();
      day.made.set('french', idOfPage(day));
      await change(day, { title: 'Une journée' });
      const { wpml_language: language, wpml_translations: others } = await read(day, 'posts', 'french');
      assert.equal([language, (others as Shown)['en']], ['fr', day.made.get('post')]);
    },
  ],
  [
    'the media library: a file, its description, its removal',
    async (day) => {
      day.page.on('dialog', (dialog) => void dialog.accept());
      await day.page.goto(`${day.origin}/edit/attachment/`);
      await day.page
        .getByLabel('Upload')
        .setInputFiles({ name: 'pier.png', mimeType: 'image/png', buffer: await picture() });
      const text = day.page.getByLabel('Description of pier');
      await text.fill('The pier at dawn');
      const changed = day.page.waitForResponse((response) => /\/media\/\d+/.test(response.url()));
      await text.blur();
      await changed;
      const [file] = (await day.ask('/wp/v2/media?search=pier&context=edit')) as readonly {
        id: number;
        alt_text: string;
      }[];
      assert.is(file?.alt_text, 'The pier at dawn');
      await day.page.locator('figure', { has: text }).getByRole('button', { name: 'Remove' }).click();
      await text.waitFor({ state: 'detached' });
      assert.equal(await day.ask('/wp/v2/media?search=pier'), []);
    },
  ],
  [
    'the post is moved to the trash with the button',
    async (day) => {
      await openEditor(day, 'post', day.made.get('french') ?? 0);
      await day.page.getByRole('button', { name: 'Move to trash' }).click();
      await day.page.getByRole('button', { name: 'Move to trash' }).last().click();
      await day.page.getByRole('heading', { name: 'Posts' }).waitFor();
      assert.is((await read(day, 'posts', 'french'))['status'], 'trash');
    },
  ],
  [
    'signing out forgets the password',
    async ({ page, origin }) => {
      await page.goto(`${origin}/edit/`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Login').waitFor();
      assert.is(await page.evaluate('sessionStorage.length'), 0);
    },
  ],
];

/** A request as the table in docs/clients.md names it. */
const toRow = (method: string, status: number, address: string): string => {
  const path = new URL(address).pathname.replace('/wp-json', '').replaceAll(/\/\d+(?=\/|$)/g, '/ID');
  return `${method} ${path} ${status}`;
};

function runDay(): void {
  const test = suite(NAME);
  test(`of ${STEPS.length} steps has no error in the console, no 404 and no 500`, () =>
    inFolder(async (folder) => {
      const config = join(folder, 'site.json');
      writeFileSync(config, JSON.stringify(CONFIG));
      const program = await startNode('server', [
        'dist/adapters/cli/bin.js',
        'serve',
        '--port',
        '0',
        '--store',
        'memory',
        '--fixtures',
        'demo',
        '--names',
        'wordpress',
        '--plugins',
        'editor',
        '--editor',
        BUILD,
        '--config',
        config,
      ]);
      const { origin } = program;
      const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
        const response = await fetch(`${origin}/wp-json${path}`, {
          ...init,
          headers: { Authorization, 'Content-Type': 'application/json' },
        });
        assert.ok(response.ok, `${path}: ${response.status}`);
        return response.json();
      };
      const requests = new Map<string, number>();
      try {
        await withBrowser(async ({ page, faults }) => {
          page.context().on('response', (response) => {
            if (!response.url().startsWith(origin) || response.url().includes('/edit/')) return;
            const method =
              response.request().headers()['x-http-method-override'] ?? response.request().method();
            const row = toRow(method, response.status(), response.url());
            requests.set(row, (requests.get(row) ?? 0) + 1);
          });
          const day: Day = { page, origin, ask, made: new Map() };
          for (const [name, step] of STEPS) {
            await step(day).catch((error: unknown) => {
              throw new Error(`${name}: ${String(error)}\n${faults.join('\n')}`, { cause: error });
            });
          }
          // The browser reports the refused password.
          assert.equal(
            faults.filter((fault) => !fault.includes('status of 401')),
            [],
          );
        });
        const failed = [...requests.keys()].filter((row) => / (?:404|5\d\d)$/.test(row));
        assert.equal(failed, []);
      } finally {
        if (process.env['ROUTEBOOK_EDITOR_REQUESTS'] !== undefined)
          for (const [row, count] of [...requests].toSorted()) console.error(`${count} ${row}`);
        await program.stop();
      }
    }));
  test.run();
}

if (!hasBrowser()) skipBrowser(NAME);
else if (existsSync(`${BUILD}/index.html`)) runDay();
else {
  const test = suite(NAME);
  test('SKIPPED: the editor is not built', () => {
    console.error(`SKIPPED ${NAME}: npm ci && npm run build in examples/editor`);
  });
  test.run();
}
