import type { NamespaceDescriptor } from '../../lib/descriptor.ts';

/** interface.md 4.5, `ml/ate/v1` */
export const mlAteDescriptor = {
  namespace: 'ml/ate/v1',
  routes: [{
    pattern: '/ml/ate/v1/ate/proxy',
    endpoints: [{ methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], handler: 'ml.ate.proxy', permission: 'manage_translations', args: {} }],
  }],
} as const satisfies NamespaceDescriptor;
