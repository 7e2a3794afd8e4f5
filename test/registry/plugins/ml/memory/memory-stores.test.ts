import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Operation, type Store, StoreError } from '../../../../../lib/store/store.ts';
import { rememberTexts } from '../../../../../registry/plugins/ml/memory/memory-entry.ts';
import { findPostgres, skipPostgres } from '../../../../support/postgres.ts';
import { openPostgres, type OpenStore, STORES } from '../../../../support/store-factories.ts';
import {
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  fetchFile,
  type MlSite,
  readTranslation,
} from '../ml-site.ts';

// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
const server = await findPostgres({ fsync: false });
const stores: readonly (readonly [string, OpenStore])[] = [
  ...Object.entries(STORES),
  ...(server === null
    ? []
    : [['PostgreSQL', () => openPostgres(server.url)] satisfies readonly [string, OpenStore]]),
];
if (server === null) skipPostgres('the translation memory');

const toBody = (texts: readonly string[]): string =>
  texts.map((text) => `<!-- cms:paragraph -->\n<p>${text}</p>\n<!-- /cms:paragraph -->`).join('\n\n');
const PARTS = [
  'Read more',
  'The library of Port Arven opens at nine',
  'Read more',
  'The market of Port Arven opens at ten',
];
const FRENCH = new Map(
  Object.entries({ 'Read more': 'Lire plus', 'The library': 'Le library', 'The market': 'Le market' }),
);
const translate = (id: string, source: string): string =>
  id === 'URL' ? `${source}-fr` : [...FRENCH].reduce((text, [from, to]) => text.replaceAll(from, to), source);
const setPost = (site: MlSite, post: number, content: string): Promise<unknown> =>
  site.ask('admin', `POST /cms/v2/posts/${post}`, { content });
const APPLY = 'POST /ml/tm/v1/tp/apply-translations';

async function apply(site: MlSite): Promise<any> {
  const job = await createJob(site);
  await deliverJob(site, job, { translate });
  return checkStatus(await site.ask('manager', APPLY, [{ id: job, type: 'post' }]), 200).body[0];
}

/** A site on an empty store whose post 101 has an applied translation. */
async function withTranslation(open: OpenStore, work: (site: MlSite) => Promise<void>): Promise<void> {
  const { store, remove } = await open();
  try {
    const site = await createMlSite({ store });
    await setPost(site, 101, toBody(PARTS));
    assert.is((await apply(site)).status, 10);
    await work(site);
    await site.ports.background.stop();
  } finally {
    await remove();
  }
}

const correct = async (site: MlSite, from: string, to: string): Promise<void> => {
  const { id, content } = await readTranslation(site);
  assert.ok(content.raw.includes(from));
  checkStatus(
    await site.ask('editor', `POST /cms/v2/posts/${id}`, { content: content.raw.replace(from, to) }),
    200,
  );
};

const read = async (store: Store, collection: string): Promise<readonly any[]> =>
  (await store.find({ collection })).records;
const JOB = { post: 101, source: 'en', target: 'nl' };
const toTexts = (count: number, text: string) =>
  Array.from({ length: count }, (_each, at) => ({
    field: { id: 'body', source: `Text ${at}` },
    text: `${text} ${at}`,
  }));

