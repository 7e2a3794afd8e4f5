import { own, perObject } from '../../../lib/core/objects.ts';
import type {
  EndpointDescriptor,
  LinkDescriptor,
  NamespaceDescriptor,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { type Support, type TypeRight, wordsOf } from '../model/content-type.ts';
import { has, perKind, type PostKind } from '../records/kind.ts';
import { listMetaOrders, toMetaFilterArg, toNullable } from '../records/meta-values.ts';
import { toTermField, toTermFilters } from '../schemas/post-args.ts';
import { autosaveResource, postResource, revisionResource } from '../schemas/post-resources.ts';
import { type KindRoute, postRoutes } from './routes.ts';

type Condition = (kind: PostKind) => boolean;

const isHierarchical: Condition = ({ type }) => type.hierarchical;

/** What a type must have so that its records have the field, or its lists the filter. Names that are not listed belong to every type. */
const NEEDS: Readonly<Record<string, Support | Condition>> = {
  title: 'title',
  content: 'editor',
  excerpt: 'excerpt',
  author: 'author',
  author_exclude: 'author',
  featured_media: 'thumbnail',
  comment_status: 'comments',
  ping_status: 'comments',
  format: 'post-formats',
  sticky: 'sticky',
  ignore_sticky: 'sticky',
  parent: isHierarchical,
  parent_exclude: isHierarchical,
  // Types with a fixed order have a position.
  menu_order: 'page-attributes',
  meta: hasMeta,
  tax_relation: ({ taxonomies }) => taxonomies.length > 0,
  excerpt_length: 'excerpt',
  generated_slug: 'title',
};

/** A type has `meta` if it supports custom fields, or if the site registers keys for it. */
function hasMeta(kind: PostKind): boolean {
  return has(kind, 'custom-fields') || kind.meta.some(({ name }) => name !== null);
}

/** Members of `meta`, as requests and responses show them. */
const toMetaProperties = perKind(({ meta }): ArgSchemas =>
  Object.fromEntries(meta.flatMap((key) => (key.name === null ? [] : [[key.name, toNullable(key)]]))),
);

const withoutPosition = perObject((schema: ArgSchema): ArgSchema => ({
  ...schema,
  enum: schema.enum?.filter((word) => word !== 'menu_order') ?? [],
}));

/** The words of `orderby`: the position, if the type has one, and its indexed meta. Revisions have no index of their meta. */
function toOrderWords(schema: ArgSchema, kind: PostKind, isPast: boolean): ArgSchema {
  const words = isPast ? [] : listMetaOrders(kind).map(([word]) => word);
  if (schema.enum === undefined) return schema;
  const usual = has(kind, 'page-attributes') ? schema : withoutPosition(schema);
  return words.length === 0 ? usual : { ...usual, enum: [...(usual.enum ?? []), ...words] };
}

/** `meta` of a type by the schema of `meta` that it adapts: several endpoints share one. */
const toMetaSchemas = perKind((kind) =>
  perObject((schema: ArgSchema): ArgSchema => ({ ...schema, properties: toMetaProperties(kind) })),
);

/** Schemas in which a type differs from the one with everything. */
const ADAPTED: Readonly<Record<string, (schema: ArgSchema, kind: PostKind, isPast: boolean) => ArgSchema>> = {
  meta: (schema, kind) => toMetaSchemas(kind)(schema),
  orderby: toOrderWords,
};

/** A schema of the table of all types, with what a type must have for it and how it differs. */
interface Part {
  readonly name: string;
  readonly schema: ArgSchema;
  readonly needs: Support | Condition | undefined;
  readonly adapt: (typeof ADAPTED)[string] | undefined;
}

const toParts = perObject((schemas: ArgSchemas): readonly Part[] =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    schema,
    needs: own(NEEDS, name),
    adapt: own(ADAPTED, name),
  })),
);

/** Schemas of a type's taxonomies, and the name after which they stand. */
interface AddedTerms {
  readonly after: string;
  readonly schemas: ArgSchemas;
}

/** The list filters of the type's taxonomies and indexed meta. */
function toKindFilters(kind: PostKind): AddedTerms {
  const meta = toMetaFilterArg(kind);
  return {
    after: 'tax_relation',
    schemas: Object.assign(
      {},
      ...kind.taxonomies.map(toTermFilters),
      meta === null ? {} : { meta },
    ) as ArgSchemas,
  };
}

