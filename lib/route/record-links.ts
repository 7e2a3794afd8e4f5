import { can, type Identity } from '../core/identity.ts';
import { perNames } from '../core/names.ts';
import { own } from '../core/objects.ts';
import type { Link } from '../http/response.ts';
import type { Call } from './call.ts';
import type { LinkDescriptor } from './descriptor.ts';
import { prepareLinks, type PreparedLink } from './links.ts';

type Fields = Readonly<Record<string, unknown>>;

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