for (const [name, open] of stores) {
  const memory = suite(`the translation memory: ${name}`);
  memory('learns corrections beside equal segments, and of equal segments', () =>
    withTranslation(open, async (site) => {
      await correct(site, 'Le library', 'La bibliothèque');
      await correct(site, 'Le market', 'Le marché');
      await setPost(
        site,
        107,
        toBody(['The market of Port Arven opens at ten', 'The library of Port Arven opens at eight']),
      );
      const file = await fetchFile(site, await createJob(site, 107));
      assert.match(
        file,
        /<target state="needs-review-translation" state-qualifier="tm-suggestion"><!\[CDATA\[<p>Le marché of/,
      );
      assert.match(file, /<alt-trans match-quality="\d\d%"[^]*La bibliothèque of Port Arven opens at nine/);
      await correct(site, 'Lire plus', 'Lire la suite');
      await setPost(site, 101, toBody([...PARTS, 'The end']));
      const job = await createJob(site);
      await deliverJob(site, job, { translate });
      const refused = checkStatus(await site.ask('manager', APPLY, [{ id: job, type: 'post' }]), 200).body[0];
      assert.match(
        refused.errors[0].message,
        /would be overwritten: body-[0-9a-f]{12}, body-[0-9a-f]{12}, body-[0-9a-f]{12}\. /,
      );
      let seen = 0;
      const corrected = (source: string): string =>
        source.includes('Read more')
          ? (['<p>Lire la suite</p>', '<p>Lire plus</p>'][seen++] ?? '')
          : source.replace('The library', 'La bibliothèque').replace('The market', 'Le marché');
      await deliverJob(site, job, { translate: (_id, source) => corrected(source) });
      const taken = checkStatus(await site.ask('manager', APPLY, [{ id: job, type: 'post' }]), 200).body[0];
      assert.equal([taken.status, seen], [10, 2], JSON.stringify(taken));
      assert.match(
        (await readTranslation(site)).content.raw,
        /Lire la suite[^]*La bibliothèque[^]*Lire plus[^]*Le marché/,
      );
    }),
  );
  memory(
    'nothing of a translation that was applied stays when the post, or the translation, is deleted for good',
    async () => {
      await withTranslation(open, async (site) => {
        assert.is((await read(site.ports.store, 'ml_applied')).length, 1);
        checkStatus(await site.ask('admin', 'DELETE /cms/v2/posts/101'), 200);
        assert.is(
          (await read(site.ports.store, 'ml_applied')).length,
          1,
          'a post in the trash can be restored',
        );
        checkStatus(await site.ask('admin', 'DELETE /cms/v2/posts/101?force=true'), 200);
        assert.equal(await read(site.ports.store, 'ml_applied'), []);
      });
      await withTranslation(open, async (site) => {
        checkStatus(
          await site.ask('admin', `DELETE /cms/v2/posts/${(await readTranslation(site)).id}?force=true`),
          200,
        );
        assert.equal(await read(site.ports.store, 'ml_applied'), []);
      });
    },
  );
  memory('a writer that collides with another one loses nothing', async () => {
    const { store, remove } = await open();
    try {
      let collides = true;
      const slow: Store = {
        ...store,
        find: (query) => store.find(query),
        get: (...args) => store.get(...args),
        commit: async (operations: readonly Operation[], ...rest) => {
          if (collides) {
            collides = false;
            await rememberTexts(store, JOB, toTexts(3, 'first'));
          }
          return store.commit(operations, ...rest);
        },
      };
      await rememberTexts(slow, JOB, toTexts(20, 'second'));
      const texts = (await read(store, 'ml_memory')).map(({ text }) => String(text));
      assert.equal(
        texts.sort(),
        toTexts(20, 'second')
          .map(({ text }) => text)
          .sort(),
      );
      const failing: Store = { ...slow, commit: () => Promise.reject(new StoreError('full', 'no space')) };
      assert.is(
        await rememberTexts(failing, JOB, toTexts(1, 'third')).catch((error: StoreError) => error.code),
        'full',
      );
    } finally {
      await remove();
    }
  });
  memory('of very many similar texts, the newest are suggested', () =>
    withTranslation(open, async (site) => {
      const source = (at: number): string => `<p>Boat ${at} leaves Port Arven in the morning</p>`;
      await rememberTexts(
        site.ports.store,
        { post: 107, source: 'en', target: 'fr' },
        Array.from({ length: 70 }, (_each, at) => ({
          field: { id: 'body', source: source(at) },
          text: `no ${at}.`,
        })),
      );
      await setPost(site, 107, toBody(['Boat 999 leaves Port Arven in the morning']));
      assert.match(
        await fetchFile(site, await createJob(site, 107)),
        /<alt-trans match-quality="\d\d%"[^]*no 69\./,
      );
    }),
  );
  memory.run();
}
