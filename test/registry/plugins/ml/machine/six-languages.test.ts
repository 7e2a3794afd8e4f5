// oxlint-disable typescript/no-explicit-any -- bodies are looked at as the JSON that they are
// One post in six languages through DeepL's interface, over HTTP alone: a translator's correction, one by hand, a changed source, and a
// second round in which nothing is translated twice and nothing is lost.
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { collections } from '../../../../../registry/index.ts';
import type { Fixture } from '../../../../../registry/transfer/fixture/fixture.ts';
import { openHttpSite, type HttpSite } from '../../../../support/http-site.ts';
import { ML_FIXTURE, toReports, translateXliff } from '../ml-site.ts';
import { shout, withMachine } from './machine-server.ts';

const TARGETS = ['fr', 'de', 'nl', 'es', 'it', 'pt'] as const;
const SUBJECTS = [
  'harbour',
  'lighthouse',
  'library',
  'market',
  'bakery',
  'school',
  'garden',
  'museum',
  'station',
  'theatre',
];
const toParagraph = (text: string): string =>
  `<!-- cms:paragraph -->\n<p>${text}</p>\n<!-- /cms:paragraph -->`;
const PARAGRAPHS = SUBJECTS.map((subject, index) =>
  toParagraph(
    `The ${subject} of Port Arven is <strong>open</strong> from ${index + 1} o'clock, and %s visitors come every day.`,
  ),
);
const CONTENT = `<!-- cms:group -->\n<div class="cms-block-group">${PARAGRAPHS.join('\n\n')}</div>\n<!-- /cms:group -->`;
const NEW = toParagraph('A new paragraph stands in front of all others.');
const CHANGED = CONTENT.replace('come every day', 'arrive every day').replace(
  '<!-- cms:paragraph -->',
  `${NEW}\n\n<!-- cms:paragraph -->`,
);
const POST = 500;

const FIXTURE: Fixture = {
  ...ML_FIXTURE,
  posts: [
    {
      id: POST,
      author: 2,
      status: 'publish',
      slug: 'port-arven',
      title: 'What is open in Port Arven',
      content: CONTENT,
      excerpt: 'All opening hours.',
      categories: [],
      tags: [],
      ml_language: 'en',
      date: '2025-01-01T10:00:00',
      date_gmt: '2025-01-01T10:00:00',
      modified: '2025-01-01T10:00:00',
      modified_gmt: '2025-01-01T10:00:00',
    },
  ],
};

type Ask = (path: string, body?: unknown) => Promise<any>;

