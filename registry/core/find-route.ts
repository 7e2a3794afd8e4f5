import { and, eq } from '../../lib/store/query.ts';
import { publishedOf, toAddressSources } from './address-sources.ts';
import { findTarget } from './addresses/find-target.ts';
import type { Ports } from './host/ports.ts';
import { hasPages } from './model/content-type.ts';
import { servicesOf } from './services.ts';

/**
 * The route of the published record whose page a path of the site is: `/cms/v2/posts/5` for `/en/lamp/`. `siteUrl`: address of the site, without
 * a trailing slash. null: the path is not the permalink of a published record of a type that has routes.
 */
export type FindRoute = (path: string, siteUrl: string) => Promise<string | null>;

/** Finds the routes of pages, for hosts that show them. */
export function createFindRoute(ports: Ports): FindRoute {
  const { store, content } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const sources = toAddressSources(ports);
  const isPublic = publishedOf([...content.types.values()].filter(hasPages).map(({ name }) => name));

  return async (path, siteUrl) => {
    await publishDue();
    const target = await findTarget(sources, { url: `${siteUrl}${path}`, siteUrl, isPublic });
    if (target?.kind !== 'post-id') return null;
    const {
      records: [record],
    } = await store.find({
      collection: 'posts',
      where: and(eq('id', target.id), isPublic),
      fields: ['type'],
      limit: 1,
    });
    const type = content.types.get(String(record?.['type']));
    return record === undefined || type === undefined ? null : `/cms/v2/${type.base}/${record.id}`;
  };
}
