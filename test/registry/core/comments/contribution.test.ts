import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../../lib/core/objects.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { batchFixture } from '../../../support/batch/fixture.ts';
import {
  type Answer,
  type Asking,
  createWholeSite,
  type WholeSite,
  type WholeSiteOptions,
} from '../../../support/whole-site.ts';

/** Post 101 is published, 102 too, 103 protected by `sesame`, 104 a draft, 106 private. One approved comment stands on each. */
const POSTS = [101, 102, 103, 104, 106] as const;
const CANARY = 'canary-of-a-hidden-post';
const fixture: Fixture = {
  ...batchFixture,
  users: (batchFixture.users ?? []).map((user) =>
    Object.assign({}, user, { email: `${String(user['login'])}@example.com` }),
  ),
  comments: POSTS.map((post) => ({
    id: post + 400,
    post,
    author: 0,
    author_name: 'Vera',
    author_email: 'vera@example.com',
    author_ip: '192.0.2.1',
    date: '2024-02-01T10:00:00',
    status: 'approved',
    content: post > 102 ? `${CANARY} ${post}` : `open ${post}`,
  })),
};

const open = (options: Partial<WholeSiteOptions> = {}): Promise<WholeSite> =>
  createWholeSite({ fixture, content: 'core', config: { cms: { visitorComments: true } }, ...options });

const field = ({ body }: Answer, name: string): unknown => (isObject(body) ? body[name] : undefined);
const idsOf = ({ body }: Answer): readonly unknown[] =>
  Array.isArray(body) ? body.map((each: unknown) => (isObject(each) ? each['id'] : null)) : [];
const codeOf = (answer: Answer): readonly unknown[] => [answer.status, field(answer, 'code')];
const totalOf = ({ headers }: Answer): unknown => headers['X-CMS-Total'];

const VISITOR = { post: 101, author_name: 'Nina', author_email: 'nina@example.com' } as const;
const send = (site: WholeSite, body: object, more: Partial<Asking> = {}): Promise<Answer> =>
  site.ask({ method: 'POST', target: '/cms/v2/comments', body: { ...VISITOR, ...body }, ...more });

const parents = suite('parents of comments');

parents('may be wrong: a comment that replies to itself, or to its own reply, can be deleted', async () => {
  const site = await open();
  const edit = (id: number, body: object): Promise<Answer> =>
    site.ask({ method: 'PUT', target: `/cms/v2/comments/${id}`, as: 'editor', body });
  const remove = (id: number): Promise<Answer> =>
    site.ask({ method: 'DELETE', target: `/cms/v2/comments/${id}?force=true`, as: 'editor' });
  await edit(501, { parent: 501 });
  const reply = Number(field(await send(site, { content: 'A reply', parent: 501 }, { as: 'editor' }), 'id'));
  assert.is((await remove(501)).status, 200);
  assert.is(field(await site.ask({ target: `/cms/v2/comments/${reply}`, as: 'editor' }), 'parent'), 0);
  await edit(502, { parent: reply });
  await edit(reply, { parent: 502 });
  assert.is((await remove(502)).status, 200);
  assert.is(field(await site.ask({ target: `/cms/v2/comments/${reply}`, as: 'editor' }), 'parent'), 0);
  await site.close();
});

parents.run();

const words = suite('what a request says of a comment');

words('0 and 1 are statuses, as in WordPress', async () => {
  const site = await open();
  for (const [sent, status] of [
    ['0', 'hold'],
    ['1', 'approved'],
    ['constructor', 'approved'],
  ] as const) {
    assert.is(
      field(
        await site.ask({
          method: 'PUT',
          target: '/cms/v2/comments/501',
          as: 'editor',
          body: { status: sent },
        }),
        'status',
      ),
      status,
      sent,
    );
  }
  await site.close();
});

