import type { CollectionDescriptor } from '../../../lib/index.ts';
import { type ContentDefinition, type PostRecord, TAXONOMY_RIGHTS, TYPE_RIGHTS } from '../../plugin.ts';

/** The taxonomy of menus, and the type of their items, as WordPress names them. */
export const MENU = 'nav_menu';
export const ITEM = 'nav_menu_item';
/** The capability of those who manage menus. */
export const MANAGE = 'edit_theme_options';

/** The menu of an item; 0: none. */
export const menuOf = ({ terms: [menu = 0] }: PostRecord): number => menu;

const rights = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(words.map((word) => [word, MANAGE]));
const text = { type: 'string', show: false } as const;

/**
 * Menus are terms, and their items are records with these terms: title, description (`content`) and title attribute (`excerpt`) of an item
 * are texts of the record, `parent` is the item above it. The rest are the meta keys of WordPress, so that exports and imports carry them.
 */
export const CONTENT = {
  types: [
    {
      name: 'wp_navigation',
      base: 'navigation',
      labels: { name: 'Navigation Menus', singular: 'Navigation Menu' },
      supports: ['title', 'editor', 'revisions'],
      capabilities: rights(TYPE_RIGHTS),
      public: false,
      readable: true,
    },
    {
      name: ITEM,
      base: 'menu-items',
      labels: { name: 'Navigation Menu Items', singular: 'Navigation Menu Item' },
      supports: ['title'],
      taxonomies: [MENU],
      capabilities: rights(TYPE_RIGHTS),
      public: false,
      routes: false,
      meta: {
        _menu_item_type: text,
        _menu_item_object: text,
        _menu_item_object_id: { type: 'integer', show: false },
        _menu_item_url: text,
        _menu_item_target: text,
        _menu_item_classes: { type: 'array', items: { type: 'string' }, show: false },
        _menu_item_xfn: text,
      },
    },
  ],
  taxonomies: [
    {
      name: MENU,
      base: 'menus',
      labels: { name: 'Navigation Menus', singular: 'Navigation Menu' },
      capabilities: rights(TAXONOMY_RIGHTS),
      public: false,
      owns: true,
    },
  ],
} as const satisfies ContentDefinition;

/** Name of the collection of locations. */
export const COLLECTION = 'menu_locations';

/** Which menu a location has in a language. */
export const locationCollection = {
  name: COLLECTION,
  fields: {
    location: { type: 'text' },
    language: { type: 'text' },
    menu: { type: 'integer', references: 'terms' },
  },
  unique: [{ fields: ['location', 'language'] }],
  indexes: [['menu']],
} as const satisfies CollectionDescriptor;

/** The menus that get each new page. */
export const autoAddCollection = {
  name: 'menu_auto_add',
  fields: { menu: { type: 'integer', references: 'terms' } },
  unique: [{ fields: ['menu'] }],
} as const satisfies CollectionDescriptor;

/** Settings of the plugin. */
export interface MenuSettings {
  /** Descriptions of the places for menus by name. */
  readonly locations: Readonly<Record<string, string>>;
  /** Whether everybody reads menus. */
  readonly public: boolean;
}
