import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { postCollections } from '../../registry/core/records/collections.ts';
import type { Random } from '../support/random.ts';

/** The longest names that no other word contains. Each is in some posts: about 20, one in 33, and three in four. */
export const MARKS = { rare: 'quibblewick', frequent: 'harboursong', usual: 'tidewatered' } as const;

/** The collections of posts without an index of their texts. */
export const unsearchedPosts: readonly CollectionDescriptor[] = postCollections.map(
  (collection: CollectionDescriptor) => {
    const { search: _search, ...others } = collection;
    return others;
  },
);

const SYLLABLES = [
  'ba',
  'cor',
  'den',
  'el',
  'fi',
  'gra',
  'hul',
  'in',
  'jo',
  'kel',
  'lo',
  'mer',
  'na',
  'or',
  'pel',
  'qua',
  'ri',
  'ster',
  'tu',
  'ven',
];

/** Words of about seven letters, few of them often and most of them seldom, as in a language. */
export function toWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => {
    const word = Math.floor(8000 * (random.below(1_000_000) / 1_000_000) ** 3);
    return [word % 20, Math.floor(word / 20) % 20, Math.floor(word / 400)]
      .map((at) => SYLLABLES[at] ?? '')
      .join('');
  }).join(' ');
}