words('are said of no draft and of nothing in the trash, not even by those who may edit it', async () => {
  const site = await open();
  await site.ask({ method: 'DELETE', target: '/cms/v2/posts/101', as: 'editor' });
  for (const [post, code] of [
    [101, 'rest_comment_trash_post'],
    [104, 'rest_comment_draft_post'],
  ] as const)
    assert.equal(codeOf(await send(site, { post, content: 'x' }, { as: 'editor' })), [403, code]);
  await site.close();
});

words('an empty name or address is that of the caller', async () => {
  const site = await open();
  const answer = await site.ask({
    method: 'POST',
    target: '/cms/v2/comments',
    as: 'editor',
    body: { post: 101, content: 'Words', author_name: '', author_email: '' },
  });
  assert.equal(
    [answer.status, field(answer, 'author'), field(answer, 'author_email')],
    [201, 2, 'editor@example.com'],
  );
  assert.equal(codeOf(await send(site, { content: 'Words', author_email: '' })), [
    400,
    'rest_comment_author_data_required',
  ]);
  await site.close();
});

words.run();

const hidden = suite('comments on posts that the caller may not read');

hidden('are not listed, searched, embedded or counted', async () => {
  const site = await open();
  for (const target of [
    '/cms/v2/comments',
    `/cms/v2/comments?search=${CANARY}`,
    '/cms/v2/comments?include=503,504,506',
    '/cms/v2/comments?order=asc&per_page=1&page=2',
    '/cms/v2/posts?_embed=1',
    '/cms/v2/search?search=canary',
  ]) {
    const answer = await site.ask({ target });
    assert.not.match(answer.text, CANARY, target);
  }
  const list = await site.ask({ target: '/cms/v2/comments?orderby=id&order=asc' });
  assert.equal([idsOf(list), totalOf(list)], [[501, 502], '2']);
  assert.equal(totalOf(await site.ask({ target: `/cms/v2/comments?search=${CANARY}` })), '0');
  for (const id of [503, 504, 506])
    assert.is((await site.ask({ target: `/cms/v2/comments/${id}` })).status, 401);
  for (const post of [103, 104, 106])
    assert.equal(codeOf(await site.ask({ target: `/cms/v2/comments?post=${post}` })), [
      401,
      'rest_cannot_read_post',
    ]);
  await site.close();
});

hidden('are shown to those who may read or edit the post', async () => {
  const site = await open();
  const editor = await site.ask({ target: '/cms/v2/comments?orderby=id&order=asc', as: 'editor' });
  assert.equal([idsOf(editor), totalOf(editor)], [[501, 502, 503, 504, 506], '5']);
  assert.equal(idsOf(await site.ask({ target: '/cms/v2/comments?post=103&password=sesame' })), [503]);
  assert.is((await site.ask({ target: '/cms/v2/comments/503?password=sesame' })).status, 200);
  assert.is(
    (await site.ask({ target: '/cms/v2/comments/503' })).status,
    401,
    'the response that the password opened is not cached',
  );
  await site.close();
});

hidden(
  'follow the post: hidden when it is, listed again when it is published, gone when it is deleted',
  async () => {
    const site = await open();
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      seen.push(idsOf(await site.ask({ target: '/cms/v2/comments?orderby=id&order=asc' })));
    };
    for (const body of [{ status: 'draft' }, { status: 'publish' }, { password: 'word' }, { password: '' }]) {
      await site.ask({ method: 'PUT', target: '/cms/v2/posts/101', as: 'editor', body });
      await look();
    }
    await site.ask({ method: 'DELETE', target: '/cms/v2/posts/101?force=true', as: 'editor' });
    await look();
    assert.equal(seen, [[502], [501, 502], [502], [501, 502], [502]]);
    assert.is(await site.store.get('comments', 501), null);
    await site.close();
  },
);

hidden.run();

const visitors = suite('visitors');

visitors('may write only where the site lets them', async () => {
  const site = await open({ config: {} });
  assert.equal(codeOf(await send(site, { content: 'x' })), [401, 'rest_comment_login_required']);
  await site.close();
});

