import { own, perObject } from '../../../lib/core/objects.ts';
import type {
  EndpointDescriptor,
  LinkDescriptor,
  NamespaceDescriptor,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import type { TypeRight } from '../model/content-type.ts';
import { has, perKind, type PostKind } from '../records/kind.ts';
import {
  postExtraLinks,
  postResource,
  revisionResource,
  autosaveResource,
} from '../schemas/post-resources.ts';
import { toKindFilters, toKindSchemas, toKindTerms, type AddedTerms } from './kind-fields.ts';
import { postRoutes } from './routes.ts';

/** The ids of handlers, permissions and checks of posts stand for those of every type. This type keeps them. */
const BASE_OF_IDS = 'posts';
const PATH = `/cms/v2/${BASE_OF_IDS}`;

const PLACES = [`cms.${BASE_OF_IDS}.`, 'cms.'] as const;

/** The part of an id that is the same for every type. */
function toOwnPart(id: string): string {
  return id.slice(PLACES.find((place) => id.startsWith(place))?.length ?? 0);
}

/** An id as the descriptor of a type names it: `cms.books.list`, `cms.books.revisions.list`. */
export function toKindId({ type: { base } }: PostKind, id: string): string {
  return base === BASE_OF_IDS ? id : `cms.${base}.${toOwnPart(id)}`;
}

const toPath = (path: string, { type: { base } }: PostKind): string => path.replace(PATH, `/cms/v2/${base}`);

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

/** An endpoint as every type of the same shape has it, with the ids of posts. `isPast`: whether it serves revisions or autosaves. */
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
  const { handler, permission, checks, needs } = endpoint;
  const named = {
    ...endpoint,
    handler: toKindId(kind, handler),
    permission: toKindId(kind, permission),
    ...(needs === undefined ? {} : { needs: needs.map((right) => toWhen(right, kind)) }),
  };
  return checks === undefined
    ? named
    : {
        ...named,
        checks: Object.fromEntries(Object.entries(checks).map(([name, id]) => [name, toKindId(kind, id)])),
      };
};

/** The resources of posts, and their names for a type: `book`, `book-revision`. */
const toResourceId = (id: string, { type }: PostKind): string => id.replace(/^post/, type.name);

/** Links that a type has only with a feature. */
const LINK_NEEDS: Readonly<Record<string, (kind: PostKind) => boolean>> = {
  author: (kind) => has(kind, 'author'),
  replies: (kind) => has(kind, 'comments'),
  'version-history': (kind) => has(kind, 'revisions'),
  'cms:featuredmedia': (kind) => has(kind, 'thumbnail'),
  'cms:action-sticky': (kind) => has(kind, 'sticky'),
  'cms:action-assign-author': (kind) => has(kind, 'author'),
};

/** The capabilities of the type in place of the rights that links name. Other capabilities are the same for all types. */
function toWhen(when: string, { type: { capabilities } }: PostKind): string {
  return when
    .split(' ')
    .map((word) => own<string>(capabilities, word as TypeRight) ?? word)
    .join(' ');
}

function toLink(link: LinkDescriptor, kind: PostKind): LinkDescriptor {
  return {
    ...link,
    href: toPath(link.href, kind),
    ...(link.when === undefined ? {} : { when: toWhen(link.when, kind) }),
  };
}

/** The links that let a caller create or assign terms. New terms of a flat taxonomy are created by assigning them. */
function toTermActions(kind: PostKind): Readonly<Record<string, LinkDescriptor>> {
  const href = toPath(postResource.links['cms:action-publish'].href, kind);
  return Object.fromEntries(
    kind.taxonomies.flatMap(({ base, hierarchical, capabilities }) => [
      [
        `cms:action-create-${base}`,
        { href, when: hierarchical ? capabilities.edit_terms : capabilities.assign_terms },
      ],
      [`cms:action-assign-${base}`, { href, when: capabilities.assign_terms }],
    ]),
  );
}

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

