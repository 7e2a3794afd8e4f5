import { can, type Identity } from '../../../lib/core/identity.ts';
import { renamePath } from '../../../lib/core/names.ts';
import type { Args, Call, Permission } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { subject } from '../../../lib/route/subject.ts';
import { defineContribution, CMS, type CmsContribution } from '../host/contribution.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { ContentType } from '../model/content-type.ts';
import type { CmsDeps, PostBase } from '../post-views/post-deps.ts';
import { toTypeLabels } from './labels.ts';
import { modelDescriptor, modelError, typeResource } from './routes.ts';
import { createShowNamed, type NamedRenderers } from './show-named.ts';
import { createStatuses } from './statuses.ts';
import { createTaxonomies } from './taxonomies.ts';

/** Types of records that the site stores and the API does not serve. */
const HIDDEN: ReadonlySet<unknown> = new Set(['revision']);

/** The names of rights that WordPress decides for one item: `edit_book` for the rights of `edit_books`. */
function itemRights({ capabilities }: ContentType): Readonly<Record<string, string>> {
  const word = /^edit_(\w+?)s?$/.exec(capabilities.edit_posts)?.[1] ?? 'post';
  return { edit_post: `edit_${word}`, read_post: `read_${word}`, delete_post: `delete_${word}` };
}

const RENDERERS: NamedRenderers<ContentType> = {
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

const linksOf = createRecordLinks(typeResource.links);

const mayEditType = (identity: Identity, { capabilities }: ContentType): boolean =>
  can(identity, capabilities.edit_posts);

/** Permissions and handlers of content types. */
function createTypes(context: PostBase, { types }: ContentModel) {
  const served = [...types.values()].filter((type) => type.served);
  const show = createShowNamed<ContentType>(context, {
    resource: typeResource,
    renderers: RENDERERS,
    linksOf: ({ base }, call) => linksOf({ rest_base: base }, call),
  });
  const permitList: Permission = ({ context: as }, { identity }) =>
    as !== 'edit' || served.some((type) => mayEditType(identity, type))
      ? true
      : modelError('rest_cannot_view');
  const permitRead: Permission = ({ type: name, context: as }, { identity }) => {
    const type = served.find((each) => each.name === name);
    if (type === undefined)
      return modelError(
        HIDDEN.has(name) || types.has(String(name)) ? 'rest_cannot_read_type' : 'rest_type_invalid',
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
