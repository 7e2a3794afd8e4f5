import type { NamespaceDescriptor } from '../../lib/descriptor.ts';

/** interface.md 4.3 */
export const oembedDescriptor = {
  namespace: 'oembed/1.0',
  routes: [
    {
      pattern: '/oembed/1.0/embed',
      endpoints: [{
        methods: ['GET'], handler: 'oembed.embed', permission: 'public', cache: ['posts', 'users', 'media', 'options'],
        args: {
          url: { description: 'The URL of the resource for which to fetch oEmbed data.', type: 'string', format: 'uri', required: true },
          format: { description: 'The oEmbed format to use: json or xml.', default: 'json' },
          maxwidth: { description: 'The maximum width of the embed frame in pixels.', default: 600 },
        },
      }],
    },
    {
      pattern: '/oembed/1.0/proxy',
      endpoints: [{
        methods: ['GET'], handler: 'oembed.proxy', permission: 'oembed.proxy',
        args: {
          url: { description: 'The URL of the resource for which to fetch oEmbed data.', type: 'string', format: 'uri', required: true },
          format: { description: 'The oEmbed format to use.', type: 'string', default: 'json', enum: ['json', 'xml'] },
          maxwidth: { description: 'The maximum width of the embed frame in pixels.', type: 'integer', default: 600 },
          maxheight: { description: 'The maximum height of the embed frame in pixels.', type: 'integer' },
          discover: { description: 'Whether to perform an oEmbed discovery request for unsanctioned providers.', type: 'boolean', default: true },
        },
      }],
    },
  ],
} as const satisfies NamespaceDescriptor;
