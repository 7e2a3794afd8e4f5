import type { RestError } from '../../../lib/core/errors.ts';
import { can, type Identity } from '../../../lib/core/identity.ts';
import { renamePath } from '../../../lib/core/names.ts';
import { own, deepFreeze } from '../../../lib/core/objects.ts';
import { type Args, type Call, type Permission, subject } from '../../../lib/route/call.ts';
import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { createRecordRenderer, type Renderers, toFaultEvent } from '../../../lib/route/render-record.ts';
import { defineContribution, CMS, type CmsContribution } from '../host/contribution.ts';
import type { ContentModel } from '../model/content-model.ts';
import { TAXONOMY_RIGHTS, type ContentType, type Taxonomy } from '../model/content-type.ts';
import type { CmsDeps, PostBase } from '../post-views/post-deps.ts';
import { toTypeLabels, toTaxonomyLabels } from './labels.ts';
import { modelDescriptor, modelError, typeResource, taxonomyResource, statusResource } from './routes.ts';

/** A value with a name that addresses use. */
interface Named {
  readonly name: string;
}

/** An item of the model, and the call that shows it. */
type Asked<T> = T & { readonly call: Call };

/** One kind of items that the site models. */
interface ModelKind<T extends Named> {
  readonly items: readonly T[];
  /** The parameter that names one item. */
  readonly param: string;
  readonly resource: ResourceDescriptor;
  readonly renderers: Renderers<Asked<T>>;
  readonly linksOf: (item: Asked<T>) => Record<string, readonly unknown[]>;
  /** Whether the caller sees an item, alone or in the list. */
  readonly isShown: (item: T, args: Args, identity: Identity) => boolean;
  readonly mayList: (args: Args, identity: Identity) => boolean;
  /** The errors for the list, for an item that is not shown, and for a name that no item has. */
  readonly refusals: {
    readonly list: RestError;
    readonly item: RestError;
    readonly name: (name: unknown) => RestError;
  };
}

/** Permissions and handlers of one kind. The list is an object by name. */
function serveKind<T extends Named>({ log }: PostBase, kind: ModelKind<T>) {
  const { items, param, resource, renderers, linksOf, isShown, mayList, refusals } = kind;
  // All calls share them.
  for (const error of [refusals.list, refusals.item]) Object.freeze(error);
  const render = createRecordRenderer<Asked<T>>(resource.properties, renderers, {
    links: linksOf,
    onFault: ({ name }, fault) => log(toFaultEvent(`${resource.title} ${name}`, fault)),
  });
  const show = (item: T, call: Call, context: string): Record<string, unknown> =>
    render({ ...item, call }, { context, names: call.site.names });
  const permitList: Permission = (args, { identity }) => mayList(args, identity) || refusals.list;
  const permitRead: Permission = (args, { identity }) => {
    const asked = own<unknown>(args, param);
    const item = items.find(({ name }) => name === asked);
    if (item === undefined) return refusals.name(asked);
    return isShown(item, args, identity) ? subject(item) : refusals.item;
  };
  return {
    permitList,
    permitRead,
    list: (args: Args & { readonly context: string }, call: Call) =>
      Object.fromEntries(
        items
          .filter((item) => isShown(item, args, call.identity))
          .map((item) => [item.name, show(item, call, args.context)]),
      ),
    read: ({ context }: { readonly context: string }, call: Call) => show(call.subject as T, call, context),
  };
}

/** A status of records. `internal`: no list shows it. */
interface Status {
  readonly name: string;
  readonly label: string;
  readonly seen: 'public' | 'private' | 'protected' | 'internal';
  readonly floats?: true;
}

const mayEditType = (identity: Identity, { capabilities }: ContentType): boolean =>
  can(identity, capabilities.edit_posts);

/** The statuses in the order of lists. */
const STATUSES: readonly Status[] = deepFreeze<Status[]>([
  { name: 'publish', label: 'Published', seen: 'public' },
  { name: 'future', label: 'Scheduled', seen: 'protected' },
  { name: 'draft', label: 'Draft', seen: 'protected', floats: true },
  { name: 'pending', label: 'Pending', seen: 'protected', floats: true },
  { name: 'private', label: 'Private', seen: 'private' },
  { name: 'trash', label: 'Trash', seen: 'internal' },
]);
/** Statuses that only the site gives. Nobody can ask for them. */
const STATUS_HIDDEN: ReadonlySet<unknown> = new Set(['auto-draft', 'inherit']);

