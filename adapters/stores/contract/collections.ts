import type { CollectionDescriptor } from '../../../lib/store/collection.ts';

/** Collections that use every part of a descriptor, for the contract suite and the fuzz tests of stores. */
export const contractCollections = [
  {
    name: 'articles',
    fields: {
      title: { type: 'text', folded: true },
      slug: { type: 'text' },
      language: { type: 'text' },
      status: { type: 'text' },
      date: { type: 'text', maxLength: 40 },
      level: { type: 'integer' },
      sticky: { type: 'boolean' },
      tags: { type: 'integers' },
      words: { type: 'texts' },
      extra: { type: 'json' },
    },
    unique: [{ fields: ['language', 'slug'], except: { slug: '' } }],
    indexes: [
      ['language', 'status', 'date'],
      ['language', 'title'],
      ['sticky', 'date'],
      ['level'],
      ['tags', 'status', 'date'],
    ],
    search: ['title'],
    logged: { keeps: ['status', 'language', 'tags'], hides: ['slug'] },
  },
  {
    name: 'notes',
    // Names that are SQL keywords or columns of json_each.
    fields: {
      article: { type: 'integer' },
      text: { type: 'text', folded: true },
      order: { type: 'integer' },
      parent: { type: 'integer' },
      key: { type: 'text' },
      value: { type: 'text', folded: true },
      type: { type: 'texts' },
    },
    unique: [{ fields: ['article', 'order'] }, { fields: ['text'] }],
    indexes: [['article']],
    search: ['text', 'value'],
  },
] as const satisfies readonly CollectionDescriptor[];
