import { renamePath, renameRelation, type Names } from '../core/names.ts';
import { own } from '../core/objects.ts';
import type { Link } from '../http/response.ts';
import type { SiteView } from './call.ts';
import type { LinkDescriptor } from './descriptor.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A link descriptor with wire names, parsed once for all records. */
export interface PreparedLink {
  /** The neutral name of the relation. */
  readonly name: string;
  /** The wire name of the relation. */
  readonly relation: string;
  /** The capabilities that the caller needs to see the link. Empty: everybody sees it. */
  readonly capabilities: readonly string[];
  /** The link for a record. */
  readonly toLink: (site: SiteView, record: Fields) => Link;
}

const FIELD = /\{(\w+)\}/;

/** Most links are built from ids, which need no encoding. */
function toSegment(value: unknown): string {
  return Number.isSafeInteger(value) ? String(value) : encodeURIComponent(String(value));
}

/** Prepares one link of the relation `name`. */
export function prepareLink(name: string, link: LinkDescriptor, names: Names): PreparedLink {
  const [head = '', ...parts] = renamePath(names, link.href).split(FIELD);
  const steps = parts.flatMap((field, at) => (at % 2 === 0 ? [{ field, text: parts[at + 1] ?? '' }] : []));
  const toHref = (site: SiteView, record: Fields): string => {
    let path = head;
    for (const { field, text } of steps) path += toSegment(own(record, field)) + text;
    return site.wireUrl(path);
  };
  return {
    name,
    relation: renameRelation(names, name),
    capabilities: link.when?.split(' ') ?? [],
    toLink:
      link.embeddable === true
        ? (site, record) => ({ embeddable: true, href: toHref(site, record) })
        : (site, record) => ({ href: toHref(site, record) }),
  };
}

/** Prepares the links of a resource, in the order of its table. */
export function prepareLinks(
  table: Readonly<Record<string, LinkDescriptor>>,
  names: Names,
): readonly PreparedLink[] {
  return Object.entries(table).map(([name, link]) => prepareLink(name, link, names));
}