/** Types and taxonomies have the routes of the core. */
const toNamespace = ({ call }: Asked<Named>): string => renamePath(call.site.names, CMS);

const STATUS_RENDERERS: Renderers<Status> = {
  name: ({ label }) => label,
  private: ({ seen }) => seen === 'private',
  protected: ({ seen }) => seen === 'protected',
  public: ({ seen }) => seen === 'public',
  queryable: ({ seen }) => seen === 'public',
  show_in_list: ({ seen }) => seen !== 'internal',
  slug: ({ name }) => name,
  date_floating: ({ floats }) => floats === true,
};

const linksOfPublic = createRecordLinks({ archives: { href: '/cms/v2/posts' } });
const linksOfOthers = createRecordLinks({ archives: { href: '/cms/v2/posts?status={slug}' } });

function serveStatuses(context: PostBase, { types }: ContentModel) {
  const served = [...types.values()].filter((type) => type.served);
  const mayEditSome = (identity: Identity): boolean => served.some((type) => mayEditType(identity, type));
  return serveKind<Status>(context, {
    items: STATUSES,
    param: 'status',
    resource: statusResource,
    renderers: STATUS_RENDERERS,
    linksOf: ({ name, seen, call }) =>
      seen === 'public' ? linksOfPublic({}, call) : linksOfOthers({ slug: name }, call),
    isShown: ({ seen }, _args, identity) => seen === 'public' || mayEditSome(identity),
    mayList: ({ context: as }, identity) => as !== 'edit' || mayEditSome(identity),
    refusals: {
      list: modelError('rest_cannot_view', {
        message: 'Sorry, you are not allowed to manage post statuses.',
      }),
      item: modelError('rest_cannot_read_status'),
      name: (name) => modelError(STATUS_HIDDEN.has(name) ? 'rest_cannot_read_status' : 'rest_status_invalid'),
    },
  });
}

/** Taxonomies that the site has and the API does not serve. */
const TAXONOMY_HIDDEN: ReadonlySet<unknown> = new Set(['post_format']);

/** WordPress shows words of their own for the rights of its built-in taxonomies, which it maps to those that count. */
const OWN_WORDS: Readonly<Record<string, string>> = { category: 'categories', post_tag: 'post_tags' };

function toCapabilities({ name, capabilities }: Taxonomy): Readonly<Record<string, string>> {
  const word = own(OWN_WORDS, name);
  return word === undefined
    ? capabilities
    : Object.fromEntries(TAXONOMY_RIGHTS.map((right) => [right, right.replace('terms', word)]));
}

const isPublic = (taxonomy: Taxonomy): boolean => taxonomy.public;

const TAXONOMY_RENDERERS: Renderers<Asked<Taxonomy>> = {
  capabilities: toCapabilities,
  description: ({ description }) => description,
  hierarchical: ({ hierarchical }) => hierarchical,
  labels: toTaxonomyLabels,
  name: ({ labels }) => labels.name,
  slug: ({ name }) => name,
  show_cloud: isPublic,
  types: ({ types }) => types,
  rest_base: ({ base }) => base,
  rest_namespace: toNamespace,
  visibility: {
    public: isPublic,
    publicly_queryable: isPublic,
    show_ui: isPublic,
    show_admin_column: isPublic,
    show_in_nav_menus: isPublic,
    show_in_quick_edit: isPublic,
  },
};

const linksOfTaxonomy = createRecordLinks(taxonomyResource.links);

const NOT_ALLOWED = { message: 'Sorry, you are not allowed to manage terms in this taxonomy.' };

