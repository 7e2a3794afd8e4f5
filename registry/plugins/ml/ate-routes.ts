import type { NamespaceDescriptor } from '../../../lib/index.ts';

/** Routes of `ml/ate/v1`. */
export const mlAteDescriptor = {
  namespace: 'ml/ate/v1',
  routes: [
    {
      pattern: '/ml/ate/v1/ate/proxy',
      endpoints: [
        {
          methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          handler: 'ml.ate.proxy',
          tool: false,
          permission: 'manage_translations',
          summary: 'Forward a request to the translation service',
          description:
            'Passes a request of the browser on to the connected translation service with the credentials of the site, and returns its response.',
          args: {},
          body: {
            url: { type: 'string', maxLength: 2048 },
            method: { type: 'string', maxLength: 10 },
            headers: { type: 'array', items: { type: 'string', maxLength: 4200 }, maxItems: 50 },
            query: { type: ['object', 'string'] },
            body: {},
            content_type: { type: 'string', maxLength: 200 },
          },
          // Any response of the service.
          answers: { '2XX': {} },
          produces: ['*/*'],
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
