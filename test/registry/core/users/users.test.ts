// Who may see whom and what, and what a change of a user does to logins and content. Logins, e-mail addresses and names hold
// words that only the user and administrators may see.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { collections } from '../../../../registry/index.ts';
import { inFolder } from '../../../support/temporary.ts';
import { createWholeSite, type Answer, type Asking } from '../../../support/whole-site.ts';
import { AUTHORS, basic, CALLERS, toKept, toLogin, userFixture, withUsers } from './user-site.ts';

const USERS = '/cms/v2/users';
const USER_IDS = (userFixture.users ?? []).map(({ id }) => Number(id));
const LOGINS = ['admin', 'editor', 'author', 'writer', 'contributor', 'subscriber'];

const codeOf = ({ body }: Answer): unknown => (body as { code?: unknown } | null)?.code;
const idsOf = ({ body }: Answer): readonly number[] =>
  (body as readonly { id: number }[]).map(({ id }) => id);

const seeing = suite('who sees whom');

/** Ways to ask for users. The words of others must not be in any response. */
const WAYS: readonly string[] = [
  USERS,
  `${USERS}?context=embed`,
  `${USERS}?context=edit`,
  `${USERS}?per_page=100&_embed`,
  `${USERS}?roles=administrator`,
  `${USERS}?capabilities=edit_posts`,
  `${USERS}?orderby=email`,
  `${USERS}?orderby=registered_date`,
  `${USERS}?who=authors`,
  `${USERS}?has_published_posts=true`,
  `${USERS}?has_published_posts=page`,
  `${USERS}?include=${USER_IDS.join()}`,
  `${USERS}/me`,
  `${USERS}/me?context=edit`,
  ...USER_IDS.flatMap((id) => [
    `${USERS}/${id}`,
    `${USERS}/${id}?context=edit`,
    `${USERS}/${id}?_envelope`,
    `${USERS}/${id}/application-passwords`,
  ]),
  '/cms/v2/posts?_embed=author',
  '/cms/v2/posts/101?_embed',
];

seeing('the words of a user reach the user and administrators alone, in edit context', () =>
  withUsers(async (ask) => {
    const seen = new Set<string>();
    for (const as of CALLERS) {
      for (const target of WAYS) {
        const { text, status } = await ask({ target, as });
        assert.ok(status < 500, target);
        for (const login of LOGINS.filter((each) => text.includes(toKept(each)))) {
          assert.ok(
            target.includes('context=edit') && (as === 'admin' || as === login),
            `${target} as ${as} shows ${login}`,
          );
          seen.add(`${as} ${login}`);
        }
      }
    }
    assert.is(seen.size, LOGINS.length + LOGINS.length - 1);
  }),
);

seeing('a search finds nobody by what the caller may not see', () =>
  withUsers(async (ask) => {
    for (const as of CALLERS) {
      for (const more of ['', '&search_columns=email', '&search_columns=email,name']) {
        const found = await ask({ target: `${USERS}?search=${encodeURIComponent('@mail.test')}${more}`, as });
        assert.equal(
          [found.status, idsOf(found).length, found.headers['X-CMS-Total']],
          [200, as === 'admin' ? 6 : 0, as === 'admin' ? '6' : '0'],
          `${as} ${more}`,
        );
      }
      for (const more of ['', '&search_columns=username']) {
        const found = await ask({ target: `${USERS}?search=${toLogin('author')}${more}`, as });
        assert.equal(
          [found.status, found.headers['X-CMS-Total']],
          [200, as === 'admin' ? '1' : '0'],
          `login as ${as} ${more}`,
        );
      }
    }
  }),
);

seeing('lists show and count authors of something published, and everybody for administrators', () =>
  withUsers(async (ask) => {
    for (const as of CALLERS) {
      const { headers, body } = await ask({ target: `${USERS}?orderby=id&per_page=1`, as });
      assert.equal(
        [(body as unknown[]).length, headers['X-CMS-Total']],
        [1, as === 'admin' ? '6' : String(AUTHORS.length)],
        String(as),
      );
      for (const [index, id] of USER_IDS.entries()) {
        const isShown = as === 'admin' || as === LOGINS[index] || AUTHORS.includes(id);
        assert.is(
          (await ask({ target: `${USERS}/${id}`, as })).status,
          isShown ? 200 : as === null ? 401 : 403,
          `${id} as ${as}`,
        );
      }
    }
  }),
);

