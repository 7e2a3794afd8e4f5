import { FixedSet } from '../../../lib/core/fixed-set.ts';
import {
  SUPPORTS,
  TYPE_RIGHTS,
  type ContentType,
  type ContentTypeDefinition,
  type Labels,
  type Support,
} from './content-type.ts';
import type { Taxonomy, TaxonomyDefinition } from './taxonomy.ts';

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
export function toContentType(
  definition: ContentTypeDefinition,
  { served, storage = 'posts', also = [], draftLink, closed }: TypeFacts,
): ContentType {
  const {
    name,
    base,
    description = '',
    hierarchical = false,
    hasArchive = false,
    icon = null,
    taxonomies = [],
    permalink = `/${name}/%postname%/`,
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
    draftLink: draftLink ?? `/?post_type=${name}&p=%id%`,
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
export function toTaxonomy(definition: TaxonomyDefinition, facts: TaxonomyFacts): Taxonomy {
  const {
    served,
    field = 'terms',
    path = definition.name,
    hasAncestorsInPath = false,
    hasDefault = false,
    texts = TEXTS,
  } = facts;
  const { name, base, description = '', hierarchical = false, types = [], capabilities = {} } = definition;
  const { public: isPublic = true, owns = false } = definition;
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
