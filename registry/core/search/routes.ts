import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import {
  contextArg,
  excludeArg,
  fallbackArg,
  includeArg,
  pageArg,
  perPageArg,
  searchArg,
  stringArg,
  urlArg,
} from '../schemas/common-args.ts';

const ALWAYS = { context: ['view', 'embed'], readonly: true } as const;
const KINDS = ['post', 'term', 'post-format'] as const;

/** Route of the search. `words`: the names of the types and taxonomies that it finds. */
export const describeSearch = (words: readonly string[]) =>
  ({
    namespace: 'cms/v2',
    routes: [
      {
        pattern: '/cms/v2/search',
        resource: 'search-result',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'cms.search.list',
            permission: 'public',
            shows: ['page'],
            cache: ['posts', 'terms', 'users', 'options'],
            checkFirst: ['context', 'page', 'per_page', 'search'],
            checks: { search: 'cms.search' },
            summary: 'Search the content',
            description:
              'Returns published items, terms or formats whose texts contain the words, with links to them.',
            args: {
              context: { ...contextArg, enum: ['view', 'embed'] },
              page: pageArg,
              per_page: perPageArg,
              search: searchArg,
              type: { description: 'Only items of this kind.', type: 'string', enum: KINDS, default: 'post' },
              subtype: {
                description: 'Only items of these types or taxonomies.',
                type: 'array',
                items: { type: 'string', enum: [...words, 'any'] },
                default: 'any',
              },
              exclude: excludeArg,
              include: includeArg,
            },
            body: fallbackArg,
          },
        ],
      },
    ],
    resources: {
      'search-result': {
        title: 'search-result',
        properties: {
          id: {
            description: 'ID of the item; the slug of a format.',
            type: ['integer', 'string'],
            ...ALWAYS,
          },
          title: { ...stringArg('Title of the item.'), ...ALWAYS },
          url: { ...urlArg('URL of the item.'), ...ALWAYS },
          type: {
            description: 'Kind of the item: post or post-format, or the taxonomy of a term.',
            type: 'string',
            enum: KINDS,
            ...ALWAYS,
          },
          subtype: { ...stringArg('Type of the item.'), ...ALWAYS, enum: words },
        },
        // The recorded OPTIONS does not mention that the type of a term is its taxonomy.
        answers: {
          type: stringArg('Kind of the item: post or post-format, or the taxonomy of a term.'),
        },
      },
    },
  }) as const satisfies NamespaceDescriptor;
