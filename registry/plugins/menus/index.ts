import { type Call, can, type Identity } from '../../../lib/index.ts';
import {
  escapeAttribute,
  perObject,
  type PluginSite,
  type PostRecord,
  type Render,
  renderTitle,
  servicesOf,
} from '../../plugin.ts';
import { createAutoAdd } from './auto-add.ts';
import { MENU, type MenuSettings } from './content.ts';
import { createItems, manages } from './items.ts';
import { createLocations } from './locations.ts';
import { createFallback } from './navigation-fallback.ts';
import { createTargets, type LoadTargets, MOST_TARGETS, type Target } from './targets.ts';

/** What the block calls the kinds of its targets. */
const KINDS: ReadonlyMap<unknown, string> = new Map([
  ['post-type', 'post_type'],
  ['taxonomy', 'taxonomy'],
]);

/** The targets that a call has loaded, by what the blocks say. The posts of a list often lead to the same. */
const knownTo = perObject((_call: Call) => new Map<string, Target | undefined>());

/** Renders the link of a navigation with the address of its target. A link to what the caller may not see is left out with all below it. */
const createLinkBlock =
  (loadTargets: LoadTargets): Render =>
  async ({ kind, id = 0, label = '', url = '' }, { content, call }) => {
    const aim = {
      _menu_item_type: KINDS.get(kind) ?? 'custom',
      _menu_item_object_id: Number(id),
      _menu_item_url: String(url),
    };
    const item = { id: 0, language: call.language, meta: aim } as unknown as PostRecord;
    const known = knownTo(call);
    const key = JSON.stringify(aim);
    if (!known.has(key) && known.size < MOST_TARGETS)
      known.set(key, (await loadTargets([item], call)).get(0));
    const target = known.get(key);
    if (target === undefined) return '';
    const below =
      content.trim() === '' ? '' : `<ul class="wp-block-navigation__submenu-container">${content}</ul>`;
    const text = String(label) === '' ? renderTitle(target.title) : String(label);
    return `<li class="wp-block-navigation-item"><a class="wp-block-navigation-item__content" href="${escapeAttribute(target.url)}">${text}</a>${below}</li>`;
  };

/** As in the route of a location. */
const LOCATION_NAME = /^[\w-]{1,64}$/;

/** The code of the plugin. @throws TypeError for the name of a location that no route can have */
export function createMenus(site: PluginSite, { locations: places, public: isOpen }: MenuSettings) {
  const { ports } = site;
  const wrong = Object.keys(places).find((name) => !LOCATION_NAME.test(name));
  if (wrong !== undefined)
    throw new TypeError(
      `config.menus.locations: "${wrong}" is not a name of 1 to 64 letters, digits, hyphens and underscores`,
    );
  if (isOpen) servicesOf(ports).exposed.add(MENU);
  const types = [...ports.content.types.values()];
  const maySee = (identity: Identity): boolean =>
    isOpen || types.some(({ capabilities }) => can(identity, capabilities.edit_posts));
  const loadTargets = createTargets(ports);
  return {
    ...createItems(ports, { loadTargets, maySee }),
    ...createLocations(ports, { places, maySee: (identity) => isOpen || manages(identity) }),
    ...createAutoAdd(site),
    'menus.fallback': createFallback(site, loadTargets),
    'menus.link': createLinkBlock(loadTargets),
  };
}
