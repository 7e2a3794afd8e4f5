import type { NamespaceDescriptor } from '../lib/route/descriptor.ts';
import { defineNamespace, type Namespace } from '../lib/route/namespace.ts';
import type { CollectionDescriptor } from '../lib/store/collection.ts';
import { abilitiesDescriptor, blockEditorDescriptor, siteHealthDescriptor } from './bare-namespaces.ts';
import { createBuilderNamespace } from './builder/index.ts';
import { photofeedDescriptor } from './builder/photofeed-routes.ts';
import { createPhotofeedNamespace } from './builder/photofeed.ts';
import { builderDescriptor } from './builder/routes.ts';
import { toPostCollections } from './cms/collections.ts';
import { createCmsNamespace, describeCms } from './cms/index.ts';
import { createAteNamespace } from './ml/ate-namespace.ts';
import { mlAteDescriptor } from './ml/ate-routes.ts';
import { mlCollections } from './ml/collections.ts';
import { createMlNamespace } from './ml/ml-namespace.ts';
import { mlDescriptor } from './ml/ml-routes.ts';
import { createStNamespace } from './ml/st-namespace.ts';
import { mlStDescriptor } from './ml/st-routes.ts';
import { createTmNamespace } from './ml/tm-namespace.ts';
import { mlTmDescriptor } from './ml/tm-routes.ts';
import { createContentModel, type ContentModel } from './model/content-model.ts';
import { createOembedNamespace } from './oembed/index.ts';
import { oembedDescriptor } from './oembed/routes.ts';
import { createInstallerNamespace } from './pkg/index.ts';
import { pkgDescriptor } from './pkg/routes.ts';
import type { Ports } from './ports.ts';
import { secscanCollections } from './secscan/collections.ts';
import { createSecscanNamespace } from './secscan/index.ts';
import { secscanDescriptor } from './secscan/routes.ts';
import { seoCollections } from './seo/collections.ts';
import { createSeoNamespace } from './seo/index.ts';
import { seoDescriptor } from './seo/routes.ts';
import { siteCollections } from './site/collections.ts';
import { DEFAULT_LANGUAGES } from './site/default-languages.ts';

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
    collections: toPostCollections,
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
