// The same records as JSON and as Markdown, by the header `Accept` or the end of the address.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const FIXTURE = {
  site: { name: 'Markdown', timezone_string: 'UTC' },
  users: [{ id: 1, login: 'editor', name: 'Ed', slug: 'ed', role: 'editor' }],
  posts: [
    {
      id: 5,
      title: 'A *first* post',
      slug: 'first',
      content: '<h2>Part</h2>\n<ul><li>one</li></ul>',
      excerpt: 'In short',
      status: 'publish',
      author: 1,
      date: '2024-01-05T10:00:00',
    },
    {
      id: 6,
      title: 'Closed',
      slug: 'closed',
      content: 'a secret text',
      password: 'open',
      status: 'publish',
      author: 1,
      date: '2024-01-04T10:00:00',
    },
    { id: 7, title: 'Draft', slug: 'draft', status: 'draft', author: 1, date: '2024-01-03T10:00:00' },
  ],
};

async function inSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core' });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

const MARKDOWN = 'text/markdown';
const [JSON_TYPE, BOTH] = ['application/json', 'text/markdown;q=0.4, application/json;q=0.5'];
const [POST, POSTS, USERS] = ['/cms/v2/posts/5', '/cms/v2/posts', '/cms/v2/users/1'];

/** What is asked for, and the status and type of the response. */
const ROWS: readonly (readonly [target: string, accept: string | undefined, status: number, type: string])[] =
  [
    [POST, MARKDOWN, 200, MARKDOWN],
    [POSTS, MARKDOWN, 200, MARKDOWN],
    [POST, undefined, 200, JSON_TYPE],
    [POST, '*/*', 200, JSON_TYPE],
    [POST, 'text/*', 200, JSON_TYPE],
    [POST, BOTH, 200, JSON_TYPE],
    [POST, 'text/markdown, application/json;q=0.9', 200, MARKDOWN],
    [POST, 'text/markdown;q=0, application/json', 200, JSON_TYPE],
    [POST, 'text/markdown;q=0.2, */*;q=0.1', 200, MARKDOWN],
    [`${POST}.md`, undefined, 200, MARKDOWN],
    [`${POST}.md`, JSON_TYPE, 200, MARKDOWN],
    [`${POSTS}.md?per_page=1`, undefined, 200, MARKDOWN],
    [`${POSTS}?search=nothinglikethis`, MARKDOWN, 200, MARKDOWN],
    [`${POSTS}?_fields=id`, MARKDOWN, 406, JSON_TYPE],
    [USERS, MARKDOWN, 406, JSON_TYPE],
    [USERS, 'text/markdown, application/json;q=0.1', 200, JSON_TYPE],
    [`${USERS}.md`, undefined, 404, JSON_TYPE],
    ['/cms/v2/posts/7', MARKDOWN, 401, JSON_TYPE],
    ['/cms/v2/posts/99.md', undefined, 404, JSON_TYPE],
    ['/cms/v2/posts/7.md', undefined, 401, JSON_TYPE],
  ];

const markdown = suite('records as Markdown');

markdown('come where Accept prefers them or the address ends with .md', () =>
  inSite(async ({ ask }) => {
    for (const [target, accept, status, type] of ROWS) {
      const what = `${target} ${String(accept)}`;
      const headers = accept === undefined ? {} : { accept };
      const answer = await ask({ target, headers });
      assert.is(answer.status, status, `${what}: ${answer.text}`);
      assert.is(answer.headers['Content-Type']?.split(';')[0], type, what);
      const head = await ask({ method: 'HEAD', target, headers });
      assert.equal(
        [head.status, head.text, head.headers['Content-Type']],
        [status, '', answer.headers['Content-Type']],
      );
    }
  }),
);

markdown('is refused with the error of the record', () =>
  inSite(async ({ ask }) => {
    for (const [target, code] of [
      ['/cms/v2/posts/99.md', 'rest_post_invalid_id'],
      ['/cms/v2/posts/7.md', 'rest_forbidden'],
      [`${USERS}.md`, 'rest_no_route'],
    ] as const)
      assert.is(((await ask({ target })).body as { readonly code: string }).code, code, target);
  }),
);

markdown('and their JSON say that they depend on Accept, each time', () =>
  inSite(async ({ ask }) => {
    for (const target of [POST, POSTS, POST, POSTS])
      for (const accept of [MARKDOWN, JSON_TYPE]) {
        const { headers } = await ask({ target, headers: { accept } });
        assert.match(headers['Vary'] ?? '', /\bAccept\b/, `${target} ${accept}`);
      }
    // Pages of other sites get the recorded header.
    const { headers } = await ask({ target: POST, headers: { origin: 'https://app.example.com' } });
    assert.is(headers['Vary'], 'Origin');
    assert.not.match((await ask({ target: USERS })).headers['Vary'] ?? '', /\bAccept\b/);
  }),
);

markdown('have their facts in front, and nothing that a password closes', () =>
  inSite(async ({ ask }) => {
    const { text } = await ask({ target: `${POST}.md` });
    for (const line of [
      'title: "A *first* post"',
      'date: "2024-01-05T10:00:00Z"',
      'language: "en"',
      'canonical: "http://site.test/en/first/"',
      String.raw`# A \*first\* post`,
      '## Part',
      '- one',
    ])
      assert.ok(text.split('\n').includes(line), `${line} is missing in ${text}`);
    assert.match((await ask({ target: `${POSTS}.md` })).text, '](<http://site.test/en/first/>): In short');
    assert.not.match((await ask({ target: '/cms/v2/posts/6.md' })).text, 'secret');
    assert.match((await ask({ target: '/cms/v2/posts/6.md?password=open' })).text, 'a secret text');
  }),
);

markdown.run();
