import type { Json, Operation, Store } from '../../../lib/index.ts';
import { loadFixture } from '../../../registry/index.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { AUTHORS, CATEGORIES, siteFixture } from '../corpus.ts';

/** Word in nearly every post. */
export const FREQUENT_WORD = 'harbour';
/** Word in one of a thousand posts. */
export const RARE_WORD = 'zeppelin';
/** The post with many revisions. */
export const EDITED_POST = 1;
export const TAGS = 500;

const REVISIONS = 300;
const STEMS = [
  'an',
  'ber',
  'cor',
  'del',
  'ent',
  'fal',
  'gor',
  'hin',
  'ist',
  'jor',
  'kel',
  'lam',
  'mor',
  'ner',
  'ost',
  'pel',
  'qui',
  'ras',
  'sel',
  'tor',
  'und',
  'ves',
  'wil',
  'xen',
  'yar',
  'zon',
];
/** Posts per commit. */
const CHUNK = 250;

/** Few words are frequent and most are rare, as in natural language. */
function toWord(random: Random): string {
  const rank = Math.floor(4000 * (random.below(10_000) / 10_000) ** 3);
  return `${STEMS[rank % 26] ?? ''}${STEMS[Math.floor(rank / 26) % 26] ?? ''}${rank > 675 ? (STEMS[Math.floor(rank / 676)] ?? '') : ''}`;
}

const toWords = (random: Random, count: number): string =>
  Array.from({ length: count }, () => toWord(random)).join(' ');

/** A text as an editor writes it: 2 to 30 paragraphs, about 5 KB on average, with some links and images. */
function toContent(random: Random, id: number): string {
  const paragraphs = 2 + Math.floor(28 * (random.below(1000) / 1000) ** 2);
  const blocks = Array.from({ length: paragraphs }, (_each, index) => {
    const link =
      index === 1
        ? ` <a href="http://bench.test/en/note-${1 + random.below(id)}/">${toWord(random)}</a>`
        : '';
    return `<!-- cms:paragraph -->\n<p>${toWords(random, 40 + random.below(60))}${link}.</p>\n<!-- /cms:paragraph -->`;
  });
  const image = random.chance(0.1)
    ? '<!-- cms:image -->\n<figure class="cms-block-image"><img src="/uploads/boat.jpg" alt=""/></figure>\n<!-- /cms:image -->\n\n'
    : '';
  const words = `${random.chance(0.9) ? `The ${FREQUENT_WORD} ` : ''}${id % 1000 === 0 ? `has a ${RARE_WORD}` : ''}`;
  return `${image}<!-- cms:paragraph -->\n<p>${words}</p>\n<!-- /cms:paragraph -->\n\n${blocks.join('\n\n')}`;
}

/** Minutes since the beginning of 2005. */
function toDate(minute: number): string {
  return new Date(Date.UTC(2005, 0, 1) + minute * 60_000).toISOString().slice(0, 19);
}

function toPost(random: Random, id: number): Operation {
  const [date, modified] = [toDate(id * 60), toDate(id * 60 + random.below(1_000_000))];
  return {
    op: 'create',
    collection: 'posts',
    values: {
      id,
      type: 'post',
      language: 'en',
      group: 0,
      status: id % 20 === 0 ? 'draft' : 'publish',
      slug: `note-${id}`,
      author: 1 + random.below(AUTHORS),
      date,
      date_gmt: date,
      modified,
      modified_gmt: modified,
      title: toWords(random, 6),
      content: toContent(random, id),
      excerpt: id % 3 === 0 ? toWords(random, 30) : '',
      format: 'standard',
      comment_status: 'open',
      ping_status: 'open',
      categories: [1 + random.below(CATEGORIES)],
      meta: { footnotes: '' },
      tags: [
        ...new Set(
          Array.from(
            { length: random.below(5) },
            () => CATEGORIES + 1 + Math.floor(TAGS * (random.below(1000) / 1000) ** 2),
          ),
        ),
      ],
    },
  };
}

function toRevision(random: Random, index: number): Operation {
  const date = toDate(1_000_000 + index);
  return {
    op: 'create',
    collection: 'revisions',
    values: {
      parent: EDITED_POST,
      author: 1,
      date,
      date_gmt: date,
      modified: date,
      modified_gmt: date,
      slug: `${EDITED_POST}-revision-v1`,
      title: toWords(random, 6),
      content: toContent(random, 1000),
      meta: { footnotes: '' },
    },
  };
}

function toIndexable(random: Random, id: number): Operation {
  return {
    op: 'create',
    collection: 'seo_indexables',
    values: {
      key: `post:${id}`,
      object_type: 'post',
      object_sub_type: 'post',
      object_id: id,
      language: 'en',
      author_id: 1 + random.below(AUTHORS),
      path: `/en/note-${id}/`,
      post_status: id % 20 === 0 ? 'draft' : 'publish',
      is_public: id % 20 !== 0,
      focus_phrase: random.chance(0.5) ? toWord(random) : '',
      focus_score: random.below(101),
      object_version: 1,
      builder_version: 1,
      links_version: 1,
      incoming_link_count: random.below(4),
      facts: { title: toWords(random, 6), description: toWords(random, 20) },
    },
  };
}

function toJob(random: Random, id: number): Operation {
  return {
    op: 'create',
    collection: 'ml_jobs',
    values: {
      type: 'post',
      post: id,
      post_type: 'post',
      source: 'en',
      target: random.pick(['nl', 'fr']),
      status: random.pick([1, 2, 4, 10]),
      title: toWords(random, 6),
      author: 1,
      translator: random.below(3),
      service: 'local',
      engine: 'local',
      engine_job: id,
      batch: 1 + (id % 50),
      batch_name: `Batch ${id % 50}`,
      sent: toDate(id * 60),
      post_version: 1,
      fields: [{ id: 'body', label: 'Body', source: toContent(random, id) }],
      targets: {},
    },
  };
}

const toTag = (index: number): Operation => ({
  op: 'create',
  collection: 'terms',
  values: {
    id: CATEGORIES + 1 + index,
    taxonomy: 'post_tag',
    name: `Tag ${index}`,
    slug: `tag-${index}`,
    language: 'en',
  },
});

type Term = Readonly<Record<string, Json>>;

/** The first four categories are the parents of the others. */
const toTree = (categories: readonly Term[]): readonly Term[] =>
  categories.map((term) =>
    Object.assign({}, term, { parent: Number(term['id']) > 4 ? 1 + (Number(term['id']) % 4) : 0 }),
  );

/** A realistic site with `posts` posts and their terms, indexables and translation jobs. */
export async function fillTurnSite(store: Store, posts: number): Promise<void> {
  await loadFixture(store, { ...siteFixture, categories: toTree(siteFixture.categories ?? []) });
  const random = createRandom(12);
  await store.commit(Array.from({ length: TAGS }, (_each, index) => toTag(index)));
  for (let first = 1; first <= posts; first += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, posts - first + 1) }, (_each, index) => first + index);
    await store.commit(
      ids.flatMap((id) => [
        toPost(random, id),
        {
          op: 'create',
          collection: 'post_history',
          values: {
            post: id,
            count: id === EDITED_POST ? REVISIONS : 0,
            newest: id === EDITED_POST ? REVISIONS : 0,
          },
        },
        toIndexable(random, id),
        toJob(random, id),
      ]),
    );
  }
  await store.commit(Array.from({ length: REVISIONS }, (_each, index) => toRevision(random, index)));
}
