import type { ArgSchemas, NamespaceDescriptor } from '../../../lib/index.ts';

/** Routes of `builder`. */
export const builderDescriptor = {
  namespace: 'builder',
  routes: [
    {
      pattern: '/builder/rendered_content',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'builder.render',
          effect: 'read',
          permission: 'edit_others_posts',
          summary: 'Render builder content as HTML',
          description:
            'Turns shortcodes and blocks into the HTML that readers would see, so that it can be analysed, and lists its headings and number of words on request.',
          args: {},
          body: {
            content: { type: 'string', required: true },
            with: { type: 'array', items: { type: 'string', enum: ['stats'] }, default: [] },
          },
          answers: {
            200: {
              type: 'object',
              properties: {
                content: { type: 'string', required: true },
                word_count: { type: 'integer', minimum: 0 },
                headings: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      level: { type: 'integer', minimum: 1, maximum: 6, required: true },
                      text: { type: 'string', required: true },
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const text = { type: 'string', required: true } as const;
const code = { type: 'integer', enum: [200], required: true } as const;
const object = <const P extends ArgSchemas>(properties: P) =>
  ({ type: 'object', required: true, properties }) as const;
const listOf = <const P extends ArgSchemas>(properties: P) =>
  ({ data: { type: 'array', required: true, items: { type: 'object', properties } } }) as const;
/** The form of feed widgets. */
const answerWith = <const P extends ArgSchemas>(json: P) =>
  ({ 200: { type: 'object', properties: { code, json: object(json) } } }) as const;

const PICTURE = {
  id: { ...text, pattern: '^[0-9]+$' },
  media_type: { ...text, enum: ['IMAGE', 'VIDEO'] },
  media_url: text,
  permalink: text,
  thumbnail_url: text,
} as const;
const ALBUM = {
  ...PICTURE,
  caption: text,
  media_type: { ...text, enum: ['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM'] },
} as const;

/** Routes of `builder/photofeed`. */
export const photofeedDescriptor = {
  namespace: 'builder/photofeed',
  routes: [
    {
      pattern: '/builder/photofeed/media',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'builder.photofeed.media',
          permission: 'public',
          untrusted: ['json'],
          summary: 'Show the photo stream of the site',
          description:
            'Returns the newest pictures and albums of the published posts, or of the connected photo service, page by page.',
          args: {},
          body: {
            limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
            page: { type: 'integer', minimum: 1, maximum: 1000, default: 1 },
            next: { type: 'string', maxLength: 2048 },
          },
          answers: answerWith({
            ...listOf(ALBUM),
            paging: object({ cursors: object({ after: { type: 'string' } }), next: { type: 'string' } }),
          }),
        },
      ],
    },
    {
      pattern: '/builder/photofeed/(?P<id>\\d+)/children',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'builder.photofeed.children',
          permission: 'public',
          untrusted: ['json'],
          summary: 'Show the pictures of an album',
          description: 'Returns each picture of one album of the photo stream.',
          args: {},
          body: { id: { type: 'string', maxLength: 30 } },
          answers: answerWith(listOf(PICTURE)),
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
