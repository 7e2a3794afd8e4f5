import { and, eq } from '../../../lib/index.ts';
import {
  type Ports,
  type RewriteRun,
  createHomes,
  findMoved,
  findTarget,
  loadAddresses,
  publishedOf,
  servicesOf,
  toAddressSources,
  toPost,
  exists,
} from '../../plugin.ts';

/**
 * Finds the address to which a path of the site redirects, because a published post has another slug now. null: nothing was there, or a
 * published post has the address. `frontEnd`: as in `createSite`.
 */
export function createRedirects(ports: Ports, frontEnd: string | undefined): RewriteRun {
  const { store, config, content } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const sources = toAddressSources(ports);
  const isPublic = publishedOf(
    [...content.types.values()].filter((type) => type.public).map(({ name }) => name),
  );

  return async (path, { siteUrl }) => {
    await publishDue();
    const query = { url: `${siteUrl}${path}`, siteUrl, isPublic };
    const target = await findTarget(sources, query);
    const isTaken =
      target?.kind === 'post' &&
      (await exists(store, 'posts', and(eq('slug', target.slug), eq('language', target.language), isPublic)));
    if (target?.kind === 'post-id' || target?.kind === 'posts-page' || isTaken) return null;
    const moved = await findMoved(sources, query);
    if (moved === null) return null;
    const post = toPost(moved);
    const addressOf = await loadAddresses(sources, [post]);
    return addressOf(post, createHomes(config.prefixes, frontEnd ?? siteUrl));
  };
}
