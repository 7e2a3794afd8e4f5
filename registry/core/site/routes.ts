import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';
import type { NamespaceDescriptor, ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { handledBy } from '../host/contribution.ts';
import { contextArg, flagArg, stringArg, TEXT_LIST } from '../schemas/common-args.ts';
import { READONLY, READONLY_VIEW_EDIT, READONLY_EDIT } from '../schemas/fields.ts';

/** Errors of types, statuses and taxonomies. */
export const MODEL_ERRORS = {
  rest_type_invalid: [404, 'Invalid post type.'],
  rest_cannot_read_type: ['denied', 'Cannot view post type.'],
  rest_status_invalid: [404, 'Invalid status.'],
  rest_cannot_read_status: ['denied', 'Cannot view status.'],
  rest_taxonomy_invalid: [404, 'Invalid taxonomy.'],
  rest_cannot_view: ['denied', 'Sorry, you are not allowed to edit posts in this post type.'],
  rest_forbidden: ['denied', 'Sorry, you are not allowed to do that.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit posts in this post type.'],
} as const satisfies ErrorTable;

export const modelError = createErrors(MODEL_ERRORS);

const READONLY_STATUS = { context: ['embed', 'view', 'edit'], readonly: true } as const;

const common = {
  rest_base: { ...stringArg('Path segment of the routes.'), ...READONLY },
  rest_namespace: { ...stringArg('Namespace of the routes.'), ...READONLY },
  slug: { ...stringArg('Name by which code and addresses refer to it.'), ...READONLY },
  name: { ...stringArg('Name that people read.'), ...READONLY },
  description: { ...stringArg('Description that people read.'), ...READONLY_VIEW_EDIT },
  hierarchical: { ...flagArg('Whether there can be parents.'), ...READONLY_VIEW_EDIT },
  capabilities: { description: 'Capabilities that its rights need.', type: 'object', ...READONLY_EDIT },
  labels: { description: 'Names for single items and for several.', type: 'object', ...READONLY_EDIT },
} as const;

/** Fields of a content type. */
export const typeResource = {
  title: 'type',
  properties: {
    capabilities: common.capabilities,
    description: common.description,
    hierarchical: common.hierarchical,
    viewable: { ...flagArg('Whether its items have pages on the site.'), ...READONLY_EDIT },
    labels: common.labels,
    name: common.name,
    slug: common.slug,
    supports: { description: 'What its items can have.', type: 'object', ...READONLY_EDIT },
    has_archive: {
      description: 'Whether the site has a page that lists its items.',
      type: ['string', 'boolean'],
      ...READONLY_VIEW_EDIT,
    },
    taxonomies: {
      description: 'Taxonomies whose terms its items can have.',
      ...TEXT_LIST,
      ...READONLY_VIEW_EDIT,
    },
    rest_base: common.rest_base,
    rest_namespace: common.rest_namespace,
    visibility: {
      description: 'Where tools show it.',
      type: 'object',
      ...READONLY_EDIT,
      properties: {
        show_ui: flagArg('Whether tools show it.'),
        show_in_nav_menus: flagArg('Whether it can be chosen for menus.'),
      },
    },
    icon: { description: 'Icon of the type.', type: ['string', 'null'], ...READONLY },
    template: { description: 'Blocks that a new item begins with.', type: ['array'], ...READONLY },
    template_lock: {
      description: 'Which changes of these blocks are not allowed.',
      type: ['string', 'boolean'],
      enum: ['all', 'insert', 'contentOnly', false],
      ...READONLY,
    },
  },
  links: { collection: { href: '/cms/v2/types' }, 'cms:items': { href: '/cms/v2/{rest_base}' } },
} as const satisfies ResourceDescriptor;

/** Fields of a status. */
export const statusResource = {
  title: 'status',
  properties: {
    name: { ...common.name, ...READONLY_STATUS },
    private: { ...flagArg('Whether items of the status are private.'), ...READONLY_EDIT },
    protected: { ...flagArg('Whether only editors see items of the status.'), ...READONLY_EDIT },
    public: { ...flagArg('Whether everybody sees items of the status.'), ...READONLY_VIEW_EDIT },
    queryable: {
      ...flagArg('Whether everybody can ask for items of the status.'),
      ...READONLY_VIEW_EDIT,
    },
    show_in_list: { ...flagArg('Whether lists of all items include the status.'), ...READONLY_EDIT },
    slug: { ...common.slug, ...READONLY_STATUS },
    date_floating: {
      ...flagArg('Whether the date of an item can move until it is published.'),
      ...READONLY_VIEW_EDIT,
    },
  },
} as const satisfies ResourceDescriptor;

/** Fields of a taxonomy. */
export const taxonomyResource = {
  title: 'taxonomy',
  properties: {
    capabilities: common.capabilities,
    description: common.description,
    hierarchical: common.hierarchical,
    labels: common.labels,
    name: common.name,
    slug: common.slug,
    show_cloud: { ...flagArg('Whether its terms can be shown as a cloud.'), ...READONLY_EDIT },
    types: { description: 'Types whose items can have its terms.', ...TEXT_LIST, ...READONLY_VIEW_EDIT },
    rest_base: common.rest_base,
    rest_namespace: common.rest_namespace,
    visibility: {
      description: 'Where tools show it.',
      type: 'object',
      ...READONLY_EDIT,
      properties: {
        public: flagArg('Whether everybody sees it.'),
        publicly_queryable: flagArg('Whether everybody can ask for its terms.'),
        show_ui: flagArg('Whether tools show it.'),
        show_admin_column: flagArg('Whether lists of items show its terms.'),
        show_in_nav_menus: flagArg('Whether it can be chosen for menus.'),
        show_in_quick_edit: flagArg('Whether terms can be set in lists of items.'),
      },
    },
  },
  links: { collection: { href: '/cms/v2/taxonomies' }, 'cms:items': { href: '/cms/v2/{rest_base}' } },
} as const satisfies ResourceDescriptor;

const CONTEXT = { context: contextArg } as const;
const FIRST = { checkFirst: ['context'] } as const;

/** Routes that say what the site models. Each list is an object by name. */
export const modelDescriptor = {
  namespace: 'cms/v2',
  routes: [
    {
      pattern: '/cms/v2/types',
      resource: 'type',
      endpoints: [
        {
          methods: ['GET'],
          ...handledBy(
            'cms.types.list',
            'List content types',
            'Returns the content types of the site by name, so that a client knows their routes.',
          ),
          ...FIRST,
          args: CONTEXT,
        },
      ],
    },
    {
      pattern: '/cms/v2/types/(?P<type>[\\w-]+)',
      resource: 'type',
      endpoints: [
        {
          methods: ['GET'],
          ...handledBy(
            'cms.types.read',
            'Read a content type',
            'Returns the names, routes and taxonomies of one content type.',
          ),
          ...FIRST,
          shows: ['record'],
          args: { type: stringArg('Name of the content type.'), ...CONTEXT },
        },
      ],
    },
    {
      pattern: '/cms/v2/statuses',
      resource: 'status',
      endpoints: [
        {
          methods: ['GET'],
          ...handledBy(
            'cms.statuses.list',
            'List statuses',
            'Returns the statuses that the caller can ask for, by name.',
          ),
          ...FIRST,
          args: CONTEXT,
        },
      ],
    },
    {
      pattern: '/cms/v2/statuses/(?P<status>[\\w-]+)',
      resource: 'status',
      endpoints: [
        {
          methods: ['GET'],
          ...handledBy('cms.statuses.read', 'Read a status', 'Returns who sees the items of one status.'),
          ...FIRST,
          shows: ['record'],
          args: { status: stringArg('Name of the status.'), ...CONTEXT },
        },
      ],
    },
    {
      pattern: '/cms/v2/taxonomies',
      resource: 'taxonomy',
      endpoints: [
        {
          methods: ['GET'],
          ...handledBy(
            'cms.taxonomies.list',
            'List taxonomies',
            'Returns the taxonomies of the site by name, so that a client knows their routes.',
          ),
          ...FIRST,
          args: {
            ...CONTEXT,
            type: stringArg('Only taxonomies of this content type.'),
          },
        },
      ],
    },
    {
      pattern: '/cms/v2/taxonomies/(?P<taxonomy>[\\w-]+)',
      resource: 'taxonomy',
      endpoints: [
        {
          methods: ['GET'],
          ...handledBy(
            'cms.taxonomies.read',
            'Read a taxonomy',
            'Returns the names, routes and types of one taxonomy.',
          ),
          ...FIRST,
          shows: ['record'],
          args: { taxonomy: stringArg('Name of the taxonomy.'), ...CONTEXT },
        },
      ],
    },
  ],
  resources: { type: typeResource, status: statusResource, taxonomy: taxonomyResource },
} as const satisfies NamespaceDescriptor;
