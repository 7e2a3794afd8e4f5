import { and, eq, oneOf, type Predicate } from '../../lib/store/query.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { isOut } from '../cms/schedule.ts';
import type { Ports } from '../ports.ts';
import { readAddress, type Target } from '../seo/address.ts';

const EMBEDDABLE = ['post', 'page'];

function toPredicate(target: Target | null): Predicate | null {
  if (target?.kind === 'post-id') return eq('id', target.id);
  return target?.kind === 'post' ? and(eq('slug', target.slug), eq('language', target.language)) : null;
}

/**
 * The published post with this address: its permalink with or without the trailing slash, or `?p=id`, each also below a
 * language prefix. Returns null for every other address, so that drafts, private posts and unknown slugs look the same.
 */
export async function findPost({ store, config, now }: Ports, url: string, siteUrl: string): Promise<StoredRecord | null> {
  const languages = [...new Set([...config.prefixes, ...config.languages])];
  const wanted = toPredicate(readAddress(url, siteUrl, languages));
  if (wanted === null) return null;
  const where = and(isOut(now()), oneOf('type', EMBEDDABLE), wanted);
  const { records } = await store.find({ collection: 'posts', where, limit: 1, fields: ['title', 'slug', 'language', 'password', 'author', 'featured_media'] });
  return records[0] ?? null;
}
