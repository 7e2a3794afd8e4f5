import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { createContentModel, joinContent } from '../../../../registry/core/model/content-model.ts';
import {
  defineContentType,
  defineTaxonomy,
  type ContentDefinition,
} from '../../../../registry/core/model/content-type.ts';
import { refusalOf } from '../../../support/refusal.ts';

const BOOK = defineContentType({
  name: 'book',
  base: 'books',
  supports: ['title', 'editor', 'revisions', 'custom-fields'],
  taxonomies: ['genre'],
  meta: { isbn: { type: 'string', maxLength: 13 } },
});
const GENRE = defineTaxonomy({ name: 'genre', base: 'genres', hierarchical: true });

const resolve = suite('createContentModel');

resolve('has the built-in types, of which a seed serves posts alone', () => {
  const { types, taxonomies, core } = createContentModel();
  assert.equal(
    [...types.values()].map(({ name, served }) => [name, served]),
    [
      ['post', true],
      ['page', false],
      ['attachment', false],
    ],
  );
  assert.equal(
    [...taxonomies.values()].map(({ name, served, types: ofTypes }) => [name, served, ofTypes]),
    [
      ['category', false, ['post']],
      ['post_tag', false, ['post']],
    ],
  );
  assert.is(core, false);
});

resolve('serves every built-in type with the core controllers', () => {
  const { types, taxonomies } = createContentModel('core');
  assert.ok([...types.values(), ...taxonomies.values()].every(({ served }) => served));
});

resolve('joins a type and its taxonomy, whichever of them names the other', () => {
  const named = createContentModel({
    types: [{ name: 'film', base: 'films' }],
    taxonomies: [{ name: 'mood', base: 'moods', types: ['film', 'post'] }],
  });
  assert.equal(named.types.get('film')?.taxonomies, ['mood']);
  assert.equal(named.types.get('post')?.taxonomies, ['category', 'post_tag', 'mood']);
  assert.equal(createContentModel({ types: [BOOK], taxonomies: [GENRE] }).taxonomies.get('genre')?.types, [
    'book',
  ]);
});

resolve('fills in rights, labels, supports and meta', () => {
  const model = createContentModel({
    types: [
      { ...BOOK, capabilities: 'book' },
      { name: 'note', base: 'notes', capabilities: { publish_posts: 'manage_options' } },
    ],
    taxonomies: [GENRE],
  });
  const [book, note] = [model.types.get('book'), model.types.get('note')];
  assert.equal(
    [
      book?.capabilities.edit_others_posts,
      book?.capabilities.create_posts,
      note?.capabilities.edit_posts,
      note?.capabilities.publish_posts,
    ],
    ['edit_others_books', 'edit_books', 'edit_posts', 'manage_options'],
  );
  assert.equal([book?.labels, book?.permalink], [{ name: 'Books', singular: 'Book' }, '/book/%postname%/']);
  assert.equal([...(note?.supports ?? [])], ['title', 'editor', 'autosave']);
  assert.equal(
    model.meta.get('book')?.map(({ key, schema }) => [key, schema]),
    [
      ['isbn', { title: '', type: 'string', maxLength: 13, default: '' }],
      [
        'footnotes',
        { title: '', description: 'Footnotes of the post, as JSON text.', type: 'string', default: '' },
      ],
    ],
  );
});

resolve('reads the same from code, from JSON, and in the words of WordPress', () => {
  const own: ContentDefinition = {
    types: [{ ...BOOK, labels: { name: 'Books', singular: 'Book' }, hasArchive: true }],
    taxonomies: [GENRE],
    meta: [{ of: 'book', key: 'shelf', type: 'string', show: 'shelf_mark' }],
  };
  const theirs = {
    types: [
      {
        name: 'book',
        rest_base: 'books',
        label: 'Books',
        singular: 'Book',
        has_archive: true,
        supports: BOOK.supports,
        taxonomies: ['genre'],
        meta: BOOK.meta,
        rights: 'as posts',
      },
    ],
    taxonomies: [{ name: 'genre', rest_base: 'genres', hierarchical: true, rights: 'as categories' }],
    meta: [{ of: 'book', key: 'shelf', type: 'string', shown_as: 'shelf_mark' }],
  };
  assert.equal(
    createContentModel(JSON.parse(JSON.stringify(own)) as ContentDefinition),
    createContentModel(own),
  );
  assert.equal(createContentModel(theirs as unknown as ContentDefinition), createContentModel(own));
});

