import { defineNamespace, type Namespace } from '../../../lib/route/namespace.ts';
import { renderBuilt } from '../../core/content/shortcodes/render.ts';
import type { Ports } from '../../core/host/ports.ts';
import { servicesOf } from '../../core/services.ts';
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
