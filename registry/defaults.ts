import type { NamespaceDescriptor } from '../lib/route/descriptor.ts';
import type { Namespace } from '../lib/route/namespace.ts';
import type { CollectionDescriptor } from '../lib/store/collection.ts';
import { buildSite, type Site } from './build-site.ts';
import type { Ports } from './core/host/ports.ts';
import { type ContentModel, createContentModel } from './core/model/content-model.ts';
import type { Plugin } from './core/plugin/plugin.ts';
import * as settings from './plugin-settings.ts';
import { corePlugins, seedPlugins } from './plugins.ts';
import * as registry from './registry.ts';
import type { SiteOptions } from './site-options.ts';

/** The plugins of a site without the option. */
export const defaultPluginsOf = (content: ContentModel): readonly Plugin[] =>
  content.core ? corePlugins : seedPlugins;

/** Builds the site of this registry on a store. Rejects with a TypeError if the options are not valid. */
export function createSite<H = unknown>(options: SiteOptions<H>): Promise<Site<H>>;
// The site passes `host` on without looking at it.
export function createSite(options: SiteOptions): Promise<Site> {
  return buildSite(options, defaultPluginsOf);
}

/** Every namespace of the core and of plugins as plain data, in the order of the index. Default: those of `seedPlugins`. */
export const describeRegistry = (plugins: readonly Plugin[] = seedPlugins): readonly NamespaceDescriptor[] =>
  registry.describeRegistry(plugins);

/** Every namespace of the recorded index as plain data, in its order. */
export const registryDescriptors: readonly NamespaceDescriptor[] = describeRegistry();

/**
 * Every collection of a site with this content and these plugins, which are `seedPlugins` by default. Indexed meta keys add fields and indexes;
 * everything else is the same for all sites.
 */
export const collectionsOf = (
  content: ContentModel,
  plugins: readonly Plugin[] = seedPlugins,
): readonly CollectionDescriptor[] => registry.collectionsOf(content, plugins);

/** Every collection of a site without indexed meta keys. */
export const collections: readonly CollectionDescriptor[] = collectionsOf(createContentModel());

/** Every namespace with its handlers, in the order of the index. Default: those of `seedPlugins`. */
export const createRegistry = (
  ports: Ports,
  plugins: readonly Plugin[] = seedPlugins,
): Promise<readonly Namespace[]> => registry.createRegistry(ports, plugins);

/** Members of the `config` of `createSite` that the core and the plugins of `seedPlugins` read. */
export const CONFIGURED_NAMESPACES: readonly string[] = [
  ...settings.CORE_SETTINGS,
  ...seedPlugins.flatMap((plugin) => Object.keys(plugin.settings)),
];

/** The mistakes of settings, all of them. Settings come from the `config` of `createSite` or from a file. `place`: what messages call their object. */
export const listSettingFaults = (
  place: string,
  given: unknown,
  plugins: readonly Plugin[] = seedPlugins,
): readonly string[] => settings.listSettingFaults(place, given, plugins);

/**
 * Validates the settings of the core and of plugins, which are `seedPlugins` by default.
 * @throws TypeError `config.seo.mediaHosts: "x" is not a list`
 */
export const checkSettings = (
  place: string,
  given: unknown,
  plugins: readonly Plugin[] = seedPlugins,
): void => settings.checkSettings(place, given, plugins);
