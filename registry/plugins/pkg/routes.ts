import type { NamespaceDescriptor } from '../../../lib/index.ts';

/** Routes of `pkg/installer/v1`. */
export const pkgDescriptor = {
  namespace: 'pkg/installer/v1',
  routes: [
    {
      pattern: '/pkg/installer/v1/push/fetch-subscription',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'pkg.subscription.fetch',
          effect: 'write',
          permission: 'public',
          summary: 'Refresh the subscription of the site',
          description:
            'Reads the subscription of the site again when its vendor calls, at most once every two hours.',
          args: {},
          answers: {
            200: {
              type: 'object',
              properties: { message: { type: 'string', enum: ['OK'], required: true } },
            },
          },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

/** Shows the stored subscription. Served only if the host wants it, so that the recorded index stays as it is. */
export const pkgSubscriptionDescriptor = {
  namespace: 'pkg/installer/v1',
  routes: [
    {
      pattern: '/pkg/installer/v1/subscription',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'pkg.subscription.read',
          permission: 'manage_options',
          summary: 'Read the subscription of the site',
          description: 'Returns status, end and products of the subscription that was read last, and when.',
          args: {},
          answers: {
            200: {
              type: 'object',
              additionalProperties: false,
              properties: {
                status: { type: 'string', required: true },
                expires: { type: 'string', required: true },
                products: { type: 'array', items: { type: 'string' }, required: true },
                refreshed: { type: ['string', 'null'], required: true },
              },
            },
          },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
