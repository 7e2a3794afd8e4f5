import { type EndpointDescriptor, type RouteDescriptor, createErrors } from '../../../lib/index.ts';
import { type Plugin, definePlugin } from '../../plugin.ts';
import { createLocks, LOCKS } from './locks.ts';
import { THEME, THEME_ERRORS } from './theme.ts';
import { createUrlDetails, URL_DETAILS } from './url-details.ts';

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

const themeError = createErrors(THEME_ERRORS);

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

/** Validated by the routes. */
type Args = Readonly<Record<string, unknown>>;

const LIST = { 200: { type: 'array', items: { type: 'object' } } } as const;
const OBJECT = { 200: { type: 'object' } } as const;
const STYLESHEET = '(?P<stylesheet>[\\w-]+)';
const stylesheet = { description: 'Name of the theme.', type: 'string' } as const;

const ROUTES: readonly RouteDescriptor[] = [
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

/** What the block editor of WordPress asks about the look of a site: one theme, and lists that are empty; and who edits a record. */
export const editor: Plugin = definePlugin(
  {
    name: 'editor',
    summary: 'What the block editor of WordPress asks about the look of the site, and who edits a record',
    namespaces: [LOCKS],
    extends: [{ namespace: 'cms/v2', routes: ROUTES }, URL_DETAILS],
  },
  ({ site: { ports } }) => {
    const ofTheme =
      <T>(value: T) =>
      ({ stylesheet: name }: Args): T => {
        if (name !== THEME.stylesheet) throw themeError('rest_theme_not_found');
        return value;
      };
    return {
      'editor.themes': ({ status }: Args) =>
        !Array.isArray(status) || status.includes('active') ? [THEME] : [],
      'editor.theme': ofTheme(THEME),
      'editor.styles': ofTheme({ settings: {}, styles: {} }),
      'editor.variations': ofTheme([]),
      'editor.lookup': () => ({}),
      'editor.none': () => [],
      'editor.url': createUrlDetails(ports),
      ...createLocks(ports),
    };
  },
);
