import { can, type Identity } from '../core/identity.ts';
import { type Names, perNames, renamePath, renameRelation } from '../core/names.ts';
import { own } from '../core/objects.ts';
import type { Link } from '../http/response.ts';
import type { Call, SiteView } from './call.ts';
import type { LinkDescriptor } from './descriptor.ts';

/** Fields of a record by name. */
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

/** Renders `_links` of a record. `allow`: the methods that the caller may use on the record, a hint in the `self` link. */
export type RecordLinks = (
  record: Fields,
  call: Call,
  allow?: readonly string[],
) => Record<string, readonly unknown[]>;

const FIELDS = /\{(\w+)\}/g;

/** The fields of a record that a link needs. */
function fieldsOf({ href }: LinkDescriptor): readonly string[] {
  return [...href.matchAll(FIELDS)].map(([, field = '']) => field);
}

const isMissing = (value: unknown): boolean =>
  value === 0 || value === '' || value === null || value === undefined;

/**
 * Prepares the links of a resource. A record has a link if it has all fields that the link needs: one without a parent has no
 * link to it. A link `when` is for callers with these capabilities. `curies` explains the prefix of relations if one of them has a prefix.
 */
export function createRecordLinks(table: Readonly<Record<string, LinkDescriptor>>): RecordLinks {
  const needed = new Map(Object.entries(table).map(([name, link]) => [name, fieldsOf(link)]));
  const preparedOf = perNames((names) => ({
    links: prepareLinks(table, names),
    curies: Object.freeze([
      Object.freeze({ name: names.curie.wire, href: names.curie.href, templated: true }),
    ]),
  }));
  const isShown = ({ name, capabilities }: PreparedLink, record: Fields, identity: Identity): boolean =>
    capabilities.every((capability) => can(identity, capability)) &&
    !(needed.get(name) ?? []).some((field) => isMissing(own(record, field)));
  return (record, { site, identity }, allow) => {
    const { links, curies } = preparedOf(site.names);
    const shown = links
      .filter((link) => isShown(link, record, identity))
      .map(({ name, relation, toLink }): [string, readonly Link[]] => {
        const link = toLink(site, record);
        return [
          relation,
          [name === 'self' && allow !== undefined ? { ...link, targetHints: { allow } } : link],
        ];
      });
    const isPrefixed = shown.some(([relation]) => relation.startsWith(`${site.names.curie.wire}:`));
    return Object.fromEntries<readonly unknown[]>(isPrefixed ? [...shown, ['curies', curies]] : shown);
  };
}
