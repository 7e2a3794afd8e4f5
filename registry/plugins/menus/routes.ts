import type { ExtensionDescriptor } from '../../../lib/index.ts';
import {
  type PluginExtension,
  contextArg,
  excludeArg,
  fallbackArg,
  fallbackField,
  includeArg,
  offsetArg,
  orderArg,
  pageArg,
  perPageArg,
  searchArg,
} from '../../plugin.ts';
import { MANAGE } from './content.ts';

const EVERYWHERE = ['view', 'edit', 'embed'] as const;
const ITEMS = '/cms/v2/menu-items';
const LOCATIONS = '/cms/v2/menu-locations';
const BATCH = { v1: true } as const;
/** The collections of what items lead to, and of what their addresses are made of. */
export const SHOWN = ['posts', 'terms', 'media', 'users', 'options'] as const;
const ITEM_ID = { id: { description: 'ID of the menu item.', type: 'integer' } } as const;

/** The writable fields of an item. */
export const WRITE = {
  title: {
    description: 'Title of the menu item. Empty: that of its target.',
    type: ['string', 'object'],
    properties: { raw: { type: 'string' } },
  },
  type: {
    description: 'What the menu item leads to.',
    type: 'string',
    enum: ['taxonomy', 'post_type', 'post_type_archive', 'custom'],
  },
  status: { description: 'Whether the menu item is shown.', type: 'string', enum: ['publish', 'draft'] },
  parent: { description: 'ID of the menu item above it; 0 for none.', type: 'integer', minimum: 0 },
  attr_title: { description: 'The title attribute of the link.', type: 'string' },
  classes: {
    description: 'Class names of the link.',
    type: 'array',
    items: { type: 'string', maxLength: 100 },
    maxItems: 50,
  },
  description: { description: 'Description of the menu item.', type: 'string' },
  menu_order: {
    description: 'Place in the menu. Default for a new item: after all others.',
    type: 'integer',
    minimum: 1,
  },
  object: {
    description: 'Type or taxonomy of the target, such as page or category.',
    type: 'string',
    maxLength: 32,
  },
  object_id: {
    description: 'ID of the target. With ml_fallback, of the translation that is shown.',
    type: 'integer',
    minimum: 0,
  },
  target: { description: 'The target attribute of the link.', type: 'string', enum: ['_blank', ''] },
  url: {
    description: 'URL that the menu item leads to. Only that of a custom one can be written.',
    type: 'string',
    format: 'uri',
    maxLength: 2048,
  },
  xfn: {
    description: 'The XFN relationships of the link.',
    type: 'array',
    items: { type: 'string', maxLength: 100 },
    maxItems: 20,
  },
  menus: { description: 'ID of the menu.', type: 'integer', minimum: 0 },
} as const;

const readonly = (description: string, type: 'integer' | 'string' | 'boolean') =>
  ({ description, type, context: EVERYWHERE, readonly: true }) as const;

export const ITEM_RESOURCE = {
  title: 'nav_menu_item',
  properties: {
    ...Object.fromEntries(
      Object.entries(WRITE).map(([name, schema]) => [
        name,
        { ...schema, context: name === 'menus' ? ['view', 'edit'] : EVERYWHERE },
      ]),
    ),
    id: readonly('ID of the menu item.', 'integer'),
    title: {
      ...WRITE.title,
      context: EVERYWHERE,
      properties: {
        raw: { description: 'Title as it is stored.', type: 'string', context: ['edit'] },
        rendered: readonly('Title as HTML.', 'string'),
      },
    },
    type_label: readonly('Name of the kind of target.', 'string'),
    invalid: readonly('Whether the target is missing or hidden from the caller.', 'boolean'),
    ml_language: readonly('Language of the target; that of the menu item if it has none.', 'string'),
    ...fallbackField,
  },
  links: {
    self: { href: `${ITEMS}/{id}` },
    collection: { href: ITEMS },
    about: { href: '/cms/v2/types/nav_menu_item' },
    'cms:menu': { href: '/cms/v2/menus/{menus}', embeddable: true },
  },
} as const;

export const LOCATION_RESOURCE = {
  title: 'menu-location',
  properties: {
    name: readonly('Name of the menu location.', 'string'),
    description: readonly('Description of the menu location.', 'string'),
    menu: readonly('ID of its menu in the language of the request; 0 for none.', 'integer'),
  },
  links: {
    self: { href: `${LOCATIONS}/{name}` },
    collection: { href: LOCATIONS },
    'cms:menu': { href: '/cms/v2/menus/{menu}', embeddable: true },
  },
} as const;

