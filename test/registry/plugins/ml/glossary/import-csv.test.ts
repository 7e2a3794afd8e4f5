// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { collections } from '../../../../../registry/index.ts';
import { MAX_ENTRIES } from '../../../../../registry/plugins/ml/glossary/glossary-routes.ts';
import { importCsv } from '../../../../../registry/plugins/ml/glossary/import-csv.ts';
import { openHttpSite } from '../../../../support/http-site.ts';
import { rejects } from '../../../../support/rejects.ts';

const FIXTURE = {
  site: { name: 'Site' },
  users: [
    { id: 1, login: 'mia', slug: 'mia', password: 'miaspassword', role: 'translation_manager', name: 'Mia' },
    { id: 2, login: 'tom', slug: 'tom', password: 'tomspassword', role: 'translator', name: 'Tom' },
  ],
};

type Send = (
  csv: string | Uint8Array,
  options?: { readonly query?: string; readonly user?: string; readonly type?: string },
) => Promise<{ status: number; body: any }>;

async function withSite(run: (send: Send, list: () => Promise<any[]>) => Promise<void>): Promise<void> {
  const site = await openHttpSite(FIXTURE, { store: createMemoryStore(collections), content: 'core' });
  const toLogin = (user: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${user}spassword`).toString('base64')}`,
  });
  const send: Send = async (csv, { query = '?source_language=en', user = 'mia', type = 'text/csv' } = {}) => {
    const answer = await fetch(`${site.base}/ml/v1/glossary/import${query}`, {
      method: 'POST',
      headers: { ...toLogin(user), 'content-type': type },
      body: csv as string,
    });
    return { status: answer.status, body: await answer.json() };
  };
  try {
    await run(
      send,
      async () =>
        (
          await fetch(`${site.base}/ml/v1/glossary?per_page=100`, { headers: toLogin('tom') })
        ).json() as Promise<any[]>,
    );
  } finally {
    await site.close();
  }
}

const files = suite('the import of terms');
files('adds and replaces terms', () =>
  withSite(async (send, list) => {
    assert.equal(
      await send(
        'term,fr,nl,translate,note\r\nlibrary,bibliothèque,bibliotheek,,"the ""old"" building"\r\nPort Arven,,,no,\r\n',
      ),
      { status: 200, body: { created: 2, updated: 0 } },
    );
    assert.equal(
      await send(
        'term;source_language;case_sensitive;en;fr\nLibrary;en;;;la bibliothèque\nhaven;nl;yes;harbour;port\n',
        { query: '' },
      ),
      { status: 200, body: { created: 1, updated: 1 } },
    );
    assert.equal(
      (await list()).map(
        ({ term, source_language: source, translate, case_sensitive: sensitive, targets, note }) => [
          term,
          source,
          translate,
          sensitive,
          targets,
          note,
        ],
      ),
      [
        ['haven', 'nl', true, true, { en: 'harbour', fr: 'port' }, ''],
        ['Library', 'en', true, false, { fr: 'la bibliothèque' }, ''],
        ['Port Arven', 'en', false, false, {}, ''],
      ],
    );
  }),
);
files('names every fault with its line, and changes nothing then', () =>
  withSite(async (send, list) => {
    const { status, body } = await send(
      'term,fr,nl,translate,note\ngood,bon,,,\n—,x,,,\nsame,a,,,\n\nSame,b,,,\nblank,,,,\nkept,x,,no,\nodd,x,,perhaps,\nmany,x,,,,,\n',
    );
    assert.equal([status, body.code], [422, 'ml_glossary_file_invalid']);
    assert.equal(body.data.errors, [
      { line: 3, message: 'term must have a letter or a number.' },
      { line: 6, message: 'the file has the term "Same" twice' },
      { line: 7, message: 'targets must have at least one translation, unless translate is false.' },
      { line: 8, message: 'targets must be empty if translate is false.' },
      { line: 9, message: 'translate must be true or false, not "perhaps"' },
      { line: 10, message: 'there are 7 cells for 5 columns' },
    ]);
    assert.equal(await list(), []);
  }),
);
for (const [name, csv, message] of [
  [
    'an unknown column',
    'term,de\na,b',
    'unknown column "de"; known are term, source_language, translate, case_sensitive, note, nl, en, fr',
  ],
  ['no column of terms', 'fr\na', 'the first line must name the columns, and one of them must be "term"'],
  ['nothing', '', 'the first line must name the columns, and one of them must be "term"'],
  [
    'an open quotation',
    'term,fr\n"a,b',
    'a quotation mark is not closed, or text follows a quoted cell; inside of one, quotation marks are written twice',
  ],
  ['another encoding', Buffer.from('term,fr\né,b', 'latin1'), 'the file is not UTF-8'],
  ['a column named twice', 'term,fr,fr\na,b,c', 'two columns have the same name'],
  ['the language of the term', 'term,en\na,b', 'targets must not have the language of the term, "en".'],
  ['a long term', `term,fr\n${'x'.repeat(201)},b`, 'term must be at most 200 characters long.'],
] as const) {
  files(`refuses ${name}`, () =>
    withSite(async (send) => {
      const { status, body } = await send(csv);
      assert.equal([status, body.data.errors.map((each: any) => each.message)], [422, [message]]);
    }),
  );
}
files('refuses too many terms, other types, and callers without the right', () =>
  withSite(async (send, list) => {
    assert.is(
      (await send('term,fr\na,b', { query: '' })).body.data.errors[0].message,
      'source_language is missing: it must be a column or a parameter',
    );
    assert.is(
      (await send(`term,fr\n${Array.from({ length: 10_001 }, (_each, index) => `t${index},x`).join('\n')}`))
        .body.code,
      'ml_glossary_full',
    );
    assert.equal(
      [
        (await send('{}', { type: 'application/json' })).status,
        (await send('term,fr\na,b', { user: 'tom' })).status,
      ],
      [415, 403],
    );
    assert.equal(await list(), []);
  }),
);
files('fill the glossary to its limit, and change nothing beyond it', async () => {
  const base = createMemoryStore(collections);
  const store: typeof base = {
    ...base,
    find: async (query, waiter) => {
      const found = await base.find(query, waiter);
      return query.total === true ? { ...found, total: MAX_ENTRIES - 1 } : found;
    },
  };
  const read = (csv: string) => importCsv(store, Buffer.from(csv), { languages: ['en', 'fr'], source: 'en' });
  assert.equal(await read('term,fr\none,un\n'), { created: 1, updated: 0 });
  await rejects(read('term,fr\none,une\ntwo,deux\nthree,trois\n'), 'ml_glossary_full');
  const { records } = await base.find({ collection: 'ml_glossary' });
  assert.equal(
    records.map(({ targets }) => targets),
    [{ fr: 'un' }],
  );
  // What takes the place of an entry needs no space.
  assert.equal(await read('term,fr\none,une\ntwo,deux\n'), { created: 1, updated: 1 });
});

files.run();
