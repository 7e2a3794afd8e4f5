import type { SiteView } from './call.ts';
import type { LinkDescriptor } from './descriptor.ts';
import { renamePath, renameRelation, type Names } from './names.ts';
import type { Link } from './response.ts';

const FIELD = /\{(\w+)\}/;

/** Link descriptors taken apart: texts in wire words and names of fields in turn, beginning with a text. */
const templates = new WeakMap<LinkDescriptor, { readonly names: Names; readonly parts: readonly string[] }>();

function toParts(link: LinkDescriptor, names: Names): readonly string[] {
  const known = templates.get(link);
  if (known?.names === names) return known.parts;
  const parts = renamePath(names, link.href).split(FIELD);
  templates.set(link, { names, parts });
  return parts;
}

/** The address that a link descriptor means for a record. */
export function toHref(site: SiteView, link: LinkDescriptor, record: Readonly<Record<string, unknown>>): string {
  let path = '';
  for (const [at, part] of toParts(link, site.names).entries()) path += at % 2 === 0 ? part : encodeURIComponent(String(record[part]));
  return site.wireUrl(path);
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