seeing('publishing a post shows its author at once, and removing it hides the author', () =>
  withUsers(async (ask) => {
    const look = async (): Promise<readonly unknown[]> => [
      (await ask({ target: `${USERS}/4` })).status,
      idsOf(await ask({ target: `${USERS}?orderby=id` })),
    ];
    assert.equal(await look(), [401, AUTHORS]);
    await ask({ method: 'PUT', target: '/cms/v2/posts/104', as: 'editor', body: { status: 'publish' } });
    assert.equal(await look(), [200, [1, 3, 4]]);
    await ask({ method: 'DELETE', target: '/cms/v2/posts/104', as: 'editor' });
    assert.equal(await look(), [401, AUTHORS]);
  }),
);

seeing('without the core controllers there are no such routes', async () => {
  const site = await createWholeSite({ fixture: userFixture });
  assert.equal(
    await Promise.all(
      [USERS, `${USERS}/1`, `${USERS}/me`].map(async (target) => (await site.ask({ target })).status),
    ),
    [404, 404, 404],
  );
  await site.close();
});

seeing.run();

const logging = suite('logins');

/** A request with a login and a password, from an address of its own. */
const me = (login: string, password: string): Asking => ({
  target: `${USERS}/me?context=edit`,
  headers: basic(toLogin(login), password),
});

logging('a new password replaces the old one at once, also one that was just verified', () =>
  withUsers(async (ask) => {
    const enter = async (password: string): Promise<number> => (await ask(me('author', password))).status;
    assert.equal([await enter('authorpass'), await enter('authorpass')], [200, 200]);
    assert.is(
      (await ask({ method: 'PUT', target: `${USERS}/me`, as: 'author', body: { password: 'another one' } }))
        .status,
      200,
    );
    assert.equal([await enter('authorpass'), await enter('another one')], [401, 200]);
    // A password of the form that a program would have is a person's password all the same.
    await ask({
      method: 'PUT',
      target: `${USERS}/3`,
      as: 'admin',
      body: { password: 'aB3aB3aB3aB3aB3aB3aB3aB3' },
    });
    await ask({ method: 'PUT', target: `${USERS}/3`, as: 'admin', body: { password: 'third' } });
    assert.equal(
      [await enter('another one'), await enter('aB3aB3aB3aB3aB3aB3aB3aB3'), await enter('third')],
      [401, 401, 200],
    );
  }),
);

logging('other roles and a removal take effect with the next request', () =>
  withUsers(async (ask) => {
    const rolesOf = async (): Promise<unknown> =>
      (await ask(me('editor', 'editorpass'))).body as { roles?: unknown; code?: unknown };
    assert.equal(((await rolesOf()) as { roles: unknown }).roles, ['editor']);
    await ask({
      method: 'PUT',
      target: `${USERS}/2`,
      as: 'admin',
      body: { roles: ['subscriber', 'contributor'] },
    });
    assert.equal(((await rolesOf()) as { roles: unknown }).roles, ['subscriber', 'contributor']);
    const post = (): Promise<Answer> =>
      ask({
        method: 'POST',
        target: '/cms/v2/posts',
        headers: basic(toLogin('editor'), 'editorpass'),
        body: { title: 'x', status: 'publish' },
      });
    assert.equal([(await post()).status, codeOf(await post())], [403, 'rest_cannot_publish']);
    assert.is(
      codeOf(await ask({ method: 'DELETE', target: `${USERS}/2?force=true&reassign=2`, as: 'admin' })),
      'rest_user_invalid_reassign',
    );
    assert.is(
      (await ask({ method: 'DELETE', target: `${USERS}/2?force=true&reassign=1`, as: 'admin' })).status,
      200,
    );
    assert.is((await ask(me('editor', 'editorpass'))).status, 401);
  }),
);

