import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';
import type { NamespaceDescriptor, ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { contextArg } from '../schemas/common-args.ts';

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

const ALWAYS = { context: ['view', 'edit', 'embed'], readonly: true } as const;
const ALWAYS_OF_STATUS = { context: ['embed', 'view', 'edit'], readonly: true } as const;
const VIEW_EDIT = { context: ['view', 'edit'], readonly: true } as const;
const EDIT = { context: ['edit'], readonly: true } as const;

const flag = (description: string) => ({ description, type: 'boolean' }) as const;
const TEXTS = { type: 'array', items: { type: 'string' } } as const;

const common = {
  rest_base: { description: 'Path segment of the routes.', type: 'string', ...ALWAYS },
  rest_namespace: { description: 'Namespace of the routes.', type: 'string', ...ALWAYS },
  slug: { description: 'Name by which code and addresses refer to it.', type: 'string', ...ALWAYS },
  name: { description: 'Name that people read.', type: 'string', ...ALWAYS },
  description: { description: 'Description that people read.', type: 'string', ...VIEW_EDIT },
  hierarchical: { description: 'Whether there can be parents.', type: 'boolean', ...VIEW_EDIT },
  capabilities: { description: 'Capabilities that its rights need.', type: 'object', ...EDIT },
  labels: { description: 'Names for single items and for several.', type: 'object', ...EDIT },
} as const;

/** Fields of a content type. */
export const typeResource = {
  title: 'type',
  properties: {
    capabilities: common.capabilities,
    description: common.description,
    hierarchical: common.hierarchical,
    viewable: { description: 'Whether its items have pages on the site.', type: 'boolean', ...EDIT },
    labels: common.labels,
    name: common.name,
    slug: common.slug,
    supports: { description: 'What its items can have.', type: 'object', ...EDIT },
    has_archive: {
      description: 'Whether the site has a page that lists its items.',
      type: ['string', 'boolean'],
      ...VIEW_EDIT,
    },
    taxonomies: { description: 'Taxonomies whose terms its items can have.', ...TEXTS, ...VIEW_EDIT },
    rest_base: common.rest_base,
    rest_namespace: common.rest_namespace,
    visibility: {
      description: 'Where tools show it.',
      type: 'object',
      ...EDIT,
      properties: {
        show_ui: flag('Whether tools show it.'),
        show_in_nav_menus: flag('Whether it can be chosen for menus.'),
      },
    },
    icon: { description: 'Icon of the type.', type: ['string', 'null'], ...ALWAYS },
    template: { description: 'Blocks that a new item begins with.', type: ['array'], ...ALWAYS },
    template_lock: {
      description: 'Which changes of these blocks are not allowed.',
      type: ['string', 'boolean'],
      enum: ['all', 'insert', 'contentOnly', false],
      ...ALWAYS,
    },
  },
  links: { collection: { href: '/cms/v2/types' }, 'cms:items': { href: '/cms/v2/{rest_base}' } },
} as const satisfies ResourceDescriptor;

/** Fields of a status. */
export const statusResource = {
  title: 'status',
  properties: {
    name: { ...common.name, ...ALWAYS_OF_STATUS },
    private: { description: 'Whether items of the status are private.', type: 'boolean', ...EDIT },
    protected: { description: 'Whether only editors see items of the status.', type: 'boolean', ...EDIT },
    public: { description: 'Whether everybody sees items of the status.', type: 'boolean', ...VIEW_EDIT },
    queryable: {
      description: 'Whether everybody can ask for items of the status.',
      type: 'boolean',
      ...VIEW_EDIT,
    },
    show_in_list: { description: 'Whether lists of all items include the status.', type: 'boolean', ...EDIT },
    slug: { ...common.slug, ...ALWAYS_OF_STATUS },
    date_floating: {
      description: 'Whether the date of an item can move until it is published.',
      type: 'boolean',
      ...VIEW_EDIT,
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
    show_cloud: { description: 'Whether its terms can be shown as a cloud.', type: 'boolean', ...EDIT },
    types: { description: 'Types whose items can have its terms.', ...TEXTS, ...VIEW_EDIT },
    rest_base: common.rest_base,
    rest_namespace: common.rest_namespace,
    visibility: {
      description: 'Where tools show it.',
      type: 'object',
      ...EDIT,
      properties: {
        public: flag('Whether everybody sees it.'),
        publicly_queryable: flag('Whether everybody can ask for its terms.'),
        show_ui: flag('Whether tools show it.'),
        show_admin_column: flag('Whether lists of items show its terms.'),
        show_in_nav_menus: flag('Whether it can be chosen for menus.'),
        show_in_quick_edit: flag('Whether terms can be set in lists of items.'),
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
          handler: 'cms.types.list',
          permission: 'cms.types.list',
          ...FIRST,
          args: CONTEXT,
          summary: 'List content types',
          description: 'Returns the content types of the site by name, so that a client knows their routes.',
        },
      ],
    },
    {
      pattern: '/cms/v2/types/(?P<type>[\\w-]+)',
      resource: 'type',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.types.read',
          permission: 'cms.types.read',
          ...FIRST,
          shows: ['record'],
          args: { type: { description: 'Name of the content type.', type: 'string' }, ...CONTEXT },
          summary: 'Read a content type',
          description: 'Returns the names, routes and taxonomies of one content type.',
        },
      ],
    },
    {
      pattern: '/cms/v2/statuses',
      resource: 'status',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.statuses.list',
          permission: 'cms.statuses.list',
          ...FIRST,
          args: CONTEXT,
          summary: 'List statuses',
          description: 'Returns the statuses that the caller can ask for, by name.',
        },
      ],
    },
    {
      pattern: '/cms/v2/statuses/(?P<status>[\\w-]+)',
      resource: 'status',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.statuses.read',
          permission: 'cms.statuses.read',
          ...FIRST,
          shows: ['record'],
          args: { status: { description: 'Name of the status.', type: 'string' }, ...CONTEXT },
          summary: 'Read a status',
          description: 'Returns who sees the items of one status.',
        },
      ],
    },
    {
      pattern: '/cms/v2/taxonomies',
      resource: 'taxonomy',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.taxonomies.list',
          permission: 'cms.taxonomies.list',
          ...FIRST,
          args: {
            ...CONTEXT,
            type: { description: 'Only taxonomies of this content type.', type: 'string' },
          },
          summary: 'List taxonomies',
          description: 'Returns the taxonomies of the site by name, so that a client knows their routes.',
        },
      ],
    },
    {
      pattern: '/cms/v2/taxonomies/(?P<taxonomy>[\\w-]+)',
      resource: 'taxonomy',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.taxonomies.read',
          permission: 'cms.taxonomies.read',
          ...FIRST,
          shows: ['record'],
          args: { taxonomy: { description: 'Name of the taxonomy.', type: 'string' }, ...CONTEXT },
          summary: 'Read a taxonomy',
          description: 'Returns the names, routes and types of one taxonomy.',
        },
      ],
    },
  ],
  resources: { type: typeResource, status: statusResource, taxonomy: taxonomyResource },
} as const satisfies NamespaceDescriptor;