visitors('do not read what waits for approval, whoever wrote it', async () => {
  const site = await open();
  const target = '/cms/v2/comments/501';
  await site.ask({ method: 'PUT', target, as: 'editor', body: { status: 'hold' } });
  for (const [as, status] of [
    [null, 401],
    ['subscriber', 403],
  ] as const)
    assert.equal(codeOf(await site.ask({ target, as })), [status, 'rest_cannot_read']);
  await site.close();
});

visitors('write neither scripts nor styles, and their names have no markup', async () => {
  const site = await open();
  const made = await send(site, {
    author_name: '<b onclick=x>Ni</b>na & <script>y</script>',
    author_url: 'javascript:alert(1)',
    content:
      '<script>a</script><a href="javascript:b" onmouseover="c">l</a> <img src=x onerror=d> <em style="e">f</em>',
  });
  assert.equal([made.status, field(made, 'author_name'), field(made, 'author_url')], [201, 'Nina &amp;', '']);
  assert.not.match(made.text, /script|onmouseover|onerror|<img|style=/);
  await site.close();
});

visitors('never see e-mail addresses and IP addresses, and cannot ask for them', async () => {
  const site = await open();
  for (const as of [null, 'subscriber', 'author']) {
    for (const target of ['/cms/v2/comments', '/cms/v2/comments/501', '/cms/v2/posts/101?_embed=1'])
      assert.not.match((await site.ask({ target, as })).text, /vera@example|192\.0\.2\.1/);
    for (const query of [
      'author_email=vera@example.com',
      'status=hold',
      'type=all',
      'author=1',
      'context=edit',
    ])
      assert.is(
        (await site.ask({ target: `/cms/v2/comments?${query}`, as })).status,
        as === null ? 401 : 403,
        query,
      );
  }
  await site.close();
});

visitors('who write the same at once are taken once, and not faster than the pace', async () => {
  const site = await open();
  const same = await Promise.all(
    Array.from({ length: 8 }, () => send(site, { content: 'same' }, { address: '198.51.100.1' })),
  );
  assert.is(same.filter(({ status }) => status === 201).length, 1);
  assert.is(
    (
      await site.store.find({
        collection: 'comments',
        where: { op: 'eq', field: 'author_ip', value: '198.51.100.1' },
        total: true,
      })
    ).total,
    1,
  );
  const others = await Promise.all(
    Array.from({ length: 8 }, (_each, at) =>
      send(site, { content: `other ${at}`, author_email: `n${at}@example.com` }, { address: '198.51.100.2' }),
    ),
  );
  assert.equal(others.filter(({ status }) => status === 201).length, 1);
  assert.equal(
    others
      .filter(({ status }) => status === 400)
      .every((answer) => field(answer, 'code') === 'comment_flood'),
    true,
  );
  await site.close();
});

visitors('cannot escape the pace with a date, nor gain the trust of a user with his address', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const site = await open({ now: () => now });
  assert.is(
    (await send(site, { content: 'old', date: '2001-01-01T00:00:00' }, { address: '198.51.100.3' })).status,
    201,
  );
  assert.equal(
    codeOf(await send(site, { content: 'new', date: '2002-01-01T00:00:00' }, { address: '198.51.100.3' })),
    [400, 'comment_flood'],
  );
  await site.ask({
    method: 'POST',
    target: '/cms/v2/comments',
    as: 'editor',
    body: { post: 101, content: 'by the editor' },
  });
  const [editor] = (
    await site.store.find({ collection: 'comments', where: { op: 'eq', field: 'author', value: 2 } })
  ).records;
  now += 60_000;
  const imposter = await send(
    site,
    {
      content: 'me too',
      author_name: String(editor?.['author_name']),
      author_email: String(editor?.['author_email'] || 'e@example.com'),
    },
    { address: '198.51.100.4' },
  );
  assert.is(field(imposter, 'status'), 'hold');
  now += 60_000;
  assert.is(
    field(
      await send(
        site,
        { content: 'again', author_name: 'Vera', author_email: 'vera@example.com' },
        { address: '198.51.100.5' },
      ),
      'status',
    ),
    'approved',
  );
  now += 60_000;
  assert.is(
    field(
      await send(
        site,
        {
          content: '<a href="http://a">a</a><a href="http://b">b</a>',
          author_name: 'Vera',
          author_email: 'vera@example.com',
        },
        { address: '198.51.100.6' },
      ),
      'status',
    ),
    'hold',
  );
  await site.close();
});

