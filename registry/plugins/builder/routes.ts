import type { NamespaceDescriptor } from '../../../lib/index.ts';

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