function serveTaxonomies(context: PostBase, { taxonomies }: ContentModel) {
  const items = [...taxonomies.values()].filter((taxonomy) => taxonomy.served);
  const isShown = (taxonomy: Taxonomy, { context: as, type }: Args, identity: Identity): boolean =>
    (type === undefined || taxonomy.types.includes(String(type))) &&
    (as !== 'edit' || can(identity, taxonomy.capabilities.assign_terms));
  return serveKind<Taxonomy>(context, {
    items,
    param: 'taxonomy',
    resource: taxonomyResource,
    renderers: TAXONOMY_RENDERERS,
    linksOf: ({ base, call }) => linksOfTaxonomy({ rest_base: base }, call),
    isShown,
    mayList: (args, identity) =>
      args['context'] !== 'edit' || items.some((taxonomy) => isShown(taxonomy, args, identity)),
    refusals: {
      list: modelError('rest_cannot_view', NOT_ALLOWED),
      item: modelError('rest_forbidden_context', NOT_ALLOWED),
      name: (name) => modelError(TAXONOMY_HIDDEN.has(name) ? 'rest_forbidden' : 'rest_taxonomy_invalid'),
    },
  });
}

/** Types of records that the site stores and the API does not serve. */
const TYPE_HIDDEN: ReadonlySet<unknown> = new Set(['revision']);

/** The names of rights that WordPress decides for one item: `edit_book` for the rights of `edit_books`. */
function itemRights({ capabilities }: ContentType): Readonly<Record<string, string>> {
  const word = /^edit_(\w+?)s?$/.exec(capabilities.edit_posts)?.[1] ?? 'post';
  return { edit_post: `edit_${word}`, read_post: `read_${word}`, delete_post: `delete_${word}` };
}

const TYPE_RENDERERS: Renderers<Asked<ContentType>> = {
  capabilities: (type) => ({
    ...itemRights(type),
    ...type.capabilities,
    read: type.readable ? 'read' : type.capabilities.edit_posts,
  }),
  description: ({ description }) => description,
  hierarchical: ({ hierarchical }) => hierarchical,
  viewable: ({ public: isPublic }) => isPublic,
  labels: toTypeLabels,
  name: ({ labels }) => labels.name,
  slug: ({ name }) => name,
  supports: ({ supports, features }) =>
    Object.fromEntries(
      [...supports]
        .filter((word) => word !== 'notes')
        .map((word) => [word, word === 'editor' && features.has('notes') ? [{ notes: true }] : true]),
    ),
  has_archive: ({ hasArchive }) => hasArchive,
  taxonomies: ({ taxonomies }) => taxonomies,
  rest_base: ({ base }) => base,
  rest_namespace: toNamespace,
  visibility: { show_ui: () => true, show_in_nav_menus: (type) => type.public && type.storage !== 'media' },
  icon: ({ icon }) => icon,
  template: () => [],
  template_lock: () => false,
};

const linksOfType = createRecordLinks(typeResource.links);

function serveTypes(context: PostBase, { types }: ContentModel) {
  const items = [...types.values()].filter((type) => type.served);
  return serveKind<ContentType>(context, {
    items,
    param: 'type',
    resource: typeResource,
    renderers: TYPE_RENDERERS,
    linksOf: ({ base, call }) => linksOfType({ rest_base: base }, call),
    isShown: (type, { context: as }, identity) => as !== 'edit' || mayEditType(identity, type),
    mayList: ({ context: as }, identity) =>
      as !== 'edit' || items.some((type) => mayEditType(identity, type)),
    refusals: {
      list: modelError('rest_cannot_view'),
      item: modelError('rest_forbidden_context'),
      name: (name) =>
        modelError(
          TYPE_HIDDEN.has(name) || types.has(String(name)) ? 'rest_cannot_read_type' : 'rest_type_invalid',
        ),
    },
  });
}

/** Types, statuses and taxonomies: what the site models. */
export function contributeModel(context: CmsDeps): CmsContribution {
  const types = serveTypes(context, context.content);
  const statuses = serveStatuses(context, context.content);
  const taxonomies = serveTaxonomies(context, context.content);
  return defineContribution(
    modelDescriptor,
    {
      'cms.types.list': types.list,
      'cms.types.read': types.read,
      'cms.statuses.list': statuses.list,
      'cms.statuses.read': statuses.read,
      'cms.taxonomies.list': taxonomies.list,
      'cms.taxonomies.read': taxonomies.read,
    },
    {
      permissions: {
        'cms.types.list': types.permitList,
        'cms.types.read': types.permitRead,
        'cms.statuses.list': statuses.permitList,
        'cms.statuses.read': statuses.permitRead,
        'cms.taxonomies.list': taxonomies.permitList,
        'cms.taxonomies.read': taxonomies.permitRead,
      },
    },
  );
}