logging(
  'an application password is shown once, logs in, says of itself where it was used, and is revoked alone',
  () =>
    withUsers(async (ask, site) => {
      const passwords = `${USERS}/me/application-passwords`;
      const created = await ask({
        method: 'POST',
        target: passwords,
        as: 'author',
        body: { name: 'Phone <b>x</b>' },
      });
      const { uuid, password, name } = created.body as { uuid: string; password: string; name: string };
      assert.match(password, /^(?:[A-Za-z\d]{4} ){5}[A-Za-z\d]{4}$/);
      assert.is(name, 'Phone x');
      const texts = [
        JSON.stringify((await site.store.find({ collection: 'credentials' })).records),
        (await ask({ target: `${passwords}?context=edit`, as: 'author' })).text,
        (await ask({ target: `${passwords}/${uuid}?context=edit`, as: 'author' })).text,
      ];
      for (const text of texts)
        assert.ok(!text.includes(password) && !text.includes(password.replaceAll(' ', '')));

      const headers = basic(toLogin('author'), password);
      const itself = await ask({ target: `${passwords}/introspect`, headers, address: '192.0.2.7' });
      assert.is((itself.body as { uuid: string }).uuid, uuid);
      const { last_used: used, last_ip: address } = (await ask({ target: `${passwords}/${uuid}`, headers }))
        .body as { last_used: string; last_ip: string };
      assert.equal([used, address], ['2025-01-15T12:00:00', '192.0.2.7']);
      assert.is(
        codeOf(await ask({ target: `${passwords}/introspect`, as: 'author' })),
        'rest_no_authenticated_app_password',
      );
      assert.is(
        codeOf(await ask({ target: `${USERS}/1/application-passwords/introspect`, headers })),
        'rest_cannot_introspect_app_password_for_non_authenticated_user',
      );

      await ask({ method: 'PUT', target: `${USERS}/me`, as: 'author', body: { password: 'new one' } });
      assert.is((await ask({ target: `${USERS}/me`, headers })).status, 200);
      assert.is((await ask({ method: 'DELETE', target: `${passwords}/${uuid}`, as: 'author' })).status, 200);
      assert.equal(
        [(await ask({ target: `${USERS}/me`, headers })).status, (await ask(me('author', 'new one'))).status],
        [401, 200],
      );
    }),
);

logging('passwords that a program of the owner wrote are listed and revoked, those of people are not', () =>
  withUsers(async (ask, site) => {
    const hash = `sha256$00$${'0'.repeat(64)}`;
    await site.store.commit([
      { op: 'create', collection: 'credentials', values: { user: 3, name: 'her phone', hash } },
    ]);
    const listed = (await ask({ target: `${USERS}/3/application-passwords`, as: 'admin' })).body as {
      uuid: string;
      name: string;
    }[];
    assert.equal(
      listed.map(({ name }) => name),
      ['her phone'],
    );
    assert.is(
      (
        await ask({
          method: 'DELETE',
          target: `${USERS}/3/application-passwords/${listed[0]?.uuid}`,
          as: 'author',
        })
      ).status,
      200,
    );
    assert.is((await ask(me('author', 'authorpass'))).status, 200);
  }),
);

logging('a user has at most 100 application passwords, and sees those of nobody else', () =>
  withUsers(async (ask) => {
    const create = (as: string, user: string): Promise<Answer> =>
      ask({ method: 'POST', target: `${USERS}/${user}/application-passwords`, as, body: { name: 'x' } });
    for (let count = 0; count < 100; count += 1) assert.is((await create('author', 'me')).status, 201);
    assert.is(codeOf(await create('author', '3')), 'rest_too_many_application_passwords');
    assert.equal(
      [
        (await create('editor', '3')).status,
        (await create('author', '4')).status,
        (await create('admin', '4')).status,
      ],
      [403, 403, 201],
    );
  }),
);

logging.run();

const writing = suite('writes of users');

const create = (values: object): Asking => ({
  method: 'POST',
  target: USERS,
  as: 'admin',
  body: { username: 'new', email: 'new@mail.test', password: 'x', ...values },
});

writing('two at the same time do not take the same login, address or slug', () =>
  withUsers(async (ask, site) => {
    const many = await Promise.all(
      Array.from({ length: 8 }, (_each, index) =>
        ask(
          create({
            email: index % 2 === 0 ? 'New@mail.test' : 'new@MAIL.test',
            username: `new${index}`,
            slug: 'same',
          }),
        ),
      ),
    );
    assert.is(many.filter(({ status }) => status === 201).length, 1);
    assert.equal(
      [...new Set(many.filter(({ status }) => status !== 201).map(codeOf))],
      ['existing_user_email'],
    );
    const logins = await Promise.all(
      Array.from({ length: 4 }, (_each, index) =>
        ask(create({ email: `other${index}@mail.test`, username: 'twice' })),
      ),
    );
    assert.equal(logins.map(({ status }) => status).toSorted(), [201, 400, 400, 400]);
    assert.is(codeOf(await ask(create({ username: 'TWICE', email: 'z@mail.test' }))), 'existing_user_login');
    const slugs = await Promise.all(
      Array.from({ length: 6 }, (_each, index) =>
        ask(create({ email: `s${index}@mail.test`, username: `s${index}`, slug: 'dot' })),
      ),
    );
    assert.equal(slugs.map(({ body }) => (body as { slug: string }).slug).toSorted(), [
      'dot',
      'dot-2',
      'dot-3',
      'dot-4',
      'dot-5',
      'dot-6',
    ]);
    assert.is(
      (await site.store.find({ collection: 'credentials', total: true, limit: 1 })).total,
      6 + 1 + 1 + 6,
    );
  }),
);