/** The fields of a record for its terms, to be written. */
function toKindTerms({ taxonomies }: PostKind): AddedTerms {
  return {
    after: 'template',
    schemas: Object.fromEntries(taxonomies.map((taxonomy) => [taxonomy.base, toTermField(taxonomy)])),
  };
}

/** Which schemas are selected. `isPast`: in revisions and autosaves, where `parent` is the post itself. */
interface Selected {
  readonly added?: AddedTerms;
  readonly isPast?: boolean;
}

/** Selects the schemas of a type, in order, and adds those of its taxonomies. @throws TypeError for a taxonomy whose base is already the name of a schema */
function toKindSchemas(
  schemas: ArgSchemas,
  kind: PostKind,
  { added, isPast = false }: Selected = {},
): ArgSchemas {
  const terms = Object.entries(added?.schemas ?? {});
  const taken = terms.map(([base]) => base).find((base) => Object.hasOwn(schemas, base));
  if (taken !== undefined)
    throw new TypeError(
      `the taxonomy with the base "${taken}": records of type "${kind.type.name}" have another field or parameter of this name; choose another base`,
    );
  const selected: [string, ArgSchema][] = [];
  const fits = (needs: Part['needs']): boolean =>
    typeof needs === 'function' ? needs(kind) : needs === undefined || has(kind, needs);
  for (const { name, schema, needs, adapt } of toParts(schemas)) {
    if (fits(needs) || (isPast && name === 'parent'))
      selected.push([name, adapt?.(schema, kind, isPast) ?? schema]);
    if (name === added?.after) selected.push(...terms);
  }
  return Object.fromEntries(selected);
}

/** The type whose handlers, permissions and checks have the ids of the core: `cms.revisions.list`, `cms.search`. */
const POSTS = 'posts';

/** The id of a handler or permission of a type: `cms.books.list`, `cms.books.revisions.list`. */
export const toActionId = ({ type: { base } }: PostKind, name: string): string =>
  base === POSTS && name.includes('.') ? `cms.${name}` : `cms.${base}.${name}`;

/** The id of a check of a type. Those of posts are used by terms and comments, too. */
export const toCheckId = ({ type: { base } }: PostKind, name: string): string =>
  base === POSTS ? `cms.${name}` : `cms.${base}.${name}`;

const toPath = ({ type: { base } }: PostKind): string => `/cms/v2/${base}`;

/** Names that endpoints check first, including those of the type's taxonomies. */
function toCheckFirst(names: readonly string[], args: ArgSchemas, kind: PostKind): readonly string[] {
  const known = names.filter((name) => Object.hasOwn(args, name));
  return names.includes('template') ? [...known, ...kind.taxonomies.map(({ base }) => base)] : known;
}

/** What the parameters of a type depend on, as text. Its meta counts only where they have it. */
const toShape = perKind(({ type: { hierarchical, features }, taxonomies, meta }) => ({
  plain: JSON.stringify([hierarchical, [...features], taxonomies.map(({ name }) => name)]),
  meta: JSON.stringify(meta.map(({ name, indexed, schema }) => [name, indexed, schema])),
  hasIndexed: meta.some(({ indexed }) => indexed),
}));

/** The schemas of the types of a site, by those that they select from. Types that have the same ones share the very objects, so that they are checked and compiled once. */
const sharedSchemas = perObject((_family: object) =>
  perObject((_schemas: ArgSchemas) => new Map<string, ArgSchemas>()),
);

/** Selects the schemas of a type. `added`: what to add for it. */
function toShared(
  schemas: ArgSchemas,
  kind: PostKind,
  { isPast = false, added }: { readonly isPast?: boolean; readonly added?: (kind: PostKind) => AddedTerms },
): ArgSchemas {
  const { plain, meta, hasIndexed } = toShape(kind);
  const known = sharedSchemas(kind.family)(schemas);
  const shape = `${isPast} ${plain} ${Object.hasOwn(schemas, 'meta') || hasIndexed ? meta : ''}`;
  const selected =
    known.get(shape) ??
    toKindSchemas(schemas, kind, { isPast, ...(added === undefined ? {} : { added: added(kind) }) });
  known.set(shape, selected);
  return selected;
}

