import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { mediaIdArg, mediaListArgs, mediaReadArgs } from './media-args.ts';
import { mediaResource } from './media-resources.ts';

/** The collections that a response about media depends on. */
const SHOWN = ['media', 'posts', 'options'] as const;

/** Routes of the media library. */
export const mediaDescriptor = {
  namespace: 'cms/v2',
  routes: [
    {
      pattern: '/cms/v2/media', resource: 'attachment',
      endpoints: [{
        methods: ['GET'], handler: 'cms.media.list', permission: 'cms.media.list',
        summary: 'List media',
        description: 'Returns a page of the files that the caller may see, filtered by kind, words, dates, authors and the post that they are attached to.',
        shows: ['page'], cache: SHOWN, checks: { search: 'cms.search', status: 'cms.media-status' }, args: mediaListArgs,
      }],
    },
    {
      pattern: '/cms/v2/media/(?P<id>[\\d]+)', resource: 'attachment',
      endpoints: [{
        methods: ['GET'], handler: 'cms.media.read', permission: 'cms.media.read',
        summary: 'Get a file',
        description: 'Returns one file of the media library with its address, size and smaller copies; it is as visible as its post.',
        shows: ['record'], cache: SHOWN, args: { id: mediaIdArg, ...mediaReadArgs },
      }],
    },
  ],
  resources: { attachment: mediaResource },
} as const satisfies NamespaceDescriptor;
