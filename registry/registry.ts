import type { NamespaceDescriptor } from '../lib/route/descriptor.ts';
import { defineNamespace, type Namespace } from '../lib/route/namespace.ts';
import type { CollectionDescriptor } from '../lib/store/collection.ts';
import { abilitiesDescriptor, blockEditorDescriptor, siteHealthDescriptor } from './core/bare-namespaces.ts';
import { createCmsNamespace, describeCms } from './core/cms.ts';
import type { Ports } from './core/host/ports.ts';
import { createContentModel, type ContentModel } from './core/model/content-model.ts';
import type { Plugin, PluginHost } from './core/plugin/plugin.ts';
import { previewCollection } from './core/previews/preview-record.ts';
import { toPostCollections } from './core/records/collections.ts';
import { siteCollections } from './core/records/site-collections.ts';
import { DEFAULT_LANGUAGES } from './core/settings/languages.ts';
import { inRecordedOrder, seedPlugins } from './plugins.ts';

const BARE: readonly NamespaceDescriptor[] = [
  siteHealthDescriptor,
  blockEditorDescriptor,
  abilitiesDescriptor,
];

/** Every namespace of the core and of plugins as plain data, in the order of the index. Default: those of `seedPlugins`. */
export function describeRegistry(plugins: readonly Plugin[] = seedPlugins): readonly NamespaceDescriptor[] {
  return inRecordedOrder(
    [
      describeCms(createContentModel(), DEFAULT_LANGUAGES),
      ...BARE,
      ...plugins.flatMap(({ descriptor }) => descriptor.namespaces ?? []),
    ],
    ({ namespace }) => namespace,
  );
}

/** Every namespace of the recorded index as plain data, in its order. */
export const registryDescriptors: readonly NamespaceDescriptor[] = describeRegistry();

/** The collections of the core of a site with this content. */
export const coreCollectionsOf = (content: ContentModel): readonly CollectionDescriptor[] => [
  ...siteCollections,
  ...toPostCollections(content),
  previewCollection,
];

/**
 * Every collection of a site with this content and these plugins, which are `seedPlugins` by default. Indexed meta keys add fields and indexes;
 * everything else is the same for all sites.
 */
export function collectionsOf(
  content: ContentModel,
  plugins: readonly Plugin[] = seedPlugins,
): readonly CollectionDescriptor[] {
  return [
    ...siteCollections,
    ...plugins.flatMap(({ descriptor }) => descriptor.collections ?? []),
    ...toPostCollections(content),
    previewCollection,
  ];
}

/** Every collection of a site without indexed meta keys. */
export const collections: readonly CollectionDescriptor[] = collectionsOf(createContentModel());

/** The namespaces of a site with their functions. */
export interface BoundRegistry {
  /** Those of the core and of plugins, in the order of the index. */
  readonly namespaces: readonly Namespace[];
  /** The routes that plugins add below other namespaces. */
  readonly extensions: readonly { readonly plugin: string; readonly extension: Namespace }[];
}

/** Joins the core and plugins with their functions. @throws TypeError that names the plugin */
export async function bindRegistry(host: PluginHost, plugins: readonly Plugin[]): Promise<BoundRegistry> {
  const bound = [];
  for (const plugin of plugins) bound.push({ plugin: plugin.descriptor.name, ...(await plugin.bind(host)) });
  const namespaces = [
    createCmsNamespace(host.ports),
    ...BARE.map((descriptor) => defineNamespace(descriptor, {})),
    ...bound.flatMap((each) => each.namespaces),
  ];
  return {
    namespaces: inRecordedOrder(namespaces, ({ descriptor }) => descriptor.namespace),
    extensions: bound.flatMap(({ plugin, extensions }) =>
      extensions.map((extension) => ({ plugin, extension })),
    ),
  };
}

const notBuilt = (): never => {
  throw new TypeError('a plugin has asked its site for a response before createSite was ready');
};

/** Every namespace with its handlers, in the order of the index. Default: those of `seedPlugins`. */
export async function createRegistry(
  ports: Ports,
  plugins: readonly Plugin[] = seedPlugins,
): Promise<readonly Namespace[]> {
  return (await bindRegistry({ ports, dispatch: notBuilt }, plugins)).namespaces;
}
