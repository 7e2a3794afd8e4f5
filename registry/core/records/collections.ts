import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor, FieldDescriptor } from '../../../lib/store/collection.ts';
import type { RecordOf, StoredRecord } from '../../../lib/store/store.ts';
import type { ContentModel } from '../model/content-model.ts';
import { withMetaIndexes } from './meta-values.ts';

const TEXT = { type: 'text' } as const;
const FOLDED = { type: 'text', folded: true } as const;
const INTEGER = { type: 'integer' } as const;
/** Ids of records. Imports replace them, and 0 is none. */
const POST = { type: 'integer', references: 'posts' } as const;
const TERM = { type: 'integer', references: 'terms' } as const;
const USER = { type: 'integer', references: 'users' } as const;
const TERM_IDS = { type: 'integers', references: 'terms' } as const;
const JSON_VALUE = { type: 'json' } as const;
const TEXTS = { type: 'texts' } as const;

/** A name of the site: a type, a status, a language. */
const NAME = { type: 'text', maxLength: 100 } as const satisfies FieldDescriptor;

/** A date: `YYYY-MM-DDTHH:MM:SS`, or empty. */
const DATE = { type: 'text', maxLength: 40 } as const satisfies FieldDescriptor;

/** Comments. Their dates are those of posts. */
const commentCollection = {
  name: 'comments',
  fields: {
    post: POST,
    /** Type and language of the post. The type never changes. */
    post_type: NAME,
    language: NAME,
    parent: { type: 'integer', references: 'comments' },
    /** 0: a visitor. */
    author: USER,
    author_name: FOLDED,
    author_email: TEXT,
    author_url: TEXT,
    author_ip: TEXT,
    author_user_agent: TEXT,
    date: DATE,
    date_gmt: DATE,
    content: FOLDED,
    status: NAME,
    type: NAME,
    /** Status before the trash or the spam. */
    trashed_from: TEXT,
    meta: JSON_VALUE,
    /** When it was written, in milliseconds since 1970, whatever date it shows. */
    written: INTEGER,
    /** The same text by the same author on the same post, and the quarter of a minute in which an author wrote. '' for none. Two writers at once cannot both have one. */
    sameness: TEXT,
    pace: TEXT,
  },
  unique: [
    { fields: ['sameness'], except: { sameness: '' } },
    { fields: ['pace'], except: { pace: '' } },
  ],
  indexes: [
    ['post', 'status', 'type', 'date_gmt'],
    ['language', 'status', 'type', 'date_gmt'],
    ['parent', 'status'],
    ['author', 'status', 'date_gmt'],
    ['author_email', 'status', 'date_gmt'],
    ['author_ip', 'written'],
  ],
  logged: { keeps: ['status', 'type', 'post', 'post_type', 'language', 'author'] },
} as const satisfies CollectionDescriptor;

