import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Digest, send, toDigest } from '../../../adapters/cli/verify/client.ts';
import type { Step } from '../../../adapters/cli/verify/scenario.ts';
import { isObject } from '../../../lib/core/objects.ts';
import { fixture } from '../../conformance/recorded.ts';
import { changedBetween, dumpStore } from '../../support/dump.ts';
import { type HttpSite, openHttpSite } from '../../support/http-site.ts';
import { jsonSpellingsOf, spellingsOf } from '../../support/id-spellings.ts';
import { isAll } from '../../support/long-mode.ts';
import { openMemory } from '../../support/store-factories.ts';

// A different spelling of an id must not bypass the check and reach another record. Tests every place that accepts an id, over HTTP.
/** A post of the admin, and a draft of the contributor. The contributor may change nothing else. */
const FOREIGN = 101;
const OWN = 137;
const POSTS = '/cms/v2/posts';

type Request = Omit<Step, 'expect' | 'as'> & { readonly as?: string };

async function ask(site: HttpSite, request: Request): Promise<Digest> {
  return toDigest(await send({ as: null, expect: { status: 0 }, ...request }, site, {}), site);
}

async function withSite(run: (site: HttpSite) => Promise<void>): Promise<void> {
  const { store, remove } = await openMemory();
  const site = await openHttpSite(fixture, { store });
  try {
    await run(site);
  } finally {
    await site.close();
    await remove();
  }
}

/** `npm test` tries a third of the spellings at each place, beginning with another one. */
const someOf = <T>(list: readonly T[], index: number): readonly T[] =>
  list.filter((_each, at) => isAll || (at + index) % 3 === 0);

function idsOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body.map((post: unknown) => (isObject(post) ? post['id'] : undefined)) : [];
}

/** Requests with an id in their path. Those of the editor would write if the id were valid. */
const PATHS: Readonly<Record<string, (id: string) => Request>> = {
  read: (id) => ({ method: 'GET', path: `${POSTS}/${id}`, as: 'editor' }),
  update: (id) => ({ method: 'PUT', path: `${POSTS}/${id}`, as: 'editor', body: { title: 'changed' } }),
  trash: (id) => ({ method: 'DELETE', path: `${POSTS}/${id}`, as: 'editor' }),
  delete: (id) => ({ method: 'DELETE', path: `${POSTS}/${id}`, query: 'force=true', as: 'editor' }),
  'list revisions': (id) => ({ method: 'GET', path: `${POSTS}/${id}/revisions`, as: 'editor' }),
  'read a revision': (id) => ({ method: 'GET', path: `${POSTS}/${id}/revisions/402`, as: 'editor' }),
  'delete a revision': (id) => ({
    method: 'DELETE',
    path: `${POSTS}/${id}/revisions/402`,
    query: 'force=true',
    as: 'editor',
  }),
  'list autosaves': (id) => ({ method: 'GET', path: `${POSTS}/${id}/autosaves`, as: 'editor' }),
  autosave: (id) => ({
    method: 'POST',
    path: `${POSTS}/${id}/autosaves`,
    as: 'editor',
    body: { title: 'changed' },
  }),
  'delete in a batch': (id) => ({
    method: 'POST',
    path: '/batch/v1',
    as: 'editor',
    body: { requests: [{ method: 'DELETE', path: `${POSTS}/${id}?force=true` }] },
  }),
};

/** The relevant status: for a batch, that of its item. */
function statusOf({ status, body }: Digest): number {
  const responses = isObject(body) && Array.isArray(body['responses']) ? body['responses'] : [];
  const [first] = responses;
  return isObject(first) ? Number(first['status']) : status;
}

const paths = suite('ids in paths');

for (const [index, [name, toRequest]] of Object.entries(PATHS).entries()) {
  paths(`${name}: another spelling reaches nothing and changes nothing`, () =>
    withSite(async (site) => {
      const before = await dumpStore(site.store);
      // 144 has revisions, so each of these requests could succeed.
      for (const spelling of someOf(spellingsOf(144), index)) {
        const answer = await ask(site, toRequest(spelling));
        assert.ok(
          statusOf(answer) >= 400 && statusOf(answer) < 500,
          `${spelling}: ${statusOf(answer)} ${JSON.stringify(answer.body).slice(0, 200)}`,
        );
      }
      assert.equal(changedBetween(before, await dumpStore(site.store)), []);
      const plain = await ask(site, toRequest('144'));
      assert.ok(statusOf(plain) < 300, JSON.stringify(plain.body));
    }),
  );
}

paths('leading zeros and encoded digits are the same number, for the check and for the change', () =>
  withSite(async (site) => {
    for (const spelling of ['0101', '%31%30%31', '00000101']) {
      assert.is(
        (
          await ask(site, {
            method: 'PUT',
            path: `${POSTS}/${spelling}`,
            as: 'contributor',
            body: { title: 'x' },
          })
        ).status,
        403,
        spelling,
      );
      const before = await dumpStore(site.store);
      assert.is(
        (
          await ask(site, {
            method: 'PUT',
            path: `${POSTS}/${spelling}`,
            as: 'editor',
            body: { title: spelling },
          })
        ).status,
        200,
        spelling,
      );
      assert.equal(
        changedBetween(before, await dumpStore(site.store)).filter((record) => record.startsWith('posts ')),
        ['posts 101'],
        spelling,
      );
    }
  }),
);

