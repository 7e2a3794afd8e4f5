import { defineNamespace, type Namespace } from '../../../lib/route/namespace.ts';
import { renderBuilt } from '../../core/content/shortcodes/render.ts';
import { listBuilderShortcodes } from '../../core/content/shortcodes/shortcodes.ts';
import type { Ports } from '../../core/host/ports.ts';
import type { CreateBuiltIn } from '../../core/plugin/built-in.ts';
import { servicesOf } from '../../core/services.ts';
import { createPhotofeedNamespace } from './photofeed.ts';
import { builderDescriptor } from './routes.ts';
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
export const createBuilder: CreateBuiltIn = ({ ports }) => {
  const { shortcodes } = servicesOf(ports);
  for (const [name, shortcode] of listBuilderShortcodes(ports.config)) shortcodes.set(name, shortcode);
  return { namespaces: [createPhotofeedNamespace(ports), createBuilderNamespace(ports)] };
};
