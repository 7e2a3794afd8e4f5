import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';

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
