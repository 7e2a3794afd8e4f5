import { type ErrorTable, createErrors } from '../../../lib/index.ts';

/** Errors of menu items and of the locations of menus. */
export const MENU_ERRORS = {
  rest_cannot_view: ['denied', 'Sorry, you are not allowed to view menus.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit menu items.'],
  rest_forbidden_status: ['denied', 'Sorry, you are not allowed to view menu items that are not published.'],
  rest_cannot_create: ['denied', 'Sorry, you are not allowed to create menu items.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this menu item.'],
  rest_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this menu item.'],
  rest_post_invalid_id: [404, 'Invalid menu item ID.'],
  rest_trash_not_supported: [501, "Menu items do not support trashing. Set 'force=true' to delete."],
  rest_title_required: [400, 'The title is required when using a custom menu item type.'],
  rest_url_required: [400, 'The url is required when using a custom menu item type.'],
  rest_url_invalid: [400, 'url: must be relative or have a safe scheme, such as https.'],
  rest_object_invalid_id: [400, 'object_id: there is no such record.'],
  rest_post_invalid_type: [400, 'object: there is no such post type.'],
  rest_post_type_no_archive: [400, 'object: this post type has no archive.'],
  invalid_menu_id: [400, 'menus: there is no such menu.'],
  rest_invalid_menu_location: [400, 'locations: the site has no such menu location.'],
  rest_menu_location_invalid: [404, 'Invalid menu location.'],
  rest_menu_item_invalid_parent: [
    400,
    'parent: must be another item of the same menu that is not below this one.',
  ],
} as const satisfies ErrorTable;

export const menuError = createErrors(MENU_ERRORS);