writing('markup, unsafe addresses and members that nobody may write are not stored', () =>
  withUsers(async (ask) => {
    const { body } = await ask(
      create({
        name: '<i>N</i> & <script>1</script>',
        description: '<a href="javascript:1" onclick="2">x</a><script>3</script>',
        url: 'JaVaScRiPt:alert(1)',
        registered_date: '1999-01-01T00:00:00',
        capabilities: { all: true },
      }),
    );
    const {
      name,
      description,
      url,
      registered_date: registered,
      capabilities,
    } = body as Record<string, unknown>;
    assert.equal(
      [name, description, url, registered],
      ['N &amp;', '<a>x</a>3', '', '2025-01-15T12:00:00+00:00'],
    );
    assert.not.ok(Object.hasOwn(capabilities as object, 'all'));
  }),
);

writing('an administrator cannot take away his own rights, and nobody else gives roles', () =>
  withUsers(async (ask) => {
    const give = (as: string, target: string, roles: readonly string[]): Promise<Answer> =>
      ask({ method: 'PUT', target, as, body: { roles } });
    assert.equal(
      [
        (await give('admin', `${USERS}/me`, ['editor'])).status,
        (await give('admin', `${USERS}/1`, ['administrator', 'editor'])).status,
        (await give('editor', `${USERS}/me`, ['administrator'])).status,
      ],
      [403, 403, 403],
    );
    assert.is(codeOf(await give('admin', `${USERS}/2`, ['constructor'])), 'rest_user_invalid_role');
    // An empty list changes nothing, as in WordPress, so it cannot make a site without administrator either.
    assert.equal(
      [
        (await give('admin', `${USERS}/1`, [])).status,
        ((await ask({ target: `${USERS}/1?context=edit`, as: 'admin' })).body as { roles: unknown }).roles,
      ],
      [200, ['administrator']],
    );
  }),
);

writing('who may only give roles changes nothing else', () =>
  withUsers(
    async (ask) => {
      const change = async (body: object): Promise<readonly unknown[]> => {
        const answer = await ask({ method: 'PUT', target: `${USERS}/6`, as: 'robot', body });
        return [answer.status, codeOf(answer)];
      };
      assert.equal(await change({ roles: ['author'] }), [200, undefined]);
      assert.equal(await change({ roles: ['author'], email: 'mine@mail.test' }), [403, 'rest_cannot_edit']);
    },
    { bearer: () => ({ id: 900, role: 'robot', capabilities: new Set(['promote_users']) }) },
  ),
);

writing('only the version that If-Match names is changed or removed', () =>
  withUsers(async (ask) => {
    const stale = { 'if-match': '"9-x"' };
    assert.equal(
      [
        (await ask({ method: 'PUT', target: `${USERS}/3`, as: 'admin', headers: stale, body: { name: 'x' } }))
          .status,
        (
          await ask({
            method: 'DELETE',
            target: `${USERS}/3?force=true&reassign=1`,
            as: 'admin',
            headers: stale,
          })
        ).status,
        (await ask({ target: '/cms/v2/posts/102' })).status,
      ],
      [412, 412, 200],
    );
  }),
);

writing('are possible in a batch, each item for itself', () =>
  withUsers(async (ask) => {
    const requests = [
      { path: USERS, body: { username: 'b', email: 'b@mail.test', password: 'x' } },
      { path: USERS, body: { username: 'b', email: 'c@mail.test', password: 'x' } },
      { method: 'PUT', path: `${USERS}/3`, body: { name: 'Batch' } },
      { path: `${USERS}/me`, method: 'PUT', body: { name: 'x' } },
      { path: `${USERS}/3/application-passwords`, body: { name: 'x' } },
    ];
    const { body } = await ask({ method: 'POST', target: '/batch/v1', as: 'admin', body: { requests } });
    assert.equal(
      (body as { responses: { status: number }[] }).responses.map(({ status }) => status),
      [201, 400, 200, 400, 400],
    );
  }),
);

