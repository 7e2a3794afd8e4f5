import type { NamespaceDescriptor } from '../../lib/descriptor.ts';

/** interface.md 4.8, `builder` */
export const builderDescriptor = {
  namespace: 'builder',
  routes: [{
    pattern: '/builder/rendered_content',
    endpoints: [{ methods: ['POST'], handler: 'builder.render', permission: 'edit_others_posts', args: {} }],
  }],
} as const satisfies NamespaceDescriptor;
