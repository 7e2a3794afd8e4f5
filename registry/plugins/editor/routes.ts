import type {
  EndpointDescriptor,
  ExtensionDescriptor,
  NamespaceDescriptor,
  RouteDescriptor,
} from '../../../lib/index.ts';

/** What the editor asks for that a site without a theme does not have: path, capability, what it is. */
const EMPTY_LISTS = [
  ['block-patterns/patterns', 'edit_posts', 'block patterns'],
  ['block-patterns/categories', 'edit_posts', 'categories of block patterns'],
  ['block-types', 'edit_posts', 'block types that the server renders'],
  ['templates', 'edit_posts', 'templates'],
  ['template-parts', 'edit_posts', 'parts of templates'],
  ['font-collections', 'manage_options', 'collections of fonts'],
  ['font-families', 'manage_options', 'installed fonts'],
  ['icons', 'edit_posts', 'icons'],
  ['sidebars', 'manage_options', 'areas of widgets'],
  ['widget-types', 'manage_options', 'kinds of widgets'],
] as const;

const context = {
  description: 'Which fields are shown.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
} as const;
/** Parameters that clients send to every list. None of them changes an empty one. */
const LIST_ARGS = {
  context,
  page: { description: 'Number of the page to show.', type: 'integer', minimum: 1 },
  per_page: { description: 'Number of items on a page.', type: 'integer', minimum: -1, maximum: 100 },
} as const;

const toRoute = (pattern: string, endpoint: Omit<EndpointDescriptor, 'methods'>): RouteDescriptor => ({
  pattern: `/cms/v2/${pattern}`,
  // The site has no theme, so an agent would learn nothing here.
  endpoints: [{ methods: ['GET'], tool: false, ...endpoint }],
});

const LIST = { 200: { type: 'array', items: { type: 'object' } } } as const;
const OBJECT = { 200: { type: 'object' } } as const;
const STYLESHEET = '(?P<stylesheet>[\\w-]+)';
const stylesheet = { description: 'Name of the theme.', type: 'string' } as const;

/** Routes of `cms/v2`. */
export const ROUTES: readonly RouteDescriptor[] = [
  toRoute('themes', {
    handler: 'editor.themes',
    permission: 'edit_posts',
    summary: 'List the themes',
    answers: LIST,
    args: {
      ...LIST_ARGS,
      status: {
        description: 'Only themes with one of these statuses.',
        type: 'array',
        items: { type: 'string', enum: ['active', 'inactive'] },
      },
    },
  }),
  toRoute(`themes/${STYLESHEET}`, {
    handler: 'editor.theme',
    permission: 'edit_posts',
    summary: 'Get a theme',
    answers: OBJECT,
    args: { context, stylesheet },
  }),
  toRoute(`global-styles/themes/${STYLESHEET}`, {
    handler: 'editor.styles',
    permission: 'edit_posts',
    summary: 'Get the styles of a theme',
    answers: OBJECT,
    args: { context, stylesheet },
  }),
  toRoute(`global-styles/themes/${STYLESHEET}/variations`, {
    handler: 'editor.variations',
    permission: 'edit_posts',
    summary: 'List the variations of the styles of a theme',
    answers: LIST,
    args: { context, stylesheet },
  }),
  toRoute('templates/lookup', {
    handler: 'editor.lookup',
    permission: 'edit_posts',
    summary: 'Find the template of a record',
    answers: OBJECT,
    args: {
      slug: { description: 'Slug of the template.', type: 'string', required: true },
      is_custom: { description: 'Whether the template is custom.', type: 'boolean' },
      template_prefix: { description: 'Prefix of the template.', type: 'string' },
    },
  }),
  ...EMPTY_LISTS.map(([path, permission, what]) =>
    toRoute(path, {
      handler: 'editor.none',
      permission,
      summary: `List the ${what}`,
      description: `Returns an empty list, because the site has no ${what}.`,
      answers: LIST,
      args: LIST_ARGS,
    }),
  ),
];

const id = { description: 'ID of a post, page or record of another type.', type: 'integer' } as const;
const lockAnswers = {
  200: {
    type: 'object',
    additionalProperties: false,
    properties: {
      post: { description: 'ID of the record.', type: 'integer' },
      user: { description: 'ID of the user who edits it; 0: nobody.', type: 'integer' },
      name: { description: 'Name of the user who edits it.', type: 'string' },
      mine: { description: 'Whether that is the caller.', type: 'boolean' },
    },
  },
} as const;
const common = { permission: 'editor.locks.use', tool: false, answers: lockAnswers } as const;

/** Routes of `editor/v1`. */
export const LOCKS = {
  namespace: 'editor/v1',
  routes: [
    {
      pattern: '/editor/v1/locks/(?P<id>[\\d]+)',
      endpoints: [
        {
          ...common,
          methods: ['GET'],
          handler: 'editor.locks.read',
          summary: 'Tell who edits a record',
          description: 'Returns the user who edits the record now.',
          args: { id },
        },
        {
          ...common,
          methods: ['POST', 'PUT'],
          handler: 'editor.locks.take',
          summary: 'Take the lock of a record, or keep it',
          description:
            'Takes the lock for 150 seconds, unless another user has it, and returns who has it now. The lock is a sign for editors: it does not refuse any write.',
          args: {
            id,
            take_over: {
              description: 'Takes the lock also from another user.',
              type: 'boolean',
              default: false,
            },
          },
        },
        {
          ...common,
          methods: ['DELETE'],
          handler: 'editor.locks.release',
          summary: 'Release the lock of a record',
          description: 'Releases the lock if the caller has it, and returns who has it now.',
          args: { id },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const TEXT = { type: 'string' } as const;

/** The route that describes web pages, for the cards of links in the editor. */
export const URL_DETAILS = {
  namespace: 'cms-block-editor/v1',
  routes: [
    {
      pattern: '/cms-block-editor/v1/url-details',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'editor.url',
          permission: 'edit_posts',
          tool: false,
          summary: 'Describe a web page',
          description: 'Reads the title, the icon, the description and the picture in the head of a page.',
          args: {
            url: {
              description: 'URL of the page.',
              type: 'string',
              format: 'uri',
              required: true,
              maxLength: 2048,
            },
          },
          answers: {
            200: { type: 'object', properties: { title: TEXT, icon: TEXT, description: TEXT, image: TEXT } },
          },
        },
      ],
    },
  ],
} as const satisfies ExtensionDescriptor & { readonly namespace: string };
