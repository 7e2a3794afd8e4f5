import { SHORTCODE_SETTINGS } from '../../core/content/shortcodes/shortcodes.ts';
import { defineBuiltIn } from '../../core/plugin/built-in.ts';
import type { Plugin } from '../../core/plugin/plugin.ts';
import { photofeedDescriptor } from './photofeed-routes.ts';
import { PHOTOFEED_SETTINGS } from './photofeed-settings.ts';
import { builderDescriptor } from './routes.ts';

/** The page builder: its shortcodes, and feeds of photos. */
export const builder: Plugin = defineBuiltIn(
  {
    name: 'builder',
    summary: 'Shortcodes of the page builder and feeds of photos',
    namespaces: [photofeedDescriptor, builderDescriptor],
  },
  { builder: SHORTCODE_SETTINGS, photofeed: PHOTOFEED_SETTINGS },
  async () => (await import('./index.ts')).createBuilder,
);