/** Collections that several namespaces share. Dates have the format `YYYY-MM-DDTHH:MM:SS`, in site time or, if the name ends in `_gmt`, in GMT. */
export const siteCollections = [
  {
    name: 'users',
    fields: {
      login: FOLDED,
      name: FOLDED,
      slug: FOLDED,
      /** The first role; '' for none. `more_roles`: all others. */
      role: TEXT,
      more_roles: TEXTS,
      email: FOLDED,
      description: TEXT,
      url: TEXT,
      registered_gmt: TEXT,
      first_name: TEXT,
      last_name: TEXT,
      nickname: TEXT,
      locale: TEXT,
      meta: JSON_VALUE,
      /** The folded address of a user that was written through the API, so that two concurrent writers cannot take the same one; '' for others. */
      email_key: TEXT,
      /** Who the user is for the host's own login, such as `sub` of OpenID Connect; '' for nobody there. */
      subject: { type: 'text', maxLength: 255 },
      /** Language pairs of a translator: `en:fr`. */
      language_pairs: TEXTS,
    },
    unique: [
      { fields: ['login'] },
      { fields: ['slug'] },
      { fields: ['email_key'], except: { email_key: '' } },
      { fields: ['subject'], except: { subject: '' } },
    ],
    indexes: [['role'], ['name'], ['email']],
    logged: { keeps: ['slug'] },
  },
  {
    /** Passwords. Only a hash is stored. An application password has a `uuid`; the password that a person logs in with has none. */
    name: 'credentials',
    fields: {
      user: USER,
      name: TEXT,
      hash: TEXT,
      created_gmt: TEXT,
      uuid: TEXT,
      app_id: TEXT,
      last_used_gmt: TEXT,
      last_ip: TEXT,
    },
    unique: [{ fields: ['uuid'], except: { uuid: '' } }],
    indexes: [['user']],
  },
  {
    name: 'terms',
    fields: {
      taxonomy: NAME,
      name: FOLDED,
      slug: FOLDED,
      parent: TERM,
      description: TEXT,
      language: NAME,
      meta: JSON_VALUE,
      /** Translation group: the terms of a group are translations of each other. 0 for none. */
      group: INTEGER,
      /** The languages of the other members of the group. */
      siblings: TEXTS,
    },
    // Not unique: group and language, because stores of older versions may violate such a key. Writers claim another member of the group instead.
    unique: [{ fields: ['taxonomy', 'language', 'slug'] }],
    logged: { keeps: ['taxonomy', 'language', 'slug'] },
    indexes: [['taxonomy', 'name'], ['taxonomy', 'language', 'name'], ['group'], ['parent']],
  },
  {
    name: 'media',
    fields: {
      author: USER,
      date: DATE,
      /** '' in records of older versions: derived from the date. */
      date_gmt: DATE,
      modified: DATE,
      modified_gmt: DATE,
      title: FOLDED,
      slug: TEXT,
      alt: TEXT,
      caption: FOLDED,
      description: FOLDED,
      /** '' or inherit: as visible as the post `parent`. */
      status: TEXT,
      parent: POST,
      comment_status: TEXT,
      ping_status: TEXT,
      mime_type: TEXT,
      /** Path below the uploads, or an absolute address. */
      file: FOLDED,
      width: INTEGER,
      height: INTEGER,
      filesize: INTEGER,
      /** Smaller copies of a picture by name: `{file, width, height, mime_type, filesize}`. */
      sizes: JSON_VALUE,
      /** EXIF orientation of a picture, 1 to 8; 0 or 1: it is stored upright. `width` and `height` are those of the upright picture. */
      orientation: INTEGER,
      /** The slug, if a write chose it, so that two writes at the same moment cannot choose the same. '' in imported and older records, whose slugs may repeat. */
      chosen_slug: TEXT,
      /** '' for a file that all languages share. */
      language: NAME,
      /** Translation group: the records of a group are one file with texts in several languages. 0 for none. */
      group: INTEGER,
      /** The other members of the group, as `keep-siblings.ts` writes them. */
      siblings: { type: 'texts' },
    },
    unique: [
      { fields: ['chosen_slug'], except: { chosen_slug: '' } },
      { fields: ['group', 'language'], except: { group: 0 } },
    ],
    indexes: [['date'], ['parent'], ['author', 'date'], ['slug'], ['group']],
    logged: { keeps: ['status', 'parent', 'author', 'slug'] },
  },
  {
    /** Settings: `group` is the owner (`site`, `seo`, `user:3`), `value` is any JSON. */
    name: 'options',
    fields: { group: TEXT, key: TEXT, value: JSON_VALUE },
    unique: [{ fields: ['group', 'key'] }],
    logged: { keeps: ['group', 'key'] },
  },
  {
    /**
     * How far readers of the log of changes have come. `positions`: the revision of each collection. `holder`, `expires`: the process that
     * reads for them, and until when no other may, in milliseconds since 1970.
     */
    name: 'change_readers',
    fields: {
      name: TEXT,
      positions: JSON_VALUE,
      holder: TEXT,
      expires: INTEGER,
    },
    unique: [{ fields: ['name'] }],
    transient: true,
  },
  {
    /** Locks for jobs that only one process may run at a time. `expires`: milliseconds since 1970. */
    name: 'locks',
    fields: { name: TEXT, key: TEXT, expires: INTEGER },
    unique: [{ fields: ['name'] }],
    transient: true,
  },
] as const satisfies readonly CollectionDescriptor[];

/** Collections that the representation of a post reads in addition to the post and its history. */
export const SURROUNDINGS = ['terms', 'media', 'users', 'options'] as const;
/** Every collection on which the response to a read of posts depends. */
export const SHOWN = ['posts', 'post_history', ...SURROUNDINGS] as const;

