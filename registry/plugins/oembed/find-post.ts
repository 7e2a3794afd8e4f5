import { perObject } from '../../../lib/core/objects.ts';
import { and, eq, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { findMoved } from '../../core/addresses/find-moved.ts';
import { findTarget, type FoundTarget } from '../../core/addresses/find-target.ts';
import { ADDRESSED } from '../../core/addresses/link-parts.ts';
import type { Ports } from '../../core/host/ports.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import { isOut } from '../../core/records/schedule.ts';
import type { ReadSettings } from '../../core/settings/site-settings.ts';

/** Types whose posts can be embedded, whether or not the API has routes for them. */
const typesOf = perObject(({ types }: ContentModel) =>
  [...types.values()].filter(({ storage }) => storage === 'posts').map(({ name }) => name),
);

function toPredicate(target: FoundTarget | null): Predicate | null {
  if (target?.kind === 'post-id' || target?.kind === 'posts-page') return eq('id', target.id);
  return target?.kind === 'post' ? and(eq('slug', target.slug), eq('language', target.language)) : null;
}

/**
 * The published post with this address: its permalink with or without the trailing slash, or `?p=id`, each also below a
 * language prefix. With redirects, also an address that it had before. Returns null for every other address, so that drafts, private posts and unknown slugs look the same.
 */
export async function findPost(
  { store, config, content, now, settings }: Ports & { readonly settings: ReadSettings },
  url: string,
  siteUrl: string,
): Promise<StoredRecord | null> {
  const languages = [...new Set([...config.prefixes, ...config.languages])];
  const isPublic = and(isOut(now()), oneOf('type', typesOf(content)));
  const [sources, query] = [
    { store, types: content.types, taxonomies: content.taxonomies, settings, languages },
    { url, siteUrl, isPublic },
  ];
  const wanted = toPredicate(await findTarget(sources, query));
  const {
    records: [found],
  } =
    wanted === null
      ? { records: [] }
      : await store.find({
          collection: 'posts',
          where: and(isPublic, wanted),
          limit: 1,
          fields: ['title', 'password', 'featured_media', ...ADDRESSED],
        });
  return found ?? (config.namespaces['seo']?.['redirects'] === true ? findMoved(sources, query) : null);
}
