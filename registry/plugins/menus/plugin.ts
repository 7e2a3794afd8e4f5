import { type Plugin, definePlugin } from '../../plugin.ts';
import { autoAddCollection, CONTENT, locationCollection, MENU, type MenuSettings } from './content.ts';
import { EXTENSION, FALLBACK, SHOWN } from './routes.ts';

/** Menus, their items and places, and the blocks of navigation, as WordPress serves them. A site must name it. */
export const menus: Plugin = definePlugin(
  {
    name: 'menus',
    summary: 'Menus with their items, and where they stand',
    content: CONTENT,
    collections: [locationCollection, autoAddCollection],
    reactions: [{ to: ['posts'], run: 'menus.auto_add.run' }],
    extends: [EXTENSION, FALLBACK],
    settings: {
      locations: {
        description: 'Descriptions of the places for menus by name.',
        type: 'object',
        additionalProperties: { type: 'string' },
        default: {},
      },
      public: {
        description: 'Whether everybody reads menus, as with the filter rest_menu_read_access of WordPress.',
        type: 'boolean',
        default: false,
      },
    },
    blocks: [
      { name: 'core/navigation-link', render: 'menus.link', reads: SHOWN },
      { name: 'core/navigation-submenu', render: 'menus.link', reads: SHOWN },
    ],
    fields: [
      {
        of: [MENU],
        name: 'locations',
        schema: {
          description: 'Places of the menu.',
          type: 'array',
          items: { type: 'string' },
          context: ['view', 'edit'],
        },
        value: 'menus.locations.value',
        write: 'menus.locations.write',
        reads: [locationCollection.name],
      },
      {
        of: [MENU],
        name: 'auto_add',
        schema: {
          description: 'Whether pages without a parent are added to the menu when they are published.',
          type: 'boolean',
          context: ['view', 'edit'],
        },
        value: 'menus.auto_add.value',
        write: 'menus.auto_add.write',
        reads: [autoAddCollection.name],
      },
    ],
  },
  async ({ site, settings }) => {
    const { createMenus } = await import('./index.ts');
    return createMenus(site, settings as MenuSettings);
  },
);
