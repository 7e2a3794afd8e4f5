import { defined, FixedSet, freezeGiven } from '../../../lib/core/objects.ts';
import { META_OWNERS, POST, TAXONOMIES, TYPES } from './built-in.ts';
import {
  type ContentDefinition,
  type ContentType,
  type ContentTypeDefinition,
  type Labels,
  type Support,
  SUPPORTS,
  type Taxonomy,
  type TaxonomyDefinition,
  TYPE_RIGHTS,
} from './content-type.ts';
import type { MetaKey } from './meta-key.ts';
import { checkPermalink } from './permalink-tags.ts';
import { readContent } from './read-content.ts';
import { SEO_KEYS, toMetaKeys } from './resolve-meta.ts';

const toWord = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, ' ');

function toLabels({
  name,
  base,
  labels = {},
}: {
  readonly name: string;
  readonly base: string;
  readonly labels?: Labels;
}): Required<Labels> {
  return { name: labels.name ?? toWord(base), singular: labels.singular ?? labels.name ?? toWord(name) };
}

type Capabilities = ContentType['capabilities'];

/** The capabilities of a type that has the rights of `word`: `edit_posts`, `edit_books`. New records need the right to edit. */
const toWordCapabilities = (word: string): Capabilities =>
  Object.fromEntries(
    TYPE_RIGHTS.map((right) => [right, right.replace('create_', 'edit_').replace(/posts$/, `${word}s`)]),
  ) as Capabilities;

const POST_CAPABILITIES = toWordCapabilities('post');

/** Types with the rights of posts share one object. */
function toCapabilities(capabilities: ContentTypeDefinition['capabilities'] = 'post'): Capabilities {
  if (capabilities === 'post') return POST_CAPABILITIES;
  return typeof capabilities === 'string'
    ? toWordCapabilities(capabilities)
    : { ...POST_CAPABILITIES, ...capabilities };
}

const USUAL_SUPPORTS: readonly Support[] = ['title', 'editor'];

/** What built-in types have in addition to their definition. */
interface TypeFacts extends Pick<ContentType, 'served'>, Partial<Pick<ContentType, 'storage' | 'draftLink'>> {
  readonly also?: readonly Support[];
  readonly closed?: true;
}

/** Fills in the defaults of a type. `definition.taxonomies`: all of them, including those that name the type. */
function toContentType(definition: ContentTypeDefinition & TypeFacts): ContentType {
  const {
    served,
    storage = 'posts',
    also = [],
    closed,
    name,
    base,
    description = '',
    hierarchical = false,
    hasArchive = false,
    icon = null,
    taxonomies = [],
    permalink = `/${name}/%postname%/`,
    draftLink = `/?post_type=${name}&p=%id%`,
    public: isPublic = true,
    readable = isPublic,
    routes = true,
  } = definition;
  const declared = definition.supports ?? USUAL_SUPPORTS;
  // As in WordPress, a type with an editor has autosaves.
  const supports = new FixedSet(
    SUPPORTS.filter(
      (word) => declared.includes(word) || (word === 'autosave' && declared.includes('editor')),
    ),
  );
  return {
    name,
    base,
    labels: toLabels(definition),
    description,
    hierarchical,
    hasArchive,
    icon,
    supports,
    features: new FixedSet([...supports, ...also]),
    taxonomies,
    capabilities: toCapabilities(definition.capabilities),
    permalink,
    draftLink,
    served,
    public: isPublic,
    readable,
    routes,
    storage,
    discussion: {
      comment_status: supports.has('comments') && closed !== true ? 'open' : 'closed',
      ping_status: supports.has('trackbacks') ? 'open' : 'closed',
    },
  };
}

/** Capabilities of categories and tags, and of every taxonomy that does not name its own. */
const TERM_CAPABILITIES = {
  manage_terms: 'manage_categories',
  edit_terms: 'manage_categories',
  delete_terms: 'manage_categories',
  assign_terms: 'edit_posts',
} as const;

type TaxonomyFacts = Pick<Taxonomy, 'served'> &
  Partial<Pick<Taxonomy, 'field' | 'path' | 'hasAncestorsInPath' | 'hasDefault' | 'texts'>>;

const TEXTS = {
  field: 'IDs of the terms of the post in this taxonomy.',
  filter: 'Only posts with these terms of the taxonomy.',
  exclude: 'Excludes posts with these terms of the taxonomy.',
} as const;

/** Fills in the defaults of a taxonomy. `definition.types`: all of them, including those that name the taxonomy. */
function toTaxonomy(definition: TaxonomyDefinition & TaxonomyFacts): Taxonomy {
  const {
    served,
    name,
    base,
    description = '',
    hierarchical = false,
    types = [],
    capabilities = {},
    field = 'terms',
    path = name,
    hasAncestorsInPath = false,
    hasDefault = false,
    texts = TEXTS,
    public: isPublic = true,
    owns = false,
  } = definition;
  return {
    name,
    base,
    labels: toLabels(definition),
    description,
    hierarchical,
    types,
    capabilities: { ...TERM_CAPABILITIES, ...capabilities },
    field,
    path,
    hasAncestorsInPath,
    hasDefault,
    texts,
    served,
    public: isPublic,
    owns,
  };
}

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
  /** Those of the types whose records are stored as posts are. */
  readonly postTypes: readonly ContentType[];
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
    ...TYPES.map((type) => Object.assign({}, type, { served: core || type.core !== true })),
    ...types.map((type) => Object.assign({}, type, { served: true })),
  ].map((type) =>
    toContentType({
      ...type,
      ...(type.name === POST ? defined({ permalink: permalinks }) : {}),
      taxonomies: namesOf(type, taxonomies),
    }),
  );
  const typesOf = (name: string): readonly string[] =>
    resolvedTypes.filter((type) => type.taxonomies.includes(name)).map((type) => type.name);
  const resolvedTaxonomies = [
    ...TAXONOMIES.map((taxonomy) => Object.assign({}, taxonomy, { served: core })),
    ...taxonomies.map((taxonomy) => Object.assign({}, taxonomy, { served: true })),
  ].map((taxonomy) => toTaxonomy({ ...taxonomy, types: typesOf(taxonomy.name) }));
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
    postTypes: resolvedTypes.filter(({ storage }) => storage === 'posts'),
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