const toAsk =
  (site: HttpSite): Ask =>
  async (path, body) => {
    const response = await fetch(`${site.base}/${path}`, {
      headers: {
        Authorization: `Basic ${Buffer.from(`admin:${site.passwords['admin']}`).toString('base64')}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.status < 300, `${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };

/** The translations of the post by language. */
async function readStates(ask: Ask): Promise<ReadonlyMap<string, any>> {
  const entries = await ask(`ml/v1/translations?post=${POST}&per_page=100`);
  return new Map(
    entries
      .filter(({ language }: any) => TARGETS.includes(language))
      .map((entry: any) => [entry.language, entry]),
  );
}

async function checkStates(ask: Ask, state: string): Promise<ReadonlyMap<string, any>> {
  const states = await readStates(ask);
  assert.equal(
    TARGETS.map((language) => [language, states.get(language)?.state]),
    TARGETS.map((language) => [language, state]),
  );
  return states;
}

async function order(ask: Ask): Promise<ReadonlyMap<string, any>> {
  await ask('ml/tm/v1/ate/jobs', {
    jobs: TARGETS.map((target_language) => ({ post_id: POST, target_language })),
  });
  for (
    let round = 0;
    round < 1000 && [...(await readStates(ask)).values()].some(({ state }) => state === 'in_progress');
    round += 1
  )
    await wait(10);
  return checkStates(ask, 'in_review');
}

const accept = (ask: Ask, job: number): Promise<any> =>
  ask('ml/tm/v1/ate/jobs/store', { ml_job_id: String(job), ate_job_data: [{ review_status: 'ACCEPTED' }] });

async function applyAll(ask: Ask, states: ReadonlyMap<string, any>): Promise<void> {
  const applied = await ask(
    'ml/tm/v1/tp/apply-translations',
    [...states.values()].map(({ job }) => ({ id: job.id, type: 'post' })),
  );
  assert.equal(
    applied.map(({ status, errors }: any) => [status, errors]),
    TARGETS.map(() => [10, undefined]),
  );
}

const countCharacters = (asked: readonly any[]): number =>
  asked.flatMap(({ text }) => text as string[]).reduce((sum, text) => sum + text.length, 0);

const trip = suite('a post in six languages');
trip('two rounds', () =>
  withMachine('deepl', async ({ upstream, asked }) => {
    const site = await openHttpSite(FIXTURE, {
      store: createMemoryStore(collections),
      upstream,
      languages: ['en', ...TARGETS],
      config: { ml: { extraRoutes: true } },
    });
    const ask = toAsk(site);
    try {
      await checkStates(ask, 'missing');
      const first = await order(ask);
      const texts = asked.flatMap(({ text, target_lang: target }) =>
        (text as string[]).map((each) => `${target} ${each}`),
      );
      assert.is(new Set(texts).size, texts.length, 'each text is sent once');
      assert.is(texts.length, TARGETS.length * (PARAGRAPHS.length + 3));

      // A translator corrects one unit of the French file.
      const {
        job: { id: french },
      } = first.get('fr');
      const file = Buffer.from((await ask(`ml/tm/v1/xliff/fetch/${french}`)).content, 'base64').toString(
        'utf8',
      );
      const corrected = translateXliff(file, (id, source) =>
        id === 'URL' ? source : shout(source).replace('%S', '%s').replace('THE LIBRARY', 'LA BIBLIOTHÈQUE'),
      );
      assert.is(await ask('ml/tm/v1/ate/jobs/store', toReports(french, corrected)), true);
      for (const [language, { job }] of first) if (language !== 'fr') await accept(ask, job.id);
      await applyAll(ask, first);
      for (const { translation } of (await checkStates(ask, 'draft')).values())
        await ask(`cms/v2/posts/${translation}`, { status: 'publish' });
      const done = await checkStates(ask, 'done');

      // An editor corrects the published German translation.
      const german = await ask(`cms/v2/posts/${done.get('de').translation}?context=edit`);
      assert.is(german.content.raw, shout(CONTENT).replaceAll('%S', '%s'));
      await ask(`cms/v2/posts/${german.id}`, {
        content: german.content.raw.replace('THE MARKET', 'DER MARKT'),
      });
      await checkStates(ask, 'done');

      await ask(`cms/v2/posts/${POST}`, { content: CHANGED });
      await checkStates(ask, 'outdated');
      // Ten paragraphs of 16 words, the title and the excerpt.
      const counted = await ask(`ml/v1/jobs/${french}/words`);
      assert.equal(
        [counted.units, counted.words, counted.characters, counted.kinds.translated],
        [12, 169, 696, { units: 12, words: 169, characters: 696 }],
      );
      const before = asked.length;
      const second = await order(ask);
      const sent = asked.slice(before);
      const wanted = 'A new paragraph stands in front of all others.';
      for (const { text } of sent) {
        assert.is(text.length, 2);
        assert.ok(
          text.includes(wanted) &&
            text.some((each: string) => /^The harbour .* visitors arrive every day\.$/.test(each)),
          text.join('\n'),
        );
      }
      assert.is(sent.length, TARGETS.length);
      const { kinds } = await ask(`ml/v1/jobs/${second.get('fr').job.id}/words`);
      assert.equal(
        [kinds.memory.units, kinds.translated.units, kinds.translated.words, kinds.new.units],
        [11, 2, 16 + 9, 0],
      );
      assert.ok(
        countCharacters(sent) < countCharacters(asked.slice(0, before)) / 4,
        `${countCharacters(sent)} of ${countCharacters(asked.slice(0, before))} characters`,
      );

      for (const { job } of second.values()) await accept(ask, job.id);
      await applyAll(ask, second);
      for (const [language, { translation, translation_status: status }] of await checkStates(ask, 'done')) {
        assert.equal([translation, status], [done.get(language).translation, 'publish']);
        const {
          content: { raw },
        } = await ask(`cms/v2/posts/${translation}?context=edit`);
        const plain = shout(CHANGED).replaceAll('%S', '%s');
        assert.is(
          raw,
          language === 'fr'
            ? plain.replace('THE LIBRARY', 'LA BIBLIOTHÈQUE')
            : language === 'de'
              ? plain.replace('THE MARKET', 'DER MARKT')
              : plain,
          language,
        );
      }
    } finally {
      await site.close();
    }
  }),
);
trip.run();