/** Content that is refused, and the start of the message. */
const FAULTS: readonly (readonly [says: string, content: Json])[] = [
  ['content.tpyes: unknown member; the members are core, seo, types, taxonomies, meta', { tpyes: [] }],
  [
    'content.types[0].base: "posts" is taken by a route of the core controllers; choose another base',
    { types: [{ name: 'book', base: 'posts' }] },
  ],
  ['content.types[0].base: "users" is taken', { types: [{ name: 'book', base: 'users' }] }],
  [
    'content.types[1].base: "books" is taken by content.types[0]',
    {
      types: [
        { name: 'book', base: 'books' },
        { name: 'novel', base: 'books' },
      ],
    },
  ],
  [
    'content.taxonomies[0].base: "books" is taken by content.types[0]',
    { types: [{ name: 'book', base: 'books' }], taxonomies: [{ name: 'genre', base: 'books' }] },
  ],
  [
    'content.types[0].name: "page" is taken by the built-in one; choose another name',
    { types: [{ name: 'page', base: 'sheets' }] },
  ],
  ['content.types[0].name: "user" is taken', { types: [{ name: 'user', base: 'people' }] }],
  [
    'content.types[0].name: "Book" is not a name of at most 20 small letters',
    { types: [{ name: 'Book', base: 'books' }] },
  ],
  ['content.types[0].name is missing', { types: [{ base: 'books' }] }],
  ['content.types[0].base: "a/b" is not a path segment', { types: [{ name: 'book', base: 'a/b' }] }],
  [
    'content.types[0].supports[1]: "titel" is not one of title, editor, ',
    { types: [{ name: 'book', base: 'books', supports: ['title', 'titel'] }] },
  ],
  [
    'content.types[0].taxonomies: "genre" does not exist; known are category, post_tag',
    { types: [{ name: 'book', base: 'books', taxonomies: ['genre'] }] },
  ],
  [
    'content.taxonomies[0].types: "book" does not exist; known are post, page, attachment',
    { taxonomies: [{ name: 'genre', base: 'genres', types: ['book'] }] },
  ],
  [
    'content.types[0].permalink: "books" is not a path such as',
    { types: [{ name: 'book', base: 'books', permalink: 'books' }] },
  ],
  [
    'content.types[0].base is given twice, under two names',
    { types: [{ name: 'book', base: 'books', rest_base: 'books' }] },
  ],
  ['content.meta[0].of: "book" does not exist', { meta: [{ of: 'book', key: 'isbn', type: 'string' }] }],
  [
    'content.types[0].meta.isbn.type: "text" is not one of string, ',
    { types: [{ name: 'book', base: 'books', meta: { isbn: { type: 'text' } } }] },
  ],
  [
    'content.types[0].meta.isbn: unknown schema keyword "maxLenght"',
    {
      types: [{ name: 'book', base: 'books', meta: { isbn: { type: 'string', schema: { maxLenght: 13 } } } }],
    },
  ],
  [
    'content.types[0].meta.pages: maxLength needs the type string',
    { types: [{ name: 'book', base: 'books', meta: { pages: { type: 'integer', maxLength: 3 } } }] },
  ],
  [
    'content.types[0].meta.pages.schema.type: "string" is not the type of the key',
    {
      types: [
        { name: 'book', base: 'books', meta: { pages: { type: 'integer', schema: { type: 'string' } } } },
      ],
    },
  ],
  [
    'content.types[0].meta.pages.default: default is not of type integer.',
    { types: [{ name: 'book', base: 'books', meta: { pages: { type: 'integer', default: 'many' } } }] },
  ],
  [
    'content.types[0].meta.awards: a list needs items',
    { types: [{ name: 'book', base: 'books', meta: { awards: { type: 'array' } } }] },
  ],
  [
    'content.types[0].meta.awards.indexed: only a single value',
    {
      types: [
        {
          name: 'book',
          base: 'books',
          meta: { awards: { type: 'array', items: { type: 'string' }, indexed: true } },
        },
      ],
    },
  ],
  [
    'content.types[0].name: "constructor" is not a name of',
    { types: [{ name: 'constructor', base: 'books' }] },
  ],
  [
    'content.types[0].base: "constructor" is not a path segment',
    { types: [{ name: 'book', base: 'constructor' }] },
  ],
  [
    'content.types[0].base: "prototype" is not a path segment',
    { types: [{ name: 'book', base: 'prototype' }] },
  ],
  [
    'content.taxonomies[0].name: "prototype" is not a name of',
    { taxonomies: [{ name: 'prototype', base: 'genres' }] },
  ],
  [
    'content.taxonomies[0].base: "constructor" is not a path segment',
    { taxonomies: [{ name: 'genre', base: 'constructor' }] },
  ],
  [
    'content.types[0].meta.__proto__: the name is not the name of a meta key',
    JSON.parse('{"types":[{"name":"book","base":"books","meta":{"__proto__":{"type":"string"}}}]}') as Json,
  ],
  [
    'content.meta[1]: "post" has the meta key "mark" twice',
    {
      meta: [
        { of: 'post', key: 'mark', type: 'string' },
        { of: 'post', key: 'other', type: 'string', show: 'mark' },
      ],
    },
  ],
];

for (const [says, content] of FAULTS) {
  resolve(`refuses ${JSON.stringify(content).slice(0, 90)}: ${says}`, () => {
    assert.match(
      refusalOf(() => createContentModel(content as unknown as ContentDefinition)),
      says,
    );
  });
}

resolve.run();

const join = suite('joinContent');

join('adds what a fixture declares, and keeps what the site declares itself', () => {
  const own = { core: true, types: [{ ...BOOK, description: 'Ours' }], taxonomies: [GENRE] };
  const joined = joinContent(own, {
    types: [BOOK, { name: 'film', base: 'films' }],
    taxonomies: [GENRE],
    meta: [
      { of: 'book', key: 'isbn', type: 'integer' },
      { of: 'book', key: 'shelf', type: 'string' },
    ],
  });
  const { core, types, meta } = createContentModel(joined);
  assert.equal([core, types.get('book')?.description, types.has('film')], [true, 'Ours', true]);
  assert.equal(
    meta.get('book')?.map(({ key, type }) => [key, type]),
    [
      ['isbn', 'string'],
      ['shelf', 'string'],
      ['footnotes', 'string'],
    ],
  );
  assert.is(joinContent('core', {}).core, true);
});

join.run();