/** Posts and their past texts. A floating draft has an empty `date_gmt`. */
export const postCollections = [
  {
    name: 'posts',
    fields: {
      type: NAME,
      language: NAME,
      /** Translation group: the posts of a group are translations of each other. 0 for none. */
      group: INTEGER,
      /** The other members of the group, as `keep-siblings.ts` writes them. */
      siblings: TEXTS,
      status: NAME,
      slug: FOLDED,
      author: USER,
      date: DATE,
      date_gmt: DATE,
      modified: DATE,
      modified_gmt: DATE,
      title: FOLDED,
      content: FOLDED,
      excerpt: FOLDED,
      password: TEXT,
      parent: POST,
      menu_order: INTEGER,
      comment_status: TEXT,
      ping_status: TEXT,
      format: TEXT,
      sticky: { type: 'boolean' },
      template: TEXT,
      featured_media: { type: 'integer', references: 'media' },
      categories: TERM_IDS,
      tags: TERM_IDS,
      /** Terms of all registered taxonomies. */
      terms: TERM_IDS,
      meta: JSON_VALUE,
      /** Status and slug of the post before it went to the trash. */
      trashed_from: TEXT,
      trashed_slug: TEXT,
    },
    unique: [
      { fields: ['type', 'language', 'parent', 'slug'], except: { slug: '' } },
      { fields: ['group', 'language'], except: { group: 0 } },
    ],
    indexes: [
      // Every list query has the type. With it in the index, a total is counted without reading the records.
      ['language', 'status', 'type', 'date'],
      ['language', 'status', 'type', 'modified'],
      ['language', 'status', 'type', 'title'],
      ['language', 'status', 'type', 'slug'],
      ['language', 'status', 'type', 'author'],
      ['language', 'status', 'type', 'author', 'date'],
      ['status', 'date_gmt'],
      ['group'],
      ['parent'],
      ['sticky', 'language', 'status', 'type', 'date'],
      ['slug'],
      // Searches leave out posts with a password, except those of the caller.
      ['language', 'status', 'type', 'password', 'author'],
      ['categories', 'language', 'status', 'type', 'date'],
      ['tags', 'language', 'status', 'type', 'date'],
      ['terms', 'language', 'status', 'type', 'date'],
    ],
    search: ['title', 'content', 'excerpt'],
    logged: { keeps: ['type', 'language', 'status', 'author', 'slug', 'parent'], hides: ['password'] },
  },
  {
    /** `autosave` is false for the text that an update wrote, and true for the unsaved text of one author, at most one per post and author. */
    name: 'revisions',
    fields: {
      parent: POST,
      autosave: { type: 'boolean' },
      author: USER,
      date: DATE,
      date_gmt: DATE,
      modified: DATE,
      modified_gmt: DATE,
      slug: FOLDED,
      title: FOLDED,
      content: FOLDED,
      excerpt: FOLDED,
      meta: JSON_VALUE,
      /** `post:author` of an autosave, so that two concurrent writers cannot make two of them; '' for revisions. */
      autosave_key: TEXT,
    },
    unique: [{ fields: ['autosave_key'], except: { autosave_key: '' } }],
    indexes: [
      ['parent', 'date'],
      ['parent', 'autosave'],
    ],
  },
  {
    /**
     * The number of revisions of each post, and the highest id of its revisions and autosaves. This is not a field of the post,
     * because an autosave does not change the post or its version. The record is created and removed with the post.
     */
    name: 'post_history',
    fields: { post: POST, count: INTEGER, newest: { type: 'integer', references: 'revisions' } },
    unique: [{ fields: ['post'] }],
  },
  commentCollection,
  {
    /** Slugs under which published posts had an address before. */
    name: 'old_slugs',
    fields: { post: POST, language: TEXT, slug: TEXT },
    indexes: [['slug', 'language'], ['post']],
  },
] as const satisfies readonly CollectionDescriptor[];

/** The collections of the core by name, without the fields that the content of a site adds. */
export const coreCollections: ReadonlyMap<string, CollectionDescriptor> = new Map(
  [...siteCollections, ...postCollections].map((collection) => [collection.name, collection]),
);

/** A record of the collection of this name, as it is stored. `T`: what is known of its JSON fields. */
export type RecordIn<
  N extends (typeof siteCollections | typeof postCollections)[number]['name'],
  T = Readonly<Record<never, never>>,
> = StoredRecord &
  Omit<
    RecordOf<Extract<(typeof siteCollections | typeof postCollections)[number], { readonly name: N }>>,
    keyof T
  > &
  T;

/** The meta values of a record, by key. */
export type MetaOfRecord = { readonly [key: string]: Json };

/** The collections of posts for a site with this content. */
export function toPostCollections(content: ContentModel): readonly CollectionDescriptor[] {
  const [posts, ...others] = postCollections;
  return [withMetaIndexes(posts, content), ...others];
}