writing.run();

const removing = suite('removing a user');

removing('gives everything to the heir, or sends it to the trash', () =>
  withUsers(async (ask, site) => {
    const authorsOf = async (): Promise<unknown> =>
      (
        await site.store.find({
          collection: 'posts',
          order: [{ field: 'id', direction: 'asc' }],
          fields: ['author', 'status'],
        })
      ).records.map(({ id, author, status }) => [id, author, status]);
    assert.is(
      (await ask({ method: 'DELETE', target: `${USERS}/3?force=true&reassign=2`, as: 'admin' })).status,
      200,
    );
    assert.equal(await authorsOf(), [
      [101, 1, 'publish'],
      [102, 2, 'publish'],
      [103, 2, 'draft'],
      [104, 4, 'draft'],
      [105, 4, 'trash'],
    ]);
    assert.is(
      (await ask({ method: 'DELETE', target: `${USERS}/2?force=true&reassign=`, as: 'admin' })).status,
      200,
    );
    assert.equal(await authorsOf(), [
      [101, 1, 'publish'],
      [102, 0, 'trash'],
      [103, 0, 'trash'],
      [104, 4, 'draft'],
      [105, 4, 'trash'],
    ]);
    assert.is((await site.store.find({ collection: 'credentials', total: true, limit: 1 })).total, 4);
  }),
);

removing('of the last administrator is left to that administrator', async () => {
  const robot = { id: 900, role: 'robot', capabilities: new Set(['delete_users', 'edit_users']) };
  await withUsers(
    async (ask) => {
      const remove = (authorization: string): Promise<Answer> =>
        ask({ method: 'DELETE', target: `${USERS}/1?force=true&reassign=2`, headers: { authorization } });
      assert.equal(
        [(await remove('Bearer robot')).status, codeOf(await remove('Bearer robot'))],
        [403, 'rest_user_cannot_delete'],
      );
      assert.is((await remove('Bearer admin')).status, 200);
    },
    {
      bearer: (token) =>
        token === 'robot' ? robot : { id: 1, role: 'administrator', capabilities: new Set(['delete_users']) },
    },
  );
});

removing.run();

const stores = suite('a store of an older version');

stores('gets the new fields, and its users and passwords stay', () =>
  inFolder(async (folder) => {
    const old = collections.map((collection) => {
      if (collection.name === 'credentials')
        return {
          name: 'credentials',
          fields: {
            user: { type: 'integer' },
            name: { type: 'text' },
            hash: { type: 'text' },
            created_gmt: { type: 'text' },
          },
          indexes: [['user']],
        } as const;
      return collection.name === 'users'
        ? ({
            name: 'users',
            fields: {
              login: { type: 'text', folded: true },
              name: { type: 'text' },
              slug: { type: 'text' },
              role: { type: 'text' },
              email: { type: 'text' },
              description: { type: 'text' },
              url: { type: 'text' },
              registered_gmt: { type: 'text' },
              language_pairs: { type: 'texts' },
            },
            unique: [{ fields: ['login'] }, { fields: ['slug'] }],
            indexes: [['role']],
          } as const)
        : collection;
    });
    const before = await createSqliteStore({ directory: folder, collections: old });
    await before.commit([
      {
        op: 'create',
        collection: 'users',
        values: { login: 'Ada', name: 'Ada', slug: 'ada', role: 'administrator', email: 'Ada@mail.test' },
      },
      {
        op: 'create',
        collection: 'users',
        values: { login: 'bob', name: 'Bob', slug: 'bob', role: 'author', email: 'Ada@mail.test' },
      },
    ]);
    await before.close();
    const store = await createSqliteStore({ directory: folder, collections });
    const site = await createWholeSite({
      fixture: { site: { name: 'x' } },
      store,
      content: 'core',
      bearer: () => ({ id: 1, role: 'administrator', capabilities: new Set(['list_users', 'create_users']) }),
    });
    const { body } = await site.ask({ target: `${USERS}?search=ADA&search_columns=email`, as: 'any' });
    assert.equal(
      (body as { slug: string }[]).map(({ slug }) => slug),
      ['ada', 'bob'],
    );
    assert.is(
      codeOf(
        await site.ask({
          method: 'POST',
          target: USERS,
          as: 'any',
          body: { username: 'c', email: 'ada@MAIL.test', password: 'x' },
        }),
      ),
      'existing_user_email',
    );
    await site.close();
    await store.close();
  }),
);

stores.run();