/** The routes of items and locations. Those of menus and of `navigation` are the core's. */
export const EXTENSION = {
  namespace: 'cms/v2',
  resources: { 'menu-item': ITEM_RESOURCE, 'menu-location': LOCATION_RESOURCE },
  routes: [
    {
      pattern: ITEMS,
      resource: 'menu-item',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'menus.items.list',
          permission: 'menus.items.see',
          summary: 'List menu items',
          description: 'Returns the items of a menu in order, each with the address of its target.',
          shows: ['page'],
          cache: SHOWN,
          allow_batch: BATCH,
          args: {
            context: contextArg,
            page: pageArg,
            per_page: { ...perPageArg, default: 100 },
            search: searchArg,
            exclude: excludeArg,
            include: includeArg,
            offset: offsetArg,
            order: { ...orderArg, default: 'asc' },
            orderby: {
              description: 'Attribute by which the menu items are sorted.',
              type: 'string',
              default: 'menu_order',
              enum: ['author', 'date', 'id', 'include', 'modified', 'parent', 'slug', 'title', 'menu_order'],
            },
            status: {
              description: 'Only menu items with one of these statuses.',
              type: 'array',
              items: { type: 'string', enum: ['publish', 'draft', 'any'] },
              default: ['publish'],
            },
            menus: { ...includeArg, description: 'Only items of these menus.' },
            menus_exclude: { ...excludeArg, description: 'Excludes items of these menus.' },
            menu_order: { description: 'Only items at this place.', type: 'integer' },
          },
          body: fallbackArg,
        },
        {
          methods: ['POST'],
          handler: 'menus.items.create',
          permission: 'menus.items.make',
          needs: [MANAGE],
          summary: 'Create a menu item',
          description: 'Adds an item to a menu and returns it.',
          shows: ['record'],
          status: 201,
          allow_batch: BATCH,
          args: WRITE,
        },
      ],
    },
    {
      pattern: `${ITEMS}/(?P<id>[\\d]+)`,
      resource: 'menu-item',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'menus.items.read',
          permission: 'menus.items.find',
          summary: 'Get a menu item',
          description: 'Returns one menu item with the address of its target.',
          shows: ['record'],
          cache: SHOWN,
          allow_batch: BATCH,
          args: { ...ITEM_ID, context: contextArg },
          body: fallbackArg,
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          handler: 'menus.items.update',
          permission: 'menus.items.change',
          needs: [MANAGE],
          summary: 'Change a menu item',
          description: 'Changes the fields of a menu item that are sent.',
          shows: ['record'],
          ifMatch: true,
          allow_batch: BATCH,
          args: { ...ITEM_ID, ...WRITE },
        },
        {
          methods: ['DELETE'],
          handler: 'menus.items.remove',
          permission: 'menus.items.discard',
          needs: [MANAGE],
          summary: 'Delete a menu item',
          description: 'Deletes a menu item permanently. The items below it move up.',
          shows: ['removal'],
          ifMatch: true,
          allow_batch: BATCH,
          args: {
            ...ITEM_ID,
            force: {
              description: 'Must be true: menu items cannot be moved to the trash.',
              type: 'boolean',
              default: false,
            },
          },
        },
      ],
    },
    {
      pattern: LOCATIONS,
      endpoints: [
        {
          methods: ['GET'],
          handler: 'menus.locations.list',
          permission: 'menus.locations.see',
          summary: 'List menu locations',
          description:
            'Returns the places for menus by name, each with its menu in the language of the request.',
          answers: {
            200: {
              type: 'object',
              additionalProperties: { type: 'object', properties: LOCATION_RESOURCE.properties },
            },
          },
          args: { context: contextArg },
          body: fallbackArg,
        },
      ],
    },
    {
      pattern: `${LOCATIONS}/(?P<location>[\\w-]+)`,
      resource: 'menu-location',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'menus.locations.read',
          permission: 'menus.locations.find',
          summary: 'Get a menu location',
          description: 'Returns one place for menus with its menu in the language of the request.',
          shows: ['record'],
          args: {
            location: { description: 'Name of the menu location.', type: 'string' },
            context: contextArg,
          },
          body: fallbackArg,
        },
      ],
    },
  ],
} as const satisfies PluginExtension;

/** The route that an empty block of navigation asks for what it shows. */
export const FALLBACK = {
  namespace: 'cms-block-editor/v1',
  routes: [
    {
      pattern: '/cms-block-editor/v1/navigation-fallback',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'menus.fallback',
          effect: 'write',
          permission: MANAGE,
          tool: false,
          summary: 'Get the navigation of an empty block',
          description:
            'Returns the newest published navigation in the language of the request. If there is none, one is made of the primary menu, or else of all pages. It copies title and address of what everybody may read, and links by ID to the rest.',
          args: {},
          answers: { 200: { type: 'object', properties: { id: { type: 'integer' } } } },
        },
      ],
    },
  ],
} as const satisfies ExtensionDescriptor & { readonly namespace: string };
