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
          url: { description: 'Address of the page to embed.', type: 'string', format: 'uri', required: true },
          format: { description: 'Format of the answer: json or xml.', default: 'json' },
          maxwidth: { description: 'Largest width of the frame, in pixels.', default: 600 },
        },
      }],
    },
    {
      pattern: '/oembed/1.0/proxy',
      endpoints: [{
        methods: ['GET'], handler: 'oembed.proxy', permission: 'oembed.proxy',
        checks: { maxwidth: 'oembed.size', maxheight: 'oembed.size' },
        args: {
          url: { description: 'Address of the page to embed.', type: 'string', format: 'uri', required: true },
          format: { description: 'Format in which the provider is asked.', type: 'string', default: 'json', enum: ['json', 'xml'] },
          maxwidth: { description: 'Largest width of the frame, in pixels.', type: 'integer', default: 600 },
          maxheight: { description: 'Largest height of the frame, in pixels.', type: 'integer' },
          discover: { description: 'Whether providers that are not on the list are looked up on the page itself.', type: 'boolean', default: true },
        },
      }],
    },
  ],
} as const satisfies NamespaceDescriptor;