visitors.run();

const moderation = suite('moderation');

moderation('moves a comment through its statuses and back', async () => {
  const site = await open();
  const statuses: unknown[] = [];
  for (const status of ['hold', 'spam', 'unspam', 'approve', 'trash', 'untrash', 'nonsense']) {
    statuses.push(
      field(
        await site.ask({ method: 'PUT', target: '/cms/v2/comments/501', as: 'editor', body: { status } }),
        'status',
      ),
    );
  }
  assert.equal(statuses, ['hold', 'spam', 'hold', 'approved', 'trash', 'approved', 'approved']);
  await site.close();
});

moderation(
  'is not for others, and does not move a comment to a post that the caller may not read',
  async () => {
    const site = await open();
    for (const as of [null, 'subscriber', 'contributor'])
      assert.equal(
        codeOf(
          await site.ask({ method: 'PUT', target: '/cms/v2/comments/502', as, body: { status: 'spam' } }),
        ),
        [as === null ? 401 : 403, 'rest_cannot_edit'],
      );
    assert.equal(
      codeOf(
        await site.ask({
          method: 'PUT',
          target: '/cms/v2/comments/501',
          as: 'editor',
          body: { post: 99_999 },
        }),
      ),
      [403, 'rest_comment_invalid_post_id'],
    );
    await site.close();
  },
);

moderation('hands the replies of a removed comment to its parent', async () => {
  const site = await open();
  const reply = Number(field(await send(site, { content: 'reply', parent: 501 }), 'id'));
  await site.ask({
    method: 'PUT',
    target: `/cms/v2/comments/${reply}`,
    as: 'editor',
    body: { status: 'approve' },
  });
  const links = field(await site.ask({ target: '/cms/v2/comments/501' }), '_links') as Record<
    string,
    unknown
  >;
  assert.ok(links['children']);
  await site.ask({ method: 'DELETE', target: '/cms/v2/comments/501?force=true', as: 'editor' });
  const orphan = await site.ask({ target: `/cms/v2/comments/${reply}` });
  assert.equal([field(orphan, 'parent'), 'in-reply-to' in (field(orphan, '_links') as object)], [0, false]);
  await site.close();
});

moderation.run();

const notes = suite('notes');

