import { toMadeDates } from '../items/read-context.ts';
import { countOf, found, languageOf, textOf, textsOf, titleOf, type ToItems } from './rest-records.ts';

/** The type of the items of menus. */
export const MENU_ITEM = 'nav_menu_item';

/** An item of a menu. Sites show an item without a title with that of its target. */
export const readMenuItem: ToItems = (reading, shown, place) => {
  const { context } = reading;
  const [id, menu, language] = [countOf(shown, 'id'), countOf(shown, 'menus'), languageOf(shown, reading)];
  const values = {
    ...toMadeDates(context),
    type: MENU_ITEM,
    status: textOf(shown, 'status') === 'draft' ? 'draft' : 'publish',
    language: context.languages.includes(language) ? language : context.language,
    title: titleOf(shown),
    content: textOf(shown, 'description'),
    excerpt: textOf(shown, 'attr_title'),
    parent: countOf(shown, 'parent'),
    menu_order: countOf(shown, 'menu_order'),
    terms: menu === 0 ? [] : [menu],
    meta: {
      _menu_item_type: textOf(shown, 'type'),
      _menu_item_object: textOf(shown, 'object'),
      _menu_item_object_id: countOf(shown, 'object_id'),
      _menu_item_target: textOf(shown, 'target'),
      _menu_item_classes: textsOf(shown, 'classes'),
      _menu_item_xfn: textsOf(shown, 'xfn').join(' '),
      _menu_item_url: textOf(shown, 'type') === 'custom' ? textOf(shown, 'url') : '',
    },
  };
  return [found({ place, collection: 'posts', id, values })];
};
