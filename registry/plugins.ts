import type { NamespaceDescriptor } from '../lib/route/descriptor.ts';
import { defineNamespace, type Namespace } from '../lib/route/namespace.ts';
import type { CollectionDescriptor } from '../lib/store/collection.ts';
import { abilitiesDescriptor, blockEditorDescriptor, siteHealthDescriptor } from './core/bare-namespaces.ts';
import { createCmsNamespace, describeCms } from './core/cms.ts';
import type { Ports } from './core/host/ports.ts';
import { createContentModel, type ContentModel } from './core/model/content-model.ts';
import { previewCollection } from './core/previews/preview-record.ts';
import { toPostCollections } from './core/records/collections.ts';
import { siteCollections } from './core/records/site-collections.ts';
import { DEFAULT_LANGUAGES } from './core/settings/languages.ts';
import { createBuilderNamespace } from './plugins/builder/index.ts';
import { photofeedDescriptor } from './plugins/builder/photofeed-routes.ts';
import { createPhotofeedNamespace } from './plugins/builder/photofeed.ts';
import { builderDescriptor } from './plugins/builder/routes.ts';
import { createAteNamespace } from './plugins/ml/ate-namespace.ts';
import { mlAteDescriptor } from './plugins/ml/ate-routes.ts';
import { mlCollections } from './plugins/ml/collections.ts';
import { createMlNamespace } from './plugins/ml/ml-namespace.ts';
import { mlDescriptor } from './plugins/ml/ml-routes.ts';
import { createStNamespace } from './plugins/ml/st-namespace.ts';
import { mlStDescriptor } from './plugins/ml/st-routes.ts';
import { createTmNamespace } from './plugins/ml/tm-namespace.ts';
import { mlTmDescriptor } from './plugins/ml/tm-routes.ts';
import { createOembedNamespace } from './plugins/oembed/index.ts';
import { oembedDescriptor } from './plugins/oembed/routes.ts';
import { createInstallerNamespace } from './plugins/pkg/index.ts';
import { pkgDescriptor } from './plugins/pkg/routes.ts';
import { secscanCollections } from './plugins/secscan/collections.ts';
import { createSecscanNamespace } from './plugins/secscan/index.ts';
import { secscanDescriptor } from './plugins/secscan/routes.ts';
import { seoCollections } from './plugins/seo/collections.ts';
import { createSeoNamespace } from './plugins/seo/index.ts';
import { seoDescriptor } from './plugins/seo/routes/routes.ts';

interface RegistryEntry {
  readonly descriptor: NamespaceDescriptor;
  /** The collections that the namespace adds to the store. */
  readonly collections?: (content: ContentModel) => readonly CollectionDescriptor[];
  /** Binds the descriptor to its handlers. Absent if the namespace has no handlers. */
  readonly create?: (ports: Ports) => Namespace;
}

/** Every namespace, in the order of the index. */
const ENTRIES: readonly RegistryEntry[] = [
  { descriptor: oembedDescriptor, create: createOembedNamespace },
  { descriptor: mlDescriptor, create: createMlNamespace },
  { descriptor: secscanDescriptor, collections: () => secscanCollections, create: createSecscanNamespace },
  { descriptor: seoDescriptor, collections: () => seoCollections, create: createSeoNamespace },
  { descriptor: mlTmDescriptor, collections: () => mlCollections, create: createTmNamespace },
  { descriptor: mlAteDescriptor, create: createAteNamespace },
  { descriptor: mlStDescriptor, create: createStNamespace },
  { descriptor: photofeedDescriptor, create: createPhotofeedNamespace },
  { descriptor: builderDescriptor, create: createBuilderNamespace },
  { descriptor: pkgDescriptor, create: createInstallerNamespace },
  {
    descriptor: describeCms(createContentModel(), DEFAULT_LANGUAGES),
    collections: (content) => [...toPostCollections(content), previewCollection],
    create: createCmsNamespace,
  },
  { descriptor: siteHealthDescriptor },
  { descriptor: blockEditorDescriptor },
  { descriptor: abilitiesDescriptor },
];

/** Every namespace as plain data, in the order of the index. */
export const registryDescriptors: readonly NamespaceDescriptor[] = ENTRIES.map(
  ({ descriptor }) => descriptor,
);

/** Every collection of a site with this content. Indexed meta keys add fields and indexes; everything else is the same for all sites. */
export function collectionsOf(content: ContentModel): readonly CollectionDescriptor[] {
  return [...siteCollections, ...ENTRIES.flatMap((entry) => entry.collections?.(content) ?? [])];
}

/** Every collection of a site without indexed meta keys. */
export const collections: readonly CollectionDescriptor[] = collectionsOf(createContentModel());

/** Every namespace with its handlers, in the order of the index. */
export function createRegistry(ports: Ports): readonly Namespace[] {
  return ENTRIES.map(({ descriptor, create }) =>
    create === undefined ? defineNamespace(descriptor, {}) : create(ports),
  );
}