paths('a second id besides that of the path is ignored', () =>
  withSite(async (site) => {
    const before = await dumpStore(site.store);
    for (const id of [String(FOREIGN), ...spellingsOf(FOREIGN)]) {
      for (const query of [`id=${id}`, `id[]=${id}`, `parent=${id}`, `ID=${id}`]) {
        const answer = await ask(site, {
          method: 'PUT',
          path: `${POSTS}/${OWN}`,
          query,
          as: 'contributor',
          body: { title: 'mine' },
        });
        assert.ok([200, 400].includes(answer.status), `${query}: ${answer.status}`);
        if (answer.status === 200) assert.is(isObject(answer.body) && answer.body['id'], OWN, query);
      }
    }
    for (const id of [FOREIGN, ...jsonSpellingsOf(FOREIGN)]) {
      const body = { id, ID: id, post: id, title: 'mine too' };
      const alone = await ask(site, { method: 'PUT', path: `${POSTS}/${OWN}`, as: 'contributor', body });
      const item = await ask(site, {
        method: 'POST',
        path: '/batch/v1',
        as: 'contributor',
        body: { requests: [{ method: 'PUT', path: `${POSTS}/${OWN}?id=${FOREIGN}`, body }] },
      });
      for (const answer of [alone, item])
        assert.ok([200, 400].includes(statusOf(answer)), `${JSON.stringify(id)}: ${statusOf(answer)}`);
    }
    const changed = changedBetween(before, await dumpStore(site.store));
    assert.equal(
      changed.filter((record) => /^posts |^post_history /.test(record) && !record.endsWith(` ${OWN}`)),
      [],
    );
  }),
);

paths.run();

/** A list as JSON text is a list, as clients in other languages write it. */
const isJsonList = (spelling: string): boolean => /^(?:\[|%5B)\d+(?:\]|%5D)$/.test(spelling);

const lists = suite('ids in queries');

for (const [index, param] of [
  'include',
  'exclude',
  'author',
  'author_exclude',
  'categories',
  'categories_exclude',
  'tags',
  'tags_exclude',
  'categories[terms]',
  'offset',
  'page',
].entries()) {
  lists(`${param}: read as the plain number, or refused`, () =>
    withSite(async (site) => {
      const id =
        {
          include: 101,
          exclude: 101,
          author: 2,
          author_exclude: 2,
          tags: 11,
          tags_exclude: 11,
          offset: 3,
          page: 2,
        }[param] ?? 2;
      const read = async (value: string): Promise<Digest> =>
        ask(site, { method: 'GET', path: POSTS, query: `per_page=5&order=asc&_fields=id&${param}=${value}` });
      const plain = idsOf((await read(String(id))).body);
      const none = idsOf(
        (await ask(site, { method: 'GET', path: POSTS, query: 'per_page=5&order=asc&_fields=id' })).body,
      );
      assert.ok(plain.length > 0);
      assert.is.not(JSON.stringify(plain), JSON.stringify(none));
      for (const spelling of someOf(spellingsOf(id), index)) {
        const answer = await read(spelling);
        if (answer.status === 400) continue;
        assert.is(answer.status, 200, `${spelling}: ${JSON.stringify(answer.body)}`);
        // Digits with a space, a sign, a point or a zero fraction are that number. A number is never read from a part of a longer text.
        const isNumber =
          /^(?:%20|\+|%2B|%09)*\d+(?:\.0?)?(?:%20|%0A|%0D)*$/.test(spelling) ||
          /^-?\d+$/.test(spelling) ||
          /^\d+,0$/.test(spelling) ||
          isJsonList(spelling);
        assert.ok(isNumber, `${param}=${spelling} was taken: ${JSON.stringify(idsOf(answer.body))}`);
      }
    }),
  );
}

lists.run();

const bodies = suite('ids in bodies');

bodies('author: no spelling lets a caller without the right write another user', () =>
  withSite(async (site) => {
    for (const spelled of [1, '1', '01', '1.0', ...jsonSpellingsOf(1)]) {
      const answer = await ask(site, {
        method: 'POST',
        path: POSTS,
        as: 'contributor',
        body: { title: 'x', author: spelled },
      });
      if (answer.status === 201)
        assert.is(isObject(answer.body) && answer.body['author'], 4, JSON.stringify(spelled));
      else assert.ok([400, 403].includes(answer.status), `${JSON.stringify(spelled)}: ${answer.status}`);
    }
  }),
);

bodies('author, categories, tags and picture: only what exists is written', () =>
  withSite(async (site) => {
    const fields: readonly (readonly [field: string, id: number, known: readonly number[]])[] = [
      ['author', 3, [1, 2, 3, 4, 5]],
      ['categories', 2, [1, 2, 3, 4]],
      ['tags', 11, [11, 12, 13]],
      ['featured_media', 301, [0, 301]],
    ];
    for (const [field, id, known] of fields) {
      for (const spelled of [id, ...jsonSpellingsOf(id)]) {
        const answer = await ask(site, {
          method: 'POST',
          path: POSTS,
          as: 'editor',
          body: { title: 'x', [field]: spelled },
        });
        assert.ok(
          [201, 400].includes(answer.status),
          `${field} ${JSON.stringify(spelled)}: ${answer.status}`,
        );
        const written = isObject(answer.body) && answer.status === 201 ? [answer.body[field]].flat() : [];
        assert.equal(
          written.filter((each) => !known.includes(Number(each)) || typeof each !== 'number'),
          [],
          `${field} ${JSON.stringify(spelled)}`,
        );
      }
    }
  }),
);

bodies.run();
