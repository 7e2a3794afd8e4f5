import type { NamespaceDescriptor } from '../../../lib/index.ts';

/** Names of the collections of the feed. */
export const FEED_COLLECTIONS = ['posts', 'terms', 'users', 'comments', 'media', 'settings'] as const;

/** What receivers can ask for: `*`, `post.*`, `post.published`. */
const EVENT_NAMES: readonly string[] = [
  '*',
  ...(
    [
      ['post', ['published', 'updated', 'removed']],
      ...['term', 'user', 'comment', 'media'].map(
        (noun) => [noun, ['created', 'updated', 'removed']] as const,
      ),
      ['setting', ['updated']],
    ] as const
  ).flatMap(([noun, verbs]) => ['*', ...verbs].map((verb) => `${noun}.${verb}`)),
];

const cursor = { type: 'string', maxLength: 1000 } as const;
const receiverId = { description: 'Unique identifier for the receiver.', type: 'integer' } as const;

const receiverFields = {
  url: { description: 'The address that gets the events.', type: 'string', maxLength: 2000 },
  events: {
    description: 'Names of events; `post.*` stands for all of posts, and `*` for all.',
    type: 'array',
    items: { type: 'string', enum: EVENT_NAMES },
    minItems: 1,
    maxItems: 50,
  },
  types: {
    description: 'Only posts of these types and terms of these taxonomies.',
    type: 'array',
    items: { type: 'string', maxLength: 60 },
    maxItems: 50,
  },
  languages: {
    description: 'Only records in these languages.',
    type: 'array',
    items: { type: 'string', maxLength: 20 },
    maxItems: 50,
  },
  active: { description: 'Whether it gets events.', type: 'boolean' },
} as const;

/** Routes of `changes/v1`. */
export const changesDescriptor = {
  namespace: 'changes/v1',
  routes: [
    {
      pattern: '/changes/v1/changes',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'changes.read',
          permission: 'public',
          streams: ['ndjson', 'sse'],
          summary: 'Read what has changed',
          description:
            'Lists the changes of records that the caller may see, each once, oldest first. A record that the caller may see no more is removed. Streams as NDJSON, as server-sent events and as a durable stream.',
          args: {
            after: {
              description:
                'Begin after this cursor. `now`: only what comes; `all`: all records as they are, then their changes. Default: the oldest change that is kept.',
              ...cursor,
            },
            collections: {
              description: 'Only changes of these collections.',
              type: 'array',
              items: { type: 'string', enum: FEED_COLLECTIONS },
              default: [],
            },
            types: {
              description: 'Only posts of these types and terms of these taxonomies.',
              type: 'array',
              items: { type: 'string', maxLength: 60 },
              maxItems: 100,
              default: [],
            },
            include: {
              description: '`record`: with the record as the caller may see it.',
              type: 'array',
              items: { type: 'string', enum: ['record'] },
              default: [],
            },
            per_page: {
              description: 'Maximum number of changes of a response.',
              type: 'integer',
              minimum: 1,
              maximum: 1000,
              default: 100,
            },
            live: {
              description: 'Wait for changes: as server-sent events, or until there is one.',
              type: 'string',
              enum: ['sse', 'long-poll'],
            },
            offset: { description: 'The same as `after`, for clients of durable streams.', ...cursor },
            cursor: { description: 'Sent by clients of durable streams.', type: 'string', maxLength: 100 },
          },
        },
      ],
    },
    {
      pattern: '/changes/v1/receivers',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'changes.receivers.list',
          permission: 'manage_options',
          summary: 'List the receivers of events',
          description: 'Lists all receivers, without their secrets.',
          args: {},
        },
        {
          methods: ['POST'],
          handler: 'changes.receivers.create',
          permission: 'manage_options',
          summary: 'Add a receiver of events',
          description: 'Adds a receiver. The response alone shows its secret.',
          status: 201,
          args: { ...receiverFields, url: { ...receiverFields.url, required: true } },
        },
      ],
    },
    {
      pattern: '/changes/v1/receivers/(?P<id>[\\d]+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'changes.receivers.read',
          permission: 'manage_options',
          summary: 'Read a receiver of events',
          description: 'Returns the receiver without its secrets.',
          args: { id: receiverId },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          handler: 'changes.receivers.update',
          permission: 'manage_options',
          summary: 'Change a receiver of events',
          description: 'Changes the members that are sent.',
          args: { id: receiverId, ...receiverFields },
        },
        {
          methods: ['DELETE'],
          handler: 'changes.receivers.remove',
          permission: 'manage_options',
          summary: 'Remove a receiver of events',
          description: 'Removes the receiver and its deliveries.',
          args: { id: receiverId },
        },
      ],
    },
    {
      pattern: '/changes/v1/receivers/(?P<id>[\\d]+)/rotate',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'changes.receivers.rotate',
          permission: 'manage_options',
          summary: 'Give a receiver a new secret',
          description: 'Returns a new secret. The former one signs as well for a day.',
          args: { id: receiverId },
        },
      ],
    },
    {
      pattern: '/changes/v1/receivers/(?P<id>[\\d]+)/deliveries',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'changes.deliveries.list',
          permission: 'manage_options',
          summary: 'List the deliveries to a receiver',
          description: 'Lists deliveries with their attempts, the newest first.',
          args: {
            id: receiverId,
            page: { description: 'Page of the list.', type: 'integer', minimum: 1, default: 1 },
            per_page: {
              description: 'Maximum number of deliveries of a page.',
              type: 'integer',
              minimum: 1,
              maximum: 100,
              default: 10,
            },
          },
        },
      ],
    },
    {
      pattern: '/changes/v1/receivers/(?P<id>[\\d]+)/deliveries/(?P<delivery>[\\d]+)/redeliver',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'changes.deliveries.redeliver',
          permission: 'manage_options',
          summary: 'Send a delivery again',
          description: 'Sends the delivery again, with the same id.',
          args: {
            id: receiverId,
            delivery: { description: 'Unique identifier for the delivery.', type: 'integer' },
          },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
