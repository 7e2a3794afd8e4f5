import type { SiteView } from './call.ts';
import type { LinkDescriptor } from './descriptor.ts';
import { renameRelation } from './names.ts';
import type { Link } from './response.ts';

const FIELD = /\{(\w+)\}/g;

/** The address that a link descriptor means for a record. */
export function toHref(site: SiteView, link: LinkDescriptor, record: Readonly<Record<string, unknown>>): string {
  return site.url(link.href.replaceAll(FIELD, (_match, field: string) => encodeURIComponent(String(record[field]))));
}

/** The link of a descriptor for a record. */
export function toLink(site: SiteView, link: LinkDescriptor, record: Readonly<Record<string, unknown>>): Link {
  return { ...(link.embeddable === true ? { embeddable: true as const } : {}), href: toHref(site, link, record) };
}

/** `_links` of a record from a table of relations; what `isShown` refuses is left out. */
export function toLinks(
  site: SiteView,
  table: Readonly<Record<string, LinkDescriptor>>,
  { record, isShown }: { record: Readonly<Record<string, unknown>>; isShown: (link: LinkDescriptor, relation: string) => boolean },
): Record<string, Link[]> {
  const shown = Object.entries(table).filter(([relation, link]) => isShown(link, relation));
  return Object.fromEntries(shown.map(([relation, link]) => [renameRelation(site.names, relation), [toLink(site, link, record)]]));
}
