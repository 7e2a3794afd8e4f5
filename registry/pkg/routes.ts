import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';

/** Routes of `pkg/installer/v1`. */
export const pkgDescriptor = {
  namespace: 'pkg/installer/v1',
  routes: [{
    pattern: '/pkg/installer/v1/push/fetch-subscription',
    endpoints: [{
      methods: ['GET'], handler: 'pkg.subscription.fetch', permission: 'public',
      summary: 'Refresh the subscription of the site',
      description: 'Reads the subscription of the site again when its vendor calls, at most once every two hours.',
      args: {},
      answers: { 200: { type: 'object', properties: { message: { type: 'string', enum: ['OK'], required: true } } } },
    }],
  }],
} as const satisfies NamespaceDescriptor;