notes('are for those who may edit the post, whatever its status, and for nobody else', async () => {
  const site = await open();
  const write = (as: string | null, body: object): Promise<Answer> =>
    site.ask({
      method: 'POST',
      target: '/cms/v2/comments',
      as,
      body: { type: 'note', status: 'hold', ...body },
    });
  const note = Number(field(await write('editor', { post: 104, content: 'Check this' }), 'id'));
  for (const [as, body, code] of [
    [null, { post: 104, content: 'x' }, [401, 'rest_comment_login_required']],
    ['subscriber', { post: 101, content: 'x' }, [403, 'rest_cannot_create_note']],
    ['editor', { post: 101, content: '' }, [400, 'rest_comment_content_invalid']],
    [
      'editor',
      { post: 101, content: '', meta: { _wp_note_status: '' } },
      [400, 'rest_comment_content_invalid'],
    ],
    ['editor', { post: 101, content: '', meta: { _wp_note_status: 'done' } }, [400, 'rest_not_in_enum']],
    ['editor', { post: 999, content: 'x' }, [403, 'rest_comment_invalid_post_id']],
  ] as const)
    assert.equal(codeOf(await write(as, body)), code, `${as} ${JSON.stringify(body)}`);
  // The same text at once, as when two notes say "typo".
  const open101 = { post: 101, content: 'Typo' };
  const shown = Number(field(await write('editor', open101), 'id'));
  assert.is((await write('editor', open101)).status, 201);
  for (const as of [null, 'editor'] as const) {
    const reply = await send(site, { content: 'Public?', parent: shown }, { as });
    assert.equal(codeOf(reply), [400, 'rest_comment_invalid_parent'], String(as));
  }
  const moved = { method: 'POST', target: '/cms/v2/comments/501', as: 'editor' } as const;
  const move = await site.ask({ ...moved, body: { parent: shown } });
  assert.equal(codeOf(move), [400, 'rest_comment_invalid_parent']);
  const resolve = { post: 101, content: '', status: 'approved', parent: shown };
  const end = await write('editor', { ...resolve, meta: { _wp_note_status: 'resolved' } });
  assert.equal([end.status, field(end, 'status'), field(end, 'type')], [201, 'approved', 'note']);
  const list = '/cms/v2/comments?type=note&status=all&context=edit';
  assert.is(totalOf(await site.ask({ target: `${list}&post=101`, as: 'editor' })), '3');
  for (const as of [null, 'subscriber'] as const) {
    for (const target of [`/cms/v2/comments/${note}`, `/cms/v2/comments/${shown}`, list, `${list}&post=101`])
      assert.is((await site.ask({ target, as })).status, as === null ? 401 : 403, target);
    assert.not.match((await site.ask({ target: '/cms/v2/comments?post=101', as })).text, /Typo/);
  }
  // A note is not part of any list that does not ask for notes.
  assert.not.match((await site.ask({ target: '/cms/v2/comments?type=all', as: 'editor' })).text, /Typo/);
  assert.is((await site.ask({ target: list, as: 'editor' })).status, 403);
  const trash = { method: 'POST', target: `/cms/v2/comments/${shown}`, as: 'editor' } as const;
  await site.ask({ ...trash, body: { status: 'trash' } });
  assert.is(totalOf(await site.ask({ target: `${list}&post=101`, as: 'editor' })), '1');
  await site.close();
});

notes('are signed by nobody else, and hidden notes below a comment are not told of', async () => {
  const site = await open();
  const as = 'contributor';
  const draft = field(
    await site.ask({ method: 'POST', target: '/cms/v2/posts', as, body: { title: 'Mine', content: 'Text' } }),
    'id',
  );
  const body = { type: 'note', post: draft, content: 'Mine' };
  const note = await site.ask({ method: 'POST', target: '/cms/v2/comments', as, body });
  const update = (sent: object): Promise<Answer> =>
    site.ask({ method: 'POST', target: `/cms/v2/comments/${String(field(note, 'id'))}`, as, body: sent });
  for (const [sent, code] of [
    [{ author: 1 }, [403, 'rest_comment_invalid_author']],
    [{ author: 0 }, [403, 'rest_comment_invalid_author']],
    [{ author_ip: '192.0.2.9' }, [403, 'rest_comment_invalid_author_ip']],
    [{ author: field(note, 'author'), content: 'Again' }, [200, undefined]],
  ] as const)
    assert.equal(codeOf(await update(sent)), code, JSON.stringify(sent));
  const below = { ...body, post: 101, parent: 501 };
  await site.ask({ method: 'POST', target: '/cms/v2/comments', as: 'editor', body: below });
  const links = field(await site.ask({ target: '/cms/v2/comments/501' }), '_links');
  assert.is(isObject(links) && 'children' in links, false);
  const list = async (posts: string): Promise<unknown> =>
    (await site.ask({ target: `/cms/v2/comments?type=note&post=${posts}`, as })).status;
  assert.equal([await list(String(draft)), await list(`${String(draft)},101`)], [200, 403]);
  await site.close();
});

notes.run();
