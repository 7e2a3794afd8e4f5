import type { CollectionDescriptor } from '../../../lib/index.ts';

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
