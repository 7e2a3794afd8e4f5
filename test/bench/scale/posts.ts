import { and, eq, type Order, type Predicate, type Query } from '../../../lib/store/query.ts';
import type { Operation, Store } from '../../../lib/store/store.ts';

/** Posts in one commit of `fill`. */
const GROUP = 500;
const PARAGRAPH =
  'The harbour wakes before the town does, and the first boats are out when the bakers open their doors. ';

/** A post of about 1.5 KB. Nine of ten are published, and the dates are not in the order of the ids. */
export function toPost(number: number, values: Readonly<Record<string, string | number>> = {}): Operation {
  const date = new Date(Date.UTC(2015, 0, 1) + ((number * 7919) % 300_000_000) * 1000)
    .toISOString()
    .slice(0, 19);
  return {
    op: 'create',
    collection: 'posts',
    values: {
      type: 'post',
      language: 'en',
      status: number % 10 === 0 ? 'draft' : 'publish',
      slug: `post-${number}`,
      author: (number % 20) + 1,
      date,
      date_gmt: date,
      modified: date,
      modified_gmt: date,
      title: `Title ${(number * 7919) % 1_000_003}`,
      content: `<p>${PARAGRAPH.repeat(12)}${number}</p>`,
      categories: [number % 30],
      tags: [number % 500],
      ...values,
    },
  };
}

/** Creates this many posts. */
export async function fill(store: Store, size: number): Promise<void> {
  for (let first = 0; first < size; first += GROUP) {
    await store.commit(
      Array.from({ length: Math.min(GROUP, size - first) }, (_each, at) => toPost(first + at)),
    );
  }
}

const PUBLISHED = [eq('language', 'en'), eq('status', 'publish'), eq('type', 'post')];
/** The published posts, as an anonymous caller lists them. */
export const published = and(...PUBLISHED);
/** Those of them that also match a condition. */
export const publishedWith = (condition: Predicate): Predicate => and(...PUBLISHED, condition);

const NEWEST: readonly Order[] = [{ field: 'date', direction: 'desc' }];

/** A page of ten with its total, newest first. */
export function toList(
  number: number,
  {
    where = published,
    order = NEWEST,
  }: { readonly where?: Predicate; readonly order?: readonly Order[] } = {},
): Query {
  return { collection: 'posts', where, order, limit: 10, offset: (number - 1) * 10, total: true };
}
