import type { CollectionDescriptor } from '../../lib/store/collection.ts';

/** Collections that several namespaces share. Dates are texts `YYYY-MM-DDTHH:MM:SS`: site time, or GMT where the name ends in `_gmt`. */
export const siteCollections = [
  {
    name: 'users',
    fields: {
      login: { type: 'text', folded: true }, name: { type: 'text' }, slug: { type: 'text' }, role: { type: 'text' },
      email: { type: 'text' }, description: { type: 'text' }, url: { type: 'text' }, registered_gmt: { type: 'text' },
      /** Language pairs a translator works in: `en:fr`. */
      language_pairs: { type: 'texts' },
    },
    unique: [{ fields: ['login'] }, { fields: ['slug'] }],
    indexes: [['role']],
  },
  {
    /** Application passwords: only a hash is stored. */
    name: 'credentials',
    fields: { user: { type: 'integer' }, name: { type: 'text' }, hash: { type: 'text' }, created_gmt: { type: 'text' } },
    indexes: [['user']],
  },
  {
    name: 'terms',
    fields: {
      taxonomy: { type: 'text' }, name: { type: 'text', folded: true }, slug: { type: 'text' }, parent: { type: 'integer' },
      description: { type: 'text' }, language: { type: 'text' },
      /** Translation group: terms of one group are translations of each other; 0: none. */
      group: { type: 'integer' },
    },
    unique: [{ fields: ['taxonomy', 'language', 'slug'] }],
    indexes: [['taxonomy', 'name'], ['group'], ['parent']],
  },
  {
    name: 'media',
    fields: {
      author: { type: 'integer' }, date: { type: 'text' }, title: { type: 'text' }, slug: { type: 'text' }, alt: { type: 'text' },
      mime_type: { type: 'text' }, file: { type: 'text' }, width: { type: 'integer' }, height: { type: 'integer' },
    },
  },
  {
    /** Settings: `group` names the owner (`site`, `seo`, `user:3`), `value` is any JSON. */
    name: 'options',
    fields: { group: { type: 'text' }, key: { type: 'text' }, value: { type: 'json' } },
    unique: [{ fields: ['group', 'key'] }],
  },
  {
    /** Who may do a job that only one may do at a time. `expires`: milliseconds since 1970. */
    name: 'locks',
    fields: { name: { type: 'text' }, key: { type: 'text' }, expires: { type: 'integer' } },
    unique: [{ fields: ['name'] }],
  },
] as const satisfies readonly CollectionDescriptor[];
