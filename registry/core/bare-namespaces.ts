import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';

/** Namespaces that the index lists without any route, not even their own index. */
export const siteHealthDescriptor = {
  namespace: 'cms-site-health/v1',
  index: false,
  routes: [],
} as const satisfies NamespaceDescriptor;

export const blockEditorDescriptor = {
  namespace: 'cms-block-editor/v1',
  index: false,
  routes: [],
} as const satisfies NamespaceDescriptor;

export const abilitiesDescriptor = {
  namespace: 'cms-abilities/v1',
  index: false,
  routes: [],
} as const satisfies NamespaceDescriptor;
