import { and, eq, oneOf, type Predicate } from '../../lib/store/query.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { findByOldSlug } from '../cms/old-slugs.ts';
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
 * language prefix. With redirects, also an address that it had before. Returns null for every other address, so that drafts, private posts and unknown slugs look the same.
 */
export async function findPost({ store, config, now }: Ports, url: string, siteUrl: string): Promise<StoredRecord | null> {
  const languages = [...new Set([...config.prefixes, ...config.languages])];
  const target = readAddress(url, siteUrl, languages);
  const wanted = toPredicate(target);
  if (wanted === null) return null;
  const isPublic = and(isOut(now()), oneOf('type', EMBEDDABLE));
  const { records } = await store.find({ collection: 'posts', where: and(isPublic, wanted), limit: 1, fields: ['title', 'slug', 'language', 'password', 'author', 'featured_media'] });
  if (records[0] !== undefined) return records[0];
  return target?.kind === 'post' && config.namespaces['seo']?.['redirects'] === true ? findByOldSlug(store, target, isPublic) : null;
}
