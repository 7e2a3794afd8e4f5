import { can, type Identity } from '../../../lib/core/identity.ts';
import { type Ports, servicesOf } from '../../plugin.ts';
import { MENU } from './content.ts';
import { createItems, manages } from './items.ts';
import { createLinkBlock } from './link-block.ts';
import { createLocations } from './locations.ts';
import type { MenuSettings } from './menu-settings.ts';
import { createTargets } from './targets.ts';

/** The code of the plugin. */
export function createMenus(ports: Ports, { locations: places, public: isOpen }: MenuSettings) {
  if (isOpen) servicesOf(ports).exposed.add(MENU);
  const types = [...ports.content.types.values()];
  const maySee = (identity: Identity): boolean =>
    isOpen || types.some(({ capabilities }) => can(identity, capabilities.edit_posts));
  const loadTargets = createTargets(ports);
  return {
    ...createItems(ports, { loadTargets, maySee }),
    ...createLocations(ports, { places, maySee: (identity) => isOpen || manages(identity) }),
    'menus.link': createLinkBlock(loadTargets),
  };
}
