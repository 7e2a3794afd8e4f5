import { type Plugin, defineHostPlugin } from '../../plugin.ts';
import { PHOTOFEED_SETTINGS } from './photo-provider.ts';
import { builderDescriptor, photofeedDescriptor } from './routes.ts';
import { SHORTCODE_SETTINGS } from './shortcodes.ts';

/** The page builder: its shortcodes, and feeds of photos. */
export const builder: Plugin = defineHostPlugin(
  {
    name: 'builder',
    summary: 'Shortcodes of the page builder and feeds of photos',
    namespaces: [photofeedDescriptor, builderDescriptor],
  },
  { builder: SHORTCODE_SETTINGS, photofeed: PHOTOFEED_SETTINGS },
  async () => (await import('./index.ts')).createBuilder,
);
