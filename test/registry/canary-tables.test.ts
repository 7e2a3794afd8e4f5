import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { isObject } from '../../lib/core/objects.ts';
import { collectionsOf, createContentModel } from '../../registry/index.ts';
import { buildCoreSite, CORE_CONTENT } from '../support/canary/core/fixture.ts';
import { isAdmin, isModerator, isWriter } from '../support/canary/core/rules.ts';
import { Secrets } from '../support/canary/core/secrets.ts';
import { type Caller, CALLERS } from '../support/canary/fixture.ts';
import { createWholeSite, type WholeSite } from '../support/whole-site.ts';

// Who sees what of the tables of a site and of application passwords: every caller, every route, exactly.
async function withSite(run: (site: WholeSite, users: readonly number[]) => Promise<void>): Promise<void> {
  const built = buildCoreSite(new Secrets(null));
  const site = await createWholeSite({
    fixture: built.fixture,
    content: CORE_CONTENT,
    store: createMemoryStore(collectionsOf(createContentModel(CORE_CONTENT))),
  });
  try {
    await run(
      site,
      built.users.map(({ id }) => id),
    );
  } finally {
    await site.close();
  }
}

/** 401 for anonymous callers, 403 for known ones. */
const refused = ({ id }: Caller): number => (id === 0 ? 401 : 403);

const TYPES = ['attachment', 'book', 'page', 'post'];
const TAXONOMIES = ['category', 'genre', 'post_tag'];
const STATUSES = ['draft', 'future', 'pending', 'private', 'publish', 'trash'];

/** Table, context, and the names that a caller sees in it; null: the caller is refused. */
const TABLES: readonly (readonly [
  table: string,
  context: string,
  seen: (caller: Caller) => readonly string[] | null,
])[] = [
  ['types', 'view', () => TYPES],
  ['types', 'embed', () => TYPES],
  [
    'types',
    'edit',
    (caller) => (isWriter(caller) ? TYPES.filter((name) => name !== 'page' || isModerator(caller)) : null),
  ],
  ['taxonomies', 'view', () => TAXONOMIES],
  ['taxonomies', 'embed', () => TAXONOMIES],
  ['taxonomies', 'edit', (caller) => (isWriter(caller) ? TAXONOMIES : null)],
  ['statuses', 'view', (caller) => (isWriter(caller) ? STATUSES : ['publish'])],
  ['statuses', 'edit', (caller) => (isWriter(caller) ? STATUSES : null)],
];

const tables = suite('the tables of a site');

for (const [table, context, seen] of TABLES) {
  tables(`${table} in the context ${context} show each caller exactly what the caller may know`, () =>
    withSite(async (site) => {
      for (const caller of CALLERS) {
        const { status, body } = await site.ask({
          target: `/cms/v2/${table}?context=${context}`,
          as: caller.login,
        });
        const names = seen(caller);
        assert.is(status, names === null ? refused(caller) : 200, caller.role);
        if (names !== null) assert.equal(Object.keys(body as object).toSorted(), names, caller.role);
        const all = { types: TYPES, taxonomies: TAXONOMIES, statuses: STATUSES }[table] ?? [];
        for (const name of all) {
          const one = await site.ask({
            target: `/cms/v2/${table}/${name}?context=${context}`,
            as: caller.login,
          });
          // As in WordPress, a public status has nothing to hide in any context.
          assert.is(
            one.status === 200,
            name === 'publish' || (names?.includes(name) ?? false),
            `${caller.role} ${name} ${one.status}`,
          );
        }
      }
    }),
  );
}

tables.run();

const passwords = suite('application passwords');

passwords('are known to their user and to administrators alone', () =>
  withSite(async (site, users) => {
    const made = new Map<number, string>();
    for (const user of users) {
      const { status, body } = await site.ask({
        method: 'POST',
        target: `/cms/v2/users/${user}/application-passwords`,
        as: CALLERS.find(isAdmin)?.login ?? null,
        body: { name: `for ${user}, a secret name` },
      });
      assert.is(status, 201);
      if (isObject(body)) made.set(user, String(body['uuid']));
    }
    for (const caller of CALLERS) {
      for (const [user, uuid] of made) {
        const base = `/cms/v2/users/${user}/application-passwords`;
        const may = isAdmin(caller) || (caller.id === user && caller.id !== 0);
        const requests = [
          { target: base },
          { target: `${base}?context=edit` },
          { target: `${base}/${uuid}` },
          { method: 'PUT', target: `${base}/${uuid}`, body: {} },
          { method: 'POST', target: `${base}/${uuid}`, body: {} },
        ];
        for (const asking of requests) {
          const { status, text } = await site.ask({ ...asking, as: caller.login });
          assert.equal(
            [status, text.includes('secret name')],
            may ? [200, true] : [refused(caller), false],
            `${JSON.stringify(asking)} as ${caller.role} ${caller.id}: ${text}`,
          );
          assert.not.match(text, /"password":/);
        }
        if (!may)
          assert.is(
            (await site.ask({ method: 'DELETE', target: `${base}/${uuid}`, as: caller.login })).status,
            refused(caller),
          );
      }
    }
  }),
);

passwords.run();
