import { can, type Identity } from '../../../lib/core/identity.ts';
import { renamePath } from '../../../lib/core/names.ts';
import { own, deepFreeze } from '../../../lib/core/objects.ts';
import { type Args, type Call, type Permission, subject } from '../../../lib/route/call.ts';
import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { createRecordRenderer } from '../../../lib/route/render-record.ts';
import { defineContribution, CMS, type CmsContribution } from '../host/contribution.ts';
import type { ContentModel } from '../model/content-model.ts';
import { TAXONOMY_RIGHTS, type ContentType, type Taxonomy } from '../model/content-type.ts';
import type { CmsDeps, PostBase } from '../post-views/post-deps.ts';
import { toTypeLabels, toTaxonomyLabels } from './labels.ts';
import { modelDescriptor, modelError, typeResource, taxonomyResource, statusResource } from './routes.ts';

/** Renders one field of an item. */
type NamedRenderer<T> = (item: T, call: Call) => unknown;

/** One function per field, or per member of a field that is an object. */
type NamedRenderers<T> = Readonly<
  Record<string, NamedRenderer<T> | Readonly<Record<string, NamedRenderer<T>>>>
>;

/** How the items of a table are shown. */
interface NamedView<T> {
  readonly resource: ResourceDescriptor;
  readonly renderers: NamedRenderers<T>;
  readonly linksOf: (item: T, call: Call) => Record<string, readonly unknown[]>;
}

/** A value with a name that addresses use. */
interface Named {
  readonly name: string;
}

/** Shows items of the site's model. */
interface ShowNamed<T> {
  one(item: T, call: Call, context: string): Record<string, unknown>;
  /** Several items as an object by name. */
  all(items: readonly T[], call: Call, context: string): Record<string, unknown>;
}

function createShowNamed<T extends Named>(
  { log }: PostBase,
  { resource, renderers, linksOf }: NamedView<T>,
): ShowNamed<T> {
  const render = createRecordRenderer<readonly [T, Call]>(
    resource.properties,
    Object.fromEntries(
      Object.entries(renderers).map(([name, renderer]) => [
        name,
        typeof renderer === 'function'
          ? ([item, call]: readonly [T, Call]) => renderer(item, call)
          : Object.fromEntries(
              Object.entries(renderer).map(([member, each]) => [
                member,
                ([item, call]: readonly [T, Call]) => each(item, call),
              ]),
            ),
      ]),
    ),
    {
      links: ([item, call]) => linksOf(item, call),
      onFault: ([{ name }], { field, error }) =>
        log({
          level: 'error',
          message: `${field} of ${resource.title} ${name} could not be rendered and is shown as empty`,
          error,
        }),
    },
  );
  const one = (item: T, call: Call, context: string): Record<string, unknown> =>
    render([item, call], { context, names: call.site.names });
  return {
    one,
    all: (items, call, context) =>
      Object.fromEntries(items.map((item) => [item.name, one(item, call, context)])),
  };
}

/** A status of records. `internal`: no list shows it. */
interface Status {
  readonly name: string;
  readonly label: string;
  readonly seen: 'public' | 'private' | 'protected' | 'internal';
  readonly floats?: true;
}

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

