import type { NamespaceDescriptor } from '../../../lib/index.ts';

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** The description of a page, as JSON. XML has the same members (oembed.com 2.3.4). None is required, because `_fields` may leave out any. */
const ANSWER = {
  type: 'object',
  additionalProperties: false,
  properties: {
    version: { type: 'string', enum: ['1.0'] },
    type: { type: 'string', enum: ['photo', 'video', 'link', 'rich'] },
    html: TEXT,
    title: TEXT,
    author_name: TEXT,
    author_url: TEXT,
    provider_name: TEXT,
    provider_url: TEXT,
    cache_age: COUNT,
    url: TEXT,
    width: COUNT,
    height: COUNT,
    thumbnail_url: TEXT,
    thumbnail_width: COUNT,
    thumbnail_height: COUNT,
  },
} as const;

/** Routes of `oembed/1.0`. */
export const oembedDescriptor = {
  namespace: 'oembed/1.0',
  routes: [
    {
      pattern: '/oembed/1.0/embed',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'oembed.embed',
          permission: 'public',
          summary: 'Describe a page of this site for embedding',
          description:
            'Returns the title, author, size and HTML snippet with which another site can embed a published post, as JSON or XML.',
          cache: ['posts', 'terms', 'users', 'media', 'options'],
          checks: { maxwidth: 'oembed.maxwidth' },
          args: {
            url: { description: 'URL of the page to embed.', type: 'string', format: 'uri', required: true },
            format: { description: 'Format of the response: json or xml.', default: 'json' },
            maxwidth: { description: 'Maximum width of the embed, in pixels.', default: 600 },
          },
          answers: { 200: ANSWER },
          produces: ['text/xml'],
        },
      ],
    },
    {
      pattern: '/oembed/1.0/proxy',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'oembed.proxy',
          permission: 'oembed.proxy',
          untrusted: ['title', 'html', 'author_name', 'provider_name'],
          summary: 'Find the embed code of any page',
          description:
            'Asks the provider of a page for its embed code, so that an editor can show a preview, and caches the result for one day.',
          checks: { maxwidth: 'oembed.maxwidth', maxheight: 'oembed.maxheight' },
          args: {
            url: { description: 'URL of the page to embed.', type: 'string', format: 'uri', required: true },
            format: {
              description: 'Format to request from the provider.',
              type: 'string',
              default: 'json',
              enum: ['json', 'xml'],
            },
            maxwidth: {
              description: 'Maximum width of the embed, in pixels.',
              type: 'integer',
              default: 600,
            },
            maxheight: { description: 'Maximum height of the embed, in pixels.', type: 'integer' },
            discover: {
              description: 'Whether to discover a provider that is not on the list from the page itself.',
              type: 'boolean',
              default: true,
            },
          },
          answers: { 200: ANSWER },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
