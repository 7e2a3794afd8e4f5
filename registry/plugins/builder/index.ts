import { type Namespace, defineNamespace } from '../../../lib/index.ts';
import { type CreateParts, type Ports, renderBuilt, servicesOf } from '../../plugin.ts';
import { createPhotofeedNamespace } from './photofeed.ts';
import { builderDescriptor } from './routes.ts';
import { listBuilderShortcodes } from './shortcodes.ts';
import { toStats } from './stats.ts';

/** Renders content as the page builder shows it. `config.builder.shortcodes`: name -> `Shortcode`. */
export function createBuilderNamespace(ports: Ports): Namespace {
  const parts = { store: ports.store, shortcodes: servicesOf(ports).shortcodes };
  return defineNamespace(builderDescriptor, {
    'builder.render': async ({ content, with: extras }, call) => {
      const html = await renderBuilt(parts, content, call);
      return extras.includes('stats') ? { content: html, ...toStats(html) } : { content: html };
    },
  });
}

/** The code of the plugin. Its shortcodes depend on the settings. */
export const createBuilder: CreateParts = ({ ports }) => ({
  namespaces: [createPhotofeedNamespace(ports), createBuilderNamespace(ports)],
  shortcodes: listBuilderShortcodes(ports.config),
});