const STATUS_RENDERERS: NamedRenderers<Status> = {
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

/** Permissions and handlers of statuses. */
function createStatuses(context: PostBase, { types }: ContentModel) {
  const served = [...types.values()].filter((type) => type.served);
  const mayEditSome = (identity: Identity): boolean =>
    served.some(({ capabilities }) => can(identity, capabilities.edit_posts));
  const mayRead = (identity: Identity, { seen }: Status): boolean =>
    seen === 'public' || mayEditSome(identity);
  const show = createShowNamed<Status>(context, {
    resource: statusResource,
    renderers: STATUS_RENDERERS,
    linksOf: ({ name, seen }, call) =>
      seen === 'public' ? linksOfPublic({}, call) : linksOfOthers({ slug: name }, call),
  });
  const permitList: Permission = ({ context: as }, { identity }) =>
    as !== 'edit' || mayEditSome(identity)
      ? true
      : modelError('rest_cannot_view', { message: 'Sorry, you are not allowed to manage post statuses.' });
  const permitRead: Permission = ({ status: name }, { identity }) => {
    const status = STATUSES.find((each) => each.name === name);
    if (status === undefined)
      return modelError(STATUS_HIDDEN.has(name) ? 'rest_cannot_read_status' : 'rest_status_invalid');
    return mayRead(identity, status) ? subject(status) : modelError('rest_cannot_read_status');
  };
  return {
    permissions: { 'cms.statuses.list': permitList, 'cms.statuses.read': permitRead },
    list: ({ context: as }: { readonly context: string }, call: Call) =>
      show.all(
        STATUSES.filter((status) => mayRead(call.identity, status)),
        call,
        as,
      ),
    read: ({ context: as }: Args & { readonly context: string }, call: Call) =>
      show.one(call.subject as Status, call, as),
  };
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

const TAXONOMY_RENDERERS: NamedRenderers<Taxonomy> = {
  capabilities: toCapabilities,
  description: ({ description }) => description,
  hierarchical: ({ hierarchical }) => hierarchical,
  labels: toTaxonomyLabels,
  name: ({ labels }) => labels.name,
  slug: ({ name }) => name,
  show_cloud: isPublic,
  types: ({ types }) => types,
  rest_base: ({ base }) => base,
  rest_namespace: (_, { site }) => renamePath(site.names, CMS),
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

const mayAssign = (identity: Identity, { capabilities }: Taxonomy): boolean =>
  can(identity, capabilities.assign_terms);
const isOfType = ({ types }: Taxonomy, type: unknown): boolean =>
  type === undefined || types.includes(String(type));
const NOT_ALLOWED = { message: 'Sorry, you are not allowed to manage terms in this taxonomy.' };

/** Permissions and handlers of taxonomies. */
function createTaxonomies(context: PostBase, { taxonomies }: ContentModel) {
  const served = [...taxonomies.values()].filter((taxonomy) => taxonomy.served);
  const show = createShowNamed<Taxonomy>(context, {
    resource: taxonomyResource,
    renderers: TAXONOMY_RENDERERS,
    linksOf: ({ base }, call) => linksOfTaxonomy({ rest_base: base }, call),
  });
  const permitList: Permission = ({ context: as, type }, { identity }) =>
    as !== 'edit' || served.some((taxonomy) => isOfType(taxonomy, type) && mayAssign(identity, taxonomy))
      ? true
      : modelError('rest_cannot_view', NOT_ALLOWED);
  const permitRead: Permission = ({ taxonomy: name, context: as }, { identity }) => {
    const taxonomy = served.find((each) => each.name === name);
    if (taxonomy === undefined)
      return modelError(TAXONOMY_HIDDEN.has(name) ? 'rest_forbidden' : 'rest_taxonomy_invalid');
    return as !== 'edit' || mayAssign(identity, taxonomy)
      ? subject(taxonomy)
      : modelError('rest_forbidden_context', NOT_ALLOWED);
  };
  return {
    permissions: { 'cms.taxonomies.list': permitList, 'cms.taxonomies.read': permitRead },
    list: ({ context: as, type }: { readonly context: string; readonly type?: string }, call: Call) =>
      show.all(
        served.filter(
          (taxonomy) => isOfType(taxonomy, type) && (as !== 'edit' || mayAssign(call.identity, taxonomy)),
        ),
        call,
        as,
      ),
    read: ({ context: as }: Args & { readonly context: string }, call: Call) =>
      show.one(call.subject as Taxonomy, call, as),
  };
}

/** Types of records that the site stores and the API does not serve. */
const TYPE_HIDDEN: ReadonlySet<unknown> = new Set(['revision']);

/** The names of rights that WordPress decides for one item: `edit_book` for the rights of `edit_books`. */
function itemRights({ capabilities }: ContentType): Readonly<Record<string, string>> {
  const word = /^edit_(\w+?)s?$/.exec(capabilities.edit_posts)?.[1] ?? 'post';
  return { edit_post: `edit_${word}`, read_post: `read_${word}`, delete_post: `delete_${word}` };
}

const TYPE_RENDERERS: NamedRenderers<ContentType> = {
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
  rest_namespace: (_, { site }) => renamePath(site.names, CMS),
  visibility: { show_ui: () => true, show_in_nav_menus: (type) => type.public && type.storage !== 'media' },
  icon: ({ icon }) => icon,
  template: () => [],
  template_lock: () => false,
};

const linksOfType = createRecordLinks(typeResource.links);

const mayEditType = (identity: Identity, { capabilities }: ContentType): boolean =>
  can(identity, capabilities.edit_posts);

/** Permissions and handlers of content types. */
function createTypes(context: PostBase, { types }: ContentModel) {
  const served = [...types.values()].filter((type) => type.served);
  const show = createShowNamed<ContentType>(context, {
    resource: typeResource,
    renderers: TYPE_RENDERERS,
    linksOf: ({ base }, call) => linksOfType({ rest_base: base }, call),
  });
  const permitList: Permission = ({ context: as }, { identity }) =>
    as !== 'edit' || served.some((type) => mayEditType(identity, type))
      ? true
      : modelError('rest_cannot_view');
  const permitRead: Permission = ({ type: name, context: as }, { identity }) => {
    const type = served.find((each) => each.name === name);
    if (type === undefined)
      return modelError(
        TYPE_HIDDEN.has(name) || types.has(String(name)) ? 'rest_cannot_read_type' : 'rest_type_invalid',
      );
    return as !== 'edit' || mayEditType(identity, type)
      ? subject(type)
      : modelError('rest_forbidden_context');
  };
  return {
    permissions: { 'cms.types.list': permitList, 'cms.types.read': permitRead },
    list: ({ context: as }: { readonly context: string }, call: Call) =>
      show.all(
        served.filter((type) => as !== 'edit' || mayEditType(call.identity, type)),
        call,
        as,
      ),
    read: ({ context: as }: Args & { readonly context: string }, call: Call) =>
      show.one(call.subject as ContentType, call, as),
  };
}

/** Types, statuses and taxonomies: what the site models. */
export function contributeModel(context: CmsDeps, content: ContentModel): CmsContribution {
  const [types, statuses, taxonomies] = [
    createTypes(context, content),
    createStatuses(context, content),
    createTaxonomies(context, content),
  ];
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
    { permissions: { ...types.permissions, ...statuses.permissions, ...taxonomies.permissions } },
  );
}
