import { freezeGiven } from '../../../lib/core/objects.ts';
import { META_OWNERS, POST, TAXONOMIES, TYPES } from './built-in.ts';
import type { ContentDefinition } from './content-definition.ts';
import type { ContentType, ContentTypeDefinition } from './content-type.ts';
import type { MetaKey } from './meta-key.ts';
import { checkPermalink } from './permalink-tags.ts';
import { readContent } from './read-content.ts';
import { toMetaKeys } from './resolve-meta.ts';
import { toContentType, toTaxonomy } from './resolve-type.ts';
import { SEO_KEYS } from './seo-keys.ts';
import type { Taxonomy, TaxonomyDefinition } from './taxonomy.ts';

/**
 * What a site models. `seed`: posts alone, as in the recorded index. `core`: also pages, media, terms, users, comments and the other
 * core controllers. An object: further types, taxonomies and meta keys, with the core controllers if `core` is true.
 */
export type ContentOption = 'seed' | 'core' | ContentDefinition;

/** Types, taxonomies and meta keys of a site. Lookups go through maps, because their names come from clients and stores. */
export interface ContentModel {
  /** Whether the core controllers are served. */
  readonly core: boolean;
  /** Whether records have the SEO fields. */
  readonly seo: boolean;
  /** By name, the built-in ones first. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** Taxonomies by name. */
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  /** Registered meta keys by the name of a type or taxonomy, or `user` or `comment`, in the order of declaration. */
  readonly meta: ReadonlyMap<string, readonly MetaKey[]>;
}

/** The definition that an option stands for. */
export function toDefinition(option: ContentOption = 'seed'): ContentDefinition {
  if (option === 'seed') return {};
  return option === 'core' ? { core: true } : option;
}

const byName = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((each) => [each.name, freezeGiven(each)]));

function namesOf(type: ContentTypeDefinition, taxonomies: readonly TaxonomyDefinition[]): readonly string[] {
  const naming = taxonomies.filter(({ types = [] }) => types.includes(type.name)).map(({ name }) => name);
  return [...new Set([...(type.taxonomies ?? []), ...naming])];
}

/** Resolves and checks the content of a site. `permalinks`: address of posts below the home page. @throws TypeError naming the first mistake */
export function createContentModel(option: ContentOption = 'seed', permalinks?: string): ContentModel {
  if (permalinks !== undefined) checkPermalink('permalinks', permalinks);
  const {
    core = false,
    seo = false,
    types = [],
    taxonomies = [],
    meta = [],
  } = readContent('content', toDefinition(option));
  const resolvedTypes = [
    ...TYPES.map((type) =>
      toContentType(
        {
          ...type,
          ...(type.name === POST ? { permalink: permalinks ?? type.permalink } : {}),
          taxonomies: namesOf(type, taxonomies),
        },
        { ...type, served: core || type.core !== true },
      ),
    ),
    ...types.map((type) =>
      toContentType({ ...type, taxonomies: namesOf(type, taxonomies) }, { served: true }),
    ),
  ];
  const typesOf = (name: string): readonly string[] =>
    resolvedTypes.filter((type) => type.taxonomies.includes(name)).map((type) => type.name);
  const resolvedTaxonomies = [
    ...TAXONOMIES.map((taxonomy) =>
      toTaxonomy({ ...taxonomy, types: typesOf(taxonomy.name) }, { ...taxonomy, served: core }),
    ),
    ...taxonomies.map((taxonomy) =>
      toTaxonomy({ ...taxonomy, types: typesOf(taxonomy.name) }, { served: true }),
    ),
  ];
  const shared = seo ? SEO_KEYS : {};
  const declared = new Map([...types, ...taxonomies].map(({ name, meta: own = {} }) => [name, own]));
  const owners = [
    ...resolvedTypes.map(({ name, features }) => ({
      name,
      features,
      declared: { ...shared, ...declared.get(name) },
    })),
    ...resolvedTaxonomies.map(({ name }) => ({ name, declared: { ...shared, ...declared.get(name) } })),
    ...Object.entries(META_OWNERS).map(([name, keys]) => ({ name, declared: core ? keys : {} })),
  ];
  return {
    core,
    seo,
    types: byName(resolvedTypes),
    taxonomies: byName(resolvedTaxonomies),
    meta: new Map(owners.map((owner) => [owner.name, toMetaKeys(owner, meta)])),
  };
}

/** Adds the content that a fixture declares. A name that the site declares itself keeps the site's definition. */
export function joinContent(option: ContentOption | undefined, added: ContentDefinition): ContentDefinition {
  const { types = [], taxonomies = [], meta = [], ...rest } = toDefinition(option);
  const unknown = <T extends { readonly name: string }>(
    list: readonly T[] = [],
    known: readonly T[],
  ): readonly T[] => list.filter(({ name }) => known.every((each) => each.name !== name));
  const isDeclared = ({ of, key }: { of: string; key: string }): boolean =>
    meta.some((each) => each.of === of && each.key === key) ||
    [...types, ...taxonomies].some((each) => each.name === of && Object.hasOwn(each.meta ?? {}, key));
  return {
    ...rest,
    types: [...types, ...unknown(added.types, types)],
    taxonomies: [...taxonomies, ...unknown(added.taxonomies, taxonomies)],
    meta: [...meta, ...(added.meta ?? []).filter((each) => !isDeclared(each))],
  };
}

/** Every capability that the rights of types and taxonomies name. A host's own login may give callers some that no role has. */
export function capabilitiesOf({ types, taxonomies, meta }: ContentModel): ReadonlySet<string> {
  const keys = [...meta.values()].flat();
  return new Set([
    ...[...types.values(), ...taxonomies.values()].flatMap(({ capabilities }) =>
      Object.values<string>(capabilities),
    ),
    ...keys.flatMap(({ write }) => (write === null ? [] : [write])),
  ]);
}
