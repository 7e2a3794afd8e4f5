import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { contextArg } from '../schemas/list-args.ts';
import { statusResource, taxonomyResource, typeResource } from './resources.ts';

const CONTEXT = { context: contextArg } as const;
const FIRST = { checkFirst: ['context'] } as const;

/** Routes that say what the site models. Each list is an object by name. */
export const modelDescriptor = {
  namespace: 'cms/v2',
  routes: [
    {
      pattern: '/cms/v2/types',
      resource: 'type',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.types.list',
          permission: 'cms.types.list',
          ...FIRST,
          args: CONTEXT,
          summary: 'List content types',
          description: 'Returns the content types of the site by name, so that a client knows their routes.',
        },
      ],
    },
    {
      pattern: '/cms/v2/types/(?P<type>[\\w-]+)',
      resource: 'type',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.types.read',
          permission: 'cms.types.read',
          ...FIRST,
          shows: ['record'],
          args: { type: { description: 'Name of the content type.', type: 'string' }, ...CONTEXT },
          summary: 'Read a content type',
          description: 'Returns the names, routes and taxonomies of one content type.',
        },
      ],
    },
    {
      pattern: '/cms/v2/statuses',
      resource: 'status',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.statuses.list',
          permission: 'cms.statuses.list',
          ...FIRST,
          args: CONTEXT,
          summary: 'List statuses',
          description: 'Returns the statuses that the caller can ask for, by name.',
        },
      ],
    },
    {
      pattern: '/cms/v2/statuses/(?P<status>[\\w-]+)',
      resource: 'status',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.statuses.read',
          permission: 'cms.statuses.read',
          ...FIRST,
          shows: ['record'],
          args: { status: { description: 'Name of the status.', type: 'string' }, ...CONTEXT },
          summary: 'Read a status',
          description: 'Returns who sees the items of one status.',
        },
      ],
    },
    {
      pattern: '/cms/v2/taxonomies',
      resource: 'taxonomy',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.taxonomies.list',
          permission: 'cms.taxonomies.list',
          ...FIRST,
          args: {
            ...CONTEXT,
            type: { description: 'Only taxonomies of this content type.', type: 'string' },
          },
          summary: 'List taxonomies',
          description: 'Returns the taxonomies of the site by name, so that a client knows their routes.',
        },
      ],
    },
    {
      pattern: '/cms/v2/taxonomies/(?P<taxonomy>[\\w-]+)',
      resource: 'taxonomy',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.taxonomies.read',
          permission: 'cms.taxonomies.read',
          ...FIRST,
          shows: ['record'],
          args: { taxonomy: { description: 'Name of the taxonomy.', type: 'string' }, ...CONTEXT },
          summary: 'Read a taxonomy',
          description: 'Returns the names, routes and types of one taxonomy.',
        },
      ],
    },
  ],
  resources: { type: typeResource, status: statusResource, taxonomy: taxonomyResource },
} as const satisfies NamespaceDescriptor;
