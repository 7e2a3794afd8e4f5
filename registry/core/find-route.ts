import { and, eq, oneOf } from '../../lib/store/query.ts';
import { findTarget } from './addresses/find-target.ts';
import type { Ports } from './host/ports.ts';
import { servicesOf } from './services.ts';
import { orderLanguages } from './settings/languages.ts';

/**
 * The route of the published record whose page a path of the site is: `/cms/v2/posts/5` for `/en/lamp/`. `siteUrl`: address of the site, without
 * a trailing slash. null: the path is not the permalink of a published record of a type that has routes.
 */
export type FindRoute = (path: string, siteUrl: string) => Promise<string | null>;

/** Finds the routes of pages, for hosts that show them. */
export function createFindRoute(ports: Ports): FindRoute {
  const {
    store,
    config,
    content: { types, taxonomies },
  } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const sources = {
    store,
    types,
    taxonomies,
    settings: servicesOf(ports).settings,
    languages: orderLanguages(config),
  };
  const isPublic = and(
    eq('status', 'publish'),
    oneOf(
      'type',
      [...types.values()].filter((type) => type.served && type.public).map(({ name }) => name),
    ),
  );

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
    const type = types.get(String(record?.['type']));
    return record === undefined || type === undefined ? null : `/cms/v2/${type.base}/${record.id}`;
  };
}
