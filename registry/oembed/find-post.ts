import { and, eq, oneOf, or, type Predicate } from '../../lib/query.ts';
import type { StoredRecord } from '../../lib/store.ts';
import type { Ports } from '../ports.ts';
import { readAddress, type Target } from '../seo/address.ts';

const EMBEDDABLE = ['post', 'page'];

function toPredicate(target: Target | null): Predicate | null {
  if (target?.kind === 'post-id') return eq('id', target.id);
  return target?.kind === 'post' ? and(eq('slug', target.slug), eq('language', target.language)) : null;
}

/** Published, or due: a scheduled post is out from its moment on, whether or not somebody has noticed. */
function isOut(now: number): Predicate {
  const due: Predicate = { op: 'lte', field: 'date_gmt', value: new Date(now).toISOString().slice(0, 19) };
  return or(eq('status', 'publish'), and(eq('status', 'future'), { op: 'gt', field: 'date_gmt', value: '' }, due));
}

/**
 * The published post that an address of this site means: its permalink with or without the last slash, or `?p=id`, both also
 * below a language prefix. null for every other address, so that drafts, private posts and unknown names look the same.
 */
export async function findPost({ store, config, now }: Ports, url: string, siteUrl: string): Promise<StoredRecord | null> {
  const languages = [...new Set([...config.prefixes, ...config.languages])];
  const wanted = toPredicate(readAddress(url, siteUrl, languages));
  if (wanted === null) return null;
  const where = and(isOut(now()), oneOf('type', EMBEDDABLE), wanted);
  const { records } = await store.find({ collection: 'posts', where, limit: 1, fields: ['title', 'slug', 'language', 'password', 'author', 'featured_media'] });
  return records[0] ?? null;
}
