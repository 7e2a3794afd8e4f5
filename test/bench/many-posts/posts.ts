import type { Operation, Store } from '../../../lib/index.ts';
import { loadFixture } from '../../../registry/index.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { AUTHORS, CATEGORIES, siteFixture } from '../corpus.ts';
import { MARKS, toWords } from '../words.ts';

/** Posts per commit. */
const CHUNK = 500;
export const TAGS = 500;

/** How many words of each kind there are, so that a search can be repeated without being answered from memory. */
export const SPARE_WORDS = 40;

/** The marks of a post. The letters after a mark tell its words apart, so that none contains another. */
function toMarks(id: number, posts: number): readonly string[] {
  return Array.from({ length: SPARE_WORDS }, (_each, at) => [
    ...((id + at) % Math.max(1, Math.floor(posts / 20)) === 0 ? [toMark('rare', at)] : []),
    ...((id + at) % 33 === 0 ? [toMark('frequent', at)] : []),
    // Only four, because they are in nearly every post.
    ...(at < 4 && (id + at) % 4 !== 0 ? [toMark('usual', at)] : []),
  ]).flat();
}

/** A word of a kind by its number. */
export function toMark(kind: keyof typeof MARKS, at: number): string {
  return `${MARKS[kind]}${String.fromCharCode(97 + (at % 26))}${String.fromCharCode(97 + Math.floor(at / 26))}`;
}

function toPost(id: number, posts: number, random: Random): Operation {
  const date = new Date(Date.UTC(2005, 0, 1) + id * 600_000).toISOString().slice(0, 19);
  return {
    op: 'create',
    collection: 'posts',
    values: {
      id,
      type: 'post',
      language: 'en',
      status: id % 10 === 0 ? 'draft' : 'publish',
      slug: `note-${id}`,
      author: 1 + (id % AUTHORS),
      date,
      date_gmt: date,
      modified: date,
      modified_gmt: date,
      title: `Note ${(id * 7919) % 1_000_003}`,
      content: `<p>${toWords(random, 120)} ${toMarks(id, posts).join(' ')}</p>`,
      excerpt: '',
      format: 'standard',
      comment_status: 'open',
      ping_status: 'open',
      categories: [1 + (id % CATEGORIES)],
      tags: [1000 + (id % TAGS)],
      meta: { footnotes: '' },
    },
  };
}

/** Nine posts in ten are published. */
export const toPublished = (posts: number): number => posts - Math.floor(posts / 10);

/** Writes a site with the posts 1 to `posts` into an empty store. */
export async function fillScaleSite(store: Store, posts: number): Promise<void> {
  await loadFixture(store, siteFixture);
  const random = createRandom(7);
  await store.commit(
    Array.from({ length: TAGS }, (_each, at) => ({
      op: 'create',
      collection: 'terms',
      values: { id: 1000 + at, taxonomy: 'post_tag', name: `Tag ${at}`, slug: `tag-${at}`, language: 'en' },
    })),
  );
  for (let first = 1; first <= posts; first += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, posts - first + 1) }, (_each, index) => first + index);
    await store.commit(
      ids.flatMap((id) => [
        toPost(id, posts, random),
        { op: 'create', collection: 'post_history', values: { post: id } },
      ]),
    );
  }
}
