import type { NamespaceDescriptor } from '../../lib/descriptor.ts';

/** interface.md 4.8, `builder/photofeed` */
export const photofeedDescriptor = {
  namespace: 'builder/photofeed',
  routes: [
    {
      pattern: '/builder/photofeed/media',
      endpoints: [{ methods: ['GET'], handler: 'builder.photofeed.media', permission: 'public', args: {} }],
    },
    {
      pattern: '/builder/photofeed/(?P<id>\\d+)/children',
      endpoints: [{ methods: ['GET'], handler: 'builder.photofeed.children', permission: 'public', args: {}, body: { id: { type: 'integer' } } }],
    },
  ],
} as const satisfies NamespaceDescriptor;
