import type { NamespaceDescriptor } from '../../lib/descriptor.ts';

/** interface.md 4.5, `ml/v1` */
export const mlDescriptor = {
  namespace: 'ml/v1',
  routes: [
    {
      pattern: '/ml/v1/custom-xml-config',
      endpoints: [
        { methods: ['GET'], handler: 'ml.config.read', permission: 'manage_options', args: {} },
        { methods: ['POST'], handler: 'ml.config.write', permission: 'manage_options', args: {} },
      ],
    },
    {
      pattern: '/ml/v1/custom-xml-config/validate',
      endpoints: [{ methods: ['POST'], handler: 'ml.config.check', permission: 'manage_options', args: {} }],
    },
  ],
} as const satisfies NamespaceDescriptor;
