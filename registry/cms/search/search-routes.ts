import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';

const ID_LIST = { type: 'array', items: { type: 'integer' }, default: [] } as const;
const ALWAYS = { context: ['view', 'embed'], readonly: true } as const;
const KINDS = ['post', 'term', 'post-format'] as const;

/** Route of the search. The words of `subtype` are those of the site: see `search-part.ts`. */
export const searchDescriptor = {
  namespace: 'cms/v2',
  routes: [{
    pattern: '/cms/v2/search', resource: 'search-result',
    endpoints: [{
      methods: ['GET'], handler: 'cms.search.list', permission: 'public', shows: ['page'], cache: ['posts', 'terms', 'options'],
      checkFirst: ['context', 'page', 'per_page', 'search'], checks: { search: 'cms.search' },
      summary: 'Search the content', description: 'Returns published items, terms or formats whose texts contain the words, with links to them.',
      args: {
        context: { description: 'Which fields are shown: view for readers, embed for previews, edit for editors.', type: 'string', enum: ['view', 'embed'], default: 'view' },
        page: { description: 'Number of the page to show.', type: 'integer', default: 1, minimum: 1 },
        per_page: { description: 'Number of items on a page.', type: 'integer', default: 10, minimum: 1, maximum: 100 },
        search: { description: 'Only items that contain these words.', type: 'string' },
        type: { description: 'Only items of this kind.', type: 'string', enum: KINDS, default: 'post' },
        subtype: { description: 'Only items of these types or taxonomies.', type: 'array', items: { type: 'string' }, default: 'any' },
        exclude: { description: 'Excludes items with these IDs.', ...ID_LIST },
        include: { description: 'Only items with these IDs.', ...ID_LIST },
      },
    }],
  }],
  resources: {
    'search-result': {
      title: 'search-result',
      properties: {
        id: { description: 'ID of the item; the slug of a format.', type: ['integer', 'string'], ...ALWAYS },
        title: { description: 'Title of the item.', type: 'string', ...ALWAYS },
        url: { description: 'URL of the item.', type: 'string', format: 'uri', ...ALWAYS },
        type: { description: 'Kind of the item: post or post-format, or the taxonomy of a term.', type: 'string', ...ALWAYS },
        subtype: { description: 'Type of the item.', type: 'string', ...ALWAYS },
      },
    },
  },
} as const satisfies NamespaceDescriptor;
