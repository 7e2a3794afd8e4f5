import { listBuilderShortcodes, SHORTCODE_SETTINGS } from './core/content/shortcodes/shortcodes.ts';
import { defineBuiltIn } from './core/plugin/built-in.ts';
import type { Plugin } from './core/plugin/plugin.ts';
import { servicesOf } from './core/services.ts';
import { abilities } from './plugins/abilities/plugin.ts';
import { createBuilderNamespace } from './plugins/builder/index.ts';
import { photofeedDescriptor } from './plugins/builder/photofeed-routes.ts';
import { createPhotofeedNamespace, PHOTOFEED_SETTINGS } from './plugins/builder/photofeed.ts';
import { builderDescriptor } from './plugins/builder/routes.ts';
import { changes } from './plugins/changes/plugin.ts';
import { editor } from './plugins/editor/plugin.ts';
import { createAteNamespace } from './plugins/ml/ate-namespace.ts';
import { mlAteDescriptor } from './plugins/ml/ate-routes.ts';
import { mlCollections } from './plugins/ml/collections.ts';
import { createCancelDeparted } from './plugins/ml/jobs/cancel-departed.ts';
import { createMlNamespace } from './plugins/ml/ml-namespace.ts';
import { mlDescriptor } from './plugins/ml/ml-routes.ts';
import { TRANSLATION_SETTINGS } from './plugins/ml/services/service-options.ts';
import { createStNamespace } from './plugins/ml/st-namespace.ts';
import { mlStDescriptor } from './plugins/ml/st-routes.ts';
import { createTmNamespace } from './plugins/ml/tm-namespace.ts';
import { mlTmDescriptor } from './plugins/ml/tm-routes.ts';
import { createOembedNamespace } from './plugins/oembed/index.ts';
import { OEMBED_SETTINGS } from './plugins/oembed/providers.ts';
import { oembedDescriptor } from './plugins/oembed/routes.ts';
import { PKG_SETTINGS } from './plugins/pkg/host.ts';
import { createInstallerNamespace } from './plugins/pkg/index.ts';
import { pkgDescriptor } from './plugins/pkg/routes.ts';
import { secscanCollections } from './plugins/secscan/collections.ts';
import { SECSCAN_SETTINGS } from './plugins/secscan/connection/host.ts';
import { createSecscanNamespace } from './plugins/secscan/index.ts';
import { secscanDescriptor } from './plugins/secscan/routes.ts';
import { createSeoFields } from './plugins/seo/asked-fields.ts';
import { seoCollections } from './plugins/seo/collections.ts';
import { createSeoNamespace } from './plugins/seo/index.ts';
import { seoDescriptor } from './plugins/seo/routes/routes.ts';
import { SEO_SETTINGS } from './plugins/seo/values/config.ts';

/** oEmbed: describes posts of the site to other sites, and pages of other sites to editors. */
export const oembed: Plugin = defineBuiltIn(
  {
    name: 'oembed',
    summary: 'oEmbed for posts of the site and for other sites',
    namespaces: [oembedDescriptor],
  },
  { oembed: OEMBED_SETTINGS },
  (ports) => ({ namespaces: [createOembedNamespace(ports)] }),
);

/** Translation: jobs, services, memory, strings of components. */
export const ml: Plugin = defineBuiltIn(
  {
    name: 'ml',
    summary: 'Translation jobs, services and strings',
    namespaces: [mlDescriptor, mlTmDescriptor, mlAteDescriptor, mlStDescriptor],
    collections: mlCollections,
  },
  { ml: TRANSLATION_SETTINGS },
  (ports) => {
    servicesOf(ports).departures.push(createCancelDeparted(ports));
    return {
      namespaces: [
        createMlNamespace(ports),
        createTmNamespace(ports),
        createAteNamespace(ports),
        createStNamespace(ports),
      ],
    };
  },
);

/** The security scan. */
export const secscan: Plugin = defineBuiltIn(
  {
    name: 'secscan',
    summary: 'A scan of the site for security problems',
    namespaces: [secscanDescriptor],
    collections: secscanCollections,
  },
  { secscan: SECSCAN_SETTINGS },
  (ports) => ({ namespaces: [createSecscanNamespace(ports)] }),
);

/** Search engine optimisation: heads, the index of objects and links, sitemaps, redirects. */
export const seo: Plugin = defineBuiltIn(
  {
    name: 'seo',
    summary: 'Heads, links and scores for search engines',
    namespaces: [seoDescriptor],
    collections: seoCollections,
  },
  { seo: SEO_SETTINGS },
  (ports) => ({
    namespaces: [createSeoNamespace(ports)],
    fields: ports.content.seo ? createSeoFields(ports) : [],
  }),
);

/** The page builder: its shortcodes, and feeds of photos. */
export const builder: Plugin = defineBuiltIn(
  {
    name: 'builder',
    summary: 'Shortcodes of the page builder and feeds of photos',
    namespaces: [photofeedDescriptor, builderDescriptor],
  },
  { builder: SHORTCODE_SETTINGS, photofeed: PHOTOFEED_SETTINGS },
  (ports) => {
    const { shortcodes } = servicesOf(ports);
    for (const [name, shortcode] of listBuilderShortcodes(ports.config)) shortcodes.set(name, shortcode);
    return { namespaces: [createPhotofeedNamespace(ports), createBuilderNamespace(ports)] };
  },
);

/** The package installer: the subscription of the site. */
export const pkg: Plugin = defineBuiltIn(
  { name: 'pkg', summary: 'The subscription of the site at its vendor', namespaces: [pkgDescriptor] },
  { pkg: PKG_SETTINGS },
  (ports) => ({ namespaces: [createInstallerNamespace(ports)] }),
);

/** What the block editor asks about the look of the site. A site must name it. */
export { editor };

/** The feed of changes, and events for receivers. A site must name it. */
export { changes };

/** The endpoints as abilities of WordPress. A site must name it. */
export { abilities };

/** Every plugin of the recorded site. The default of a site with the content `seed`. */
export const seedPlugins: readonly Plugin[] = [oembed, ml, secscan, seo, builder, pkg];

/** The default of a site with the core controllers. */
export const corePlugins: readonly Plugin[] = [oembed, ml, seo];

/** Every plugin of this package by its name: those above, and those that a site must name. */
export const builtInPlugins: ReadonlyMap<string, Plugin> = new Map(
  [...seedPlugins, editor, changes, abilities].map((plugin) => [plugin.descriptor.name, plugin]),
);

/** The namespaces of the recorded index, in its order. Others follow. */
const RECORDED_ORDER: readonly string[] = [
  'oembed/1.0',
  'ml/v1',
  'secscan/v1',
  'seo/v1',
  'ml/tm/v1',
  'ml/ate/v1',
  'ml/st/v1',
  'builder/photofeed',
  'builder',
  'pkg/installer/v1',
  'cms/v2',
  'cms-site-health/v1',
  'cms-block-editor/v1',
  'cms-abilities/v1',
];

/** Brings namespaces into the order of the recorded index. */
export function inRecordedOrder<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  const placeOf = (item: T): number => {
    const place = RECORDED_ORDER.indexOf(nameOf(item));
    return place === -1 ? RECORDED_ORDER.length : place;
  };
  return items.toSorted((left, right) => placeOf(left) - placeOf(right));
}