/** The fields and links of a type's records. */
export const toKindResource = perKind(
  (kind): ResourceDescriptor & { readonly links: Readonly<Record<string, LinkDescriptor>> } => {
    const links = Object.entries(postResource.links as Readonly<Record<string, LinkDescriptor>>).filter(
      ([relation]) => own(LINK_NEEDS, relation)?.(kind) ?? true,
    );
    return {
      ...postResource,
      title: kind.type.name,
      properties: toShared(postResource.properties, kind, { added: toShownTerms }),
      links: {
        ...Object.fromEntries(links.map(([relation, link]) => [relation, toLink(link, kind)])),
        ...toTermActions(kind),
      },
    };
  },
);

/** The links of a type's records that depend on the record: to its newest revision, to its parent, and to its terms in each taxonomy. */
export const toKindExtraLinks = perKind((kind) => ({
  predecessor: toLink(postExtraLinks.predecessor, kind),
  up: toLink(postExtraLinks.up, kind),
  parent: toLink(revisionResource.links.parent, kind),
  terms: kind.taxonomies.map(({ name, base }) => ({
    taxonomy: name,
    link: { href: `/cms/v2/${base}?post={id}`, embeddable: true } as const,
  })),
}));

/** The fields and links of revisions and autosaves of a type's records. */
export const toPastResources = perKind((kind) => {
  const toPast = (resource: ResourceDescriptor): ResourceDescriptor => ({
    ...resource,
    title: toResourceId(resource.title, kind),
    properties: toShared(resource.properties, kind, { isPast: true }),
    links: { parent: toKindExtraLinks(kind).parent },
  });
  return { revision: toPast(revisionResource), autosave: toPast(autosaveResource) };
});

const PAST = /\/(?:revisions|autosaves)/;

const ROUTE_NEEDS: readonly (readonly [part: RegExp, needs: (kind: PostKind) => boolean])[] = [
  [/\/revisions/, (kind) => has(kind, 'revisions')],
  [/\/autosaves/, (kind) => has(kind, 'autosave')],
];

/** `languages`: those of the site. `core`: whether single autosaves, previews and lists of translations are served, which the index of a seed does not have. */
export interface KindSite {
  readonly languages: readonly string[];
  readonly core: boolean;
}

/** Routes that the index of a seed does not have. */
const CORE_ONLY = /\/(?:autosaves\/|preview|translations)/;

const shapedRoutes = perObject((_family: object) => new Map<string, readonly RouteDescriptor[]>());

/** The routes that every type of the same shape has, with the paths and ids of posts. */
export function toShapedRoutes(kind: PostKind, core: boolean): readonly RouteDescriptor[] {
  const { plain, meta } = toShape(kind);
  const known = shapedRoutes(kind.family);
  const key = `${core} ${plain} ${meta}`;
  const routes =
    known.get(key) ??
    (postRoutes.routes as readonly RouteDescriptor[])
      .filter(
        ({ pattern }) =>
          ROUTE_NEEDS.every(([part, needs]) => !part.test(pattern) || needs(kind)) &&
          (core || !CORE_ONLY.test(pattern)),
      )
      .map((route) =>
        Object.assign({}, route, {
          endpoints: route.endpoints.map((endpoint) =>
            toShapedEndpoint(endpoint, kind, PAST.test(route.pattern)),
          ),
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
  const routes = toShapedRoutes(kind, core).map((route) =>
    Object.assign(
      { pattern: toPath(route.pattern, kind) },
      route.resource === undefined ? undefined : { resource: toResourceId(route.resource, kind) },
      { endpoints: route.endpoints.map((endpoint) => withKindIds(endpoint, kind)) },
    ),
  );
  const { properties, ...resource } = toKindResource(kind);
  const { revision, autosave } = toPastResources(kind);
  const all = {
    post: { ...resource, properties: withLanguages(languages)(properties) },
    'post-revision': revision,
    'post-autosave': autosave,
  };
  const used = new Set(routes.map((each) => each.resource));
  return {
    routes,
    resources: Object.fromEntries(
      Object.entries(all)
        .map(([id, each]) => [toResourceId(id, kind), each] as const)
        .filter(([id]) => used.has(id)),
    ),
  };
}