const toKindArgs = (args: ArgSchemas, kind: PostKind, isPast: boolean): ArgSchemas =>
  toShared(args, kind, { isPast, added: Object.hasOwn(args, 'tax_relation') ? toKindFilters : toKindTerms });

/** An endpoint as every type of the same shape has it, with the names of `routes.ts`. `isPast`: whether it serves revisions or autosaves. */
function toShapedEndpoint(endpoint: EndpointDescriptor, kind: PostKind, isPast: boolean): EndpointDescriptor {
  const { args, checkFirst, checks } = endpoint;
  const ownArgs = toKindArgs(args, kind, isPast);
  return {
    ...endpoint,
    args: ownArgs,
    ...(checkFirst === undefined ? {} : { checkFirst: toCheckFirst(checkFirst, ownArgs, kind) }),
    ...(checks === undefined
      ? {}
      : {
          checks: Object.fromEntries(Object.entries(checks).filter(([name]) => Object.hasOwn(ownArgs, name))),
        }),
  };
}

const withKindIds = (endpoint: EndpointDescriptor, kind: PostKind): EndpointDescriptor => {
  const { handler, permission, checks, needs, summary = '', description = '' } = endpoint;
  const words = wordsOf(kind.type.labels);
  const say = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_all, name: keyof typeof words) => words[name]);
  const named = {
    ...endpoint,
    summary: say(summary),
    description: say(description),
    handler: toActionId(kind, handler),
    permission: toActionId(kind, permission),
    ...(needs === undefined
      ? {}
      : { needs: needs.map((right) => own<string>(kind.type.capabilities, right as TypeRight) ?? right) }),
  };
  return checks === undefined
    ? named
    : {
        ...named,
        checks: Object.fromEntries(Object.entries(checks).map(([name, id]) => [name, toCheckId(kind, id)])),
      };
};

const {
  ml_language: languageField,
  meta: { context: TERM_CONTEXT },
} = postResource.properties;

/** Types share these schemas, so that a thousand of them are checked and compiled once. */
const toShownField = perObject((schema: ArgSchema): ArgSchema => ({ ...schema, context: TERM_CONTEXT }));
const toLanguageField = perObject((languages: readonly string[]): ArgSchema => ({
  ...languageField,
  enum: languages,
}));

/** The fields of a record for its terms, as responses show them. */
const toShownTerms = (kind: PostKind): AddedTerms => ({
  after: 'meta',
  schemas: Object.fromEntries(
    Object.entries(toKindTerms(kind).schemas).map(([base, schema]) => [base, toShownField(schema)]),
  ),
});

/** The fields of records with the languages of the site. */
const withLanguages = perObject((languages: readonly string[]) =>
  perObject((properties: ArgSchemas): ArgSchemas => ({
    ...properties,
    ml_language: toLanguageField(languages),
  })),
);

/** The links of a type's records, in the order of responses. */
function toLinks(kind: PostKind): Readonly<Record<string, LinkDescriptor>> {
  const { type, taxonomies } = kind;
  const { publish_posts: publish, edit_others_posts: editOthers } = type.capabilities;
  const collection = toPath(kind);
  const href = `${collection}/{id}`;
  const rows: readonly (readonly [relation: string, link: LinkDescriptor, feature?: Support])[] = [
    ['self', { href }],
    ['collection', { href: collection }],
    ['about', { href: '/cms/v2/types/{type}' }],
    ['author', { href: '/cms/v2/users/{author}', embeddable: true }, 'author'],
    ['replies', { href: '/cms/v2/comments?post={id}', embeddable: true }, 'comments'],
    ['version-history', { href: `${href}/revisions` }, 'revisions'],
    ['cms:featuredmedia', { href: '/cms/v2/media/{featured_media}', embeddable: true }, 'thumbnail'],
    ['cms:attachment', { href: '/cms/v2/media?parent={id}' }],
    ['cms:action-publish', { href, when: publish }],
    ['cms:action-unfiltered-html', { href, when: 'unfiltered_html' }],
    ['cms:action-sticky', { href, when: `${editOthers} ${publish}` }, 'sticky'],
    ['cms:action-assign-author', { href, when: editOthers }, 'author'],
    // New terms of a flat taxonomy are created by assigning them.
    ...taxonomies.flatMap(({ base, hierarchical, capabilities: { edit_terms, assign_terms } }) => [
      [`cms:action-create-${base}`, { href, when: hierarchical ? edit_terms : assign_terms }] as const,
      [`cms:action-assign-${base}`, { href, when: assign_terms }] as const,
    ]),
  ];
  return Object.fromEntries(
    rows.flatMap(([relation, link, feature]) =>
      feature === undefined || has(kind, feature) ? [[relation, link]] : [],
    ),
  );
}

