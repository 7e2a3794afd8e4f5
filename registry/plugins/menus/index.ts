import { type Identity, can } from '../../../lib/index.ts';
import { type PluginSite, servicesOf } from '../../plugin.ts';
import { createAutoAdd } from './auto-add.ts';
import { MENU } from './content.ts';
import { createItems, manages } from './items.ts';
import { createLinkBlock } from './link-block.ts';
import { createLocations } from './locations.ts';
import type { MenuSettings } from './menu-settings.ts';
import { createTargets } from './targets.ts';

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
    'menus.link': createLinkBlock(loadTargets),
  };
}
