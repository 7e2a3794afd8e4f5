import type { CollectionDescriptor } from '../lib/collection.ts';
import type { NamespaceDescriptor } from '../lib/descriptor.ts';
import { defineNamespace, type Namespace } from '../lib/namespace.ts';
import { abilitiesDescriptor, blockEditorDescriptor, siteHealthDescriptor } from './bare-namespaces.ts';
import { createBuilderNamespace } from './builder/index.ts';
import { createPhotofeedNamespace } from './builder/photofeed.ts';
import { photofeedDescriptor } from './builder/photofeed-routes.ts';
import { builderDescriptor } from './builder/routes.ts';
import { postCollections } from './cms/collections.ts';
import { createCmsNamespace } from './cms/index.ts';
import { cmsDescriptor } from './cms/routes.ts';
import { mlCollections } from './ml/collections.ts';
import { createMlNamespace } from './ml/ml-namespace.ts';
import { createAteNamespace } from './ml/ate-namespace.ts';
import { mlAteDescriptor } from './ml/ate-routes.ts';
import { mlDescriptor } from './ml/routes.ts';
import { createStNamespace } from './ml/st-namespace.ts';
import { mlStDescriptor } from './ml/st-routes.ts';
import { createTmNamespace } from './ml/tm-namespace.ts';
import { mlTmDescriptor } from './ml/tm-routes.ts';
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

/** Every namespace as plain data, in the order of the index. */
export const registryDescriptors: readonly NamespaceDescriptor[] = [
  oembedDescriptor,
  mlDescriptor,
  secscanDescriptor,
  seoDescriptor,
  mlTmDescriptor,
  mlAteDescriptor,
  mlStDescriptor,
  photofeedDescriptor,
  builderDescriptor,
  pkgDescriptor,
  cmsDescriptor,
  siteHealthDescriptor,
  blockEditorDescriptor,
  abilitiesDescriptor,
];

/** Every kind of record that the registry keeps. */
export const collections: readonly CollectionDescriptor[] = [
  ...siteCollections,
  ...postCollections,
  ...mlCollections,
  ...secscanCollections,
  ...seoCollections,
];

/** Every namespace with its functions, in the order of the index. */
export function createRegistry(ports: Ports): readonly Namespace[] {
  return [
    createOembedNamespace(ports),
    createMlNamespace(ports),
    createSecscanNamespace(ports),
    createSeoNamespace(ports),
    createTmNamespace(ports),
    createAteNamespace(ports),
    createStNamespace(ports),
    createPhotofeedNamespace(ports),
    createBuilderNamespace(ports),
    createInstallerNamespace(ports),
    createCmsNamespace(ports),
    defineNamespace(siteHealthDescriptor, {}),
    defineNamespace(blockEditorDescriptor, {}),
    defineNamespace(abilitiesDescriptor, {}),
  ];
}