/** The fields and links of a type's records. */
export const toKindResource = perKind((kind) => ({
  title: kind.type.name,
  ...postResource,
  properties: toShared(postResource.properties, kind, { added: toShownTerms }),
  links: toLinks(kind),
}));

const toParentLink = (kind: PostKind): LinkDescriptor => ({ href: `${toPath(kind)}/{parent}` });

/** The links of a type's records that depend on the record: to its newest revision, to its parent, and to its terms in each taxonomy. */
export const toKindExtraLinks = perKind((kind) => ({
  predecessor: { href: `${toPath(kind)}/{id}/revisions/{newest}` },
  up: { ...toParentLink(kind), embeddable: true } as const,
  parent: toParentLink(kind),
  terms: kind.taxonomies.map(({ name, base }) => ({
    taxonomy: name,
    link: { href: `/cms/v2/${base}?post={id}`, embeddable: true } as const,
  })),
}));

/** The fields and links of revisions and autosaves of a type's records. */
export const toPastResources = perKind((kind) => {
  const toPast = ({ properties }: Pick<ResourceDescriptor, 'properties'>): ResourceDescriptor => ({
    title: `${kind.type.name}-revision`,
    properties: toShared(properties, kind, { isPast: true }),
    links: { parent: toParentLink(kind) },
  });
  return { revision: toPast(revisionResource), autosave: toPast(autosaveResource) };
});

/** `languages`: those of the site. `core`: whether single autosaves, previews and lists of translations are served, which the index of a seed does not have. */
export interface KindSite {
  readonly languages: readonly string[];
  readonly core: boolean;
}

const shapedRoutes = perObject((_family: object) => new Map<string, readonly RouteDescriptor[]>());

/** The routes that every type of the same shape has, with the names of `routes.ts`. */
export function toShapedRoutes(kind: PostKind, core: boolean): readonly RouteDescriptor[] {
  const { plain, meta } = toShape(kind);
  const known = shapedRoutes(kind.family);
  const key = `${core} ${plain} ${meta}`;
  const routes =
    known.get(key) ??
    (postRoutes.routes as readonly KindRoute[])
      .filter(
        ({ feature, coreOnly }) =>
          (feature === undefined || has(kind, feature)) && (core || coreOnly !== true),
      )
      .map(({ pattern, resource, endpoints }) =>
        Object.assign({ pattern }, resource === undefined ? undefined : { resource }, {
          endpoints: endpoints.map((endpoint) => toShapedEndpoint(endpoint, kind, (resource ?? '') !== '')),
        }),
      );
  known.set(key, routes);
  return routes;
}

/** Routes and resources of a type. */
export function describeKind(
  kind: PostKind,
  { languages, core }: KindSite,
): Required<Pick<NamespaceDescriptor, 'routes' | 'resources'>> {
  const { name } = kind.type;
  const routes = toShapedRoutes(kind, core).map(({ pattern, resource, endpoints }) =>
    Object.assign(
      { pattern: `${toPath(kind)}${pattern}` },
      resource === undefined ? undefined : { resource: `${name}${resource}` },
      { endpoints: endpoints.map((endpoint) => withKindIds(endpoint, kind)) },
    ),
  );
  const { properties, ...resource } = toKindResource(kind);
  const { revision, autosave } = toPastResources(kind);
  const all = {
    [name]: { ...resource, properties: withLanguages(languages)(properties) },
    [`${name}-revision`]: revision,
    [`${name}-autosave`]: autosave,
  };
  const used = new Set(routes.map((each) => each.resource));
  return {
    routes,
    resources: Object.fromEntries(Object.entries(all).filter(([id]) => used.has(id))),
  };
}
