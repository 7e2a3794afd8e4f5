import { can, type Identity } from '../../../lib/core/identity.ts';
import { renamePath } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Args, Call, Permission } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { subject } from '../../../lib/route/subject.ts';
import { CMS } from '../host/contribution.ts';
import type { ContentModel } from '../model/content-model.ts';
import { TAXONOMY_RIGHTS, type Taxonomy } from '../model/content-type.ts';
import type { PostBase } from '../post-views/post-deps.ts';
import { toTaxonomyLabels } from './labels.ts';
import { modelError, taxonomyResource } from './routes.ts';
import { createShowNamed, type NamedRenderers } from './show-named.ts';

/** Taxonomies that the site has and the API does not serve. */
const HIDDEN: ReadonlySet<unknown> = new Set(['post_format']);

/** WordPress shows words of their own for the rights of its built-in taxonomies, which it maps to those that count. */
const OWN_WORDS: Readonly<Record<string, string>> = { category: 'categories', post_tag: 'post_tags' };

function toCapabilities({ name, capabilities }: Taxonomy): Readonly<Record<string, string>> {
  const word = own(OWN_WORDS, name);
  return word === undefined
    ? capabilities
    : Object.fromEntries(TAXONOMY_RIGHTS.map((right) => [right, right.replace('terms', word)]));
}

const isPublic = (taxonomy: Taxonomy): boolean => taxonomy.public;

const RENDERERS: NamedRenderers<Taxonomy> = {
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

const linksOf = createRecordLinks(taxonomyResource.links);

const mayAssign = (identity: Identity, { capabilities }: Taxonomy): boolean =>
  can(identity, capabilities.assign_terms);
const isOfType = ({ types }: Taxonomy, type: unknown): boolean =>
  type === undefined || types.includes(String(type));
const NOT_ALLOWED = { message: 'Sorry, you are not allowed to manage terms in this taxonomy.' };

/** Permissions and handlers of taxonomies. */
export function createTaxonomies(context: PostBase, { taxonomies }: ContentModel) {
  const served = [...taxonomies.values()].filter((taxonomy) => taxonomy.served);
  const show = createShowNamed<Taxonomy>(context, {
    resource: taxonomyResource,
    renderers: RENDERERS,
    linksOf: ({ base }, call) => linksOf({ rest_base: base }, call),
  });
  const permitList: Permission = ({ context: as, type }, { identity }) =>
    as !== 'edit' || served.some((taxonomy) => isOfType(taxonomy, type) && mayAssign(identity, taxonomy))
      ? true
      : modelError('rest_cannot_view', NOT_ALLOWED);
  const permitRead: Permission = ({ taxonomy: name, context: as }, { identity }) => {
    const taxonomy = served.find((each) => each.name === name);
    if (taxonomy === undefined)
      return modelError(HIDDEN.has(name) ? 'rest_forbidden' : 'rest_taxonomy_invalid');
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
