import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { DATE, NAME } from '../model/short-fields.ts';

/** Collections that several namespaces share. Dates have the format `YYYY-MM-DDTHH:MM:SS`, in site time or, if the name ends in `_gmt`, in GMT. */
export const siteCollections = [
  {
    name: 'users',
    fields: {
      login: { type: 'text', folded: true },
      name: { type: 'text', folded: true },
      slug: { type: 'text', folded: true },
      /** The first role; '' for none. `more_roles`: all others. */
      role: { type: 'text' },
      more_roles: { type: 'texts' },
      email: { type: 'text', folded: true },
      description: { type: 'text' },
      url: { type: 'text' },
      registered_gmt: { type: 'text' },
      first_name: { type: 'text' },
      last_name: { type: 'text' },
      nickname: { type: 'text' },
      locale: { type: 'text' },
      meta: { type: 'json' },
      /** The folded address of a user that was written through the API, so that two concurrent writers cannot take the same one; '' for others. */
      email_key: { type: 'text' },
      /** Who the user is for the host's own login, such as `sub` of OpenID Connect; '' for nobody there. */
      subject: { type: 'text', maxLength: 255 },
      /** Language pairs of a translator: `en:fr`. */
      language_pairs: { type: 'texts' },
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
      user: { type: 'integer' },
      name: { type: 'text' },
      hash: { type: 'text' },
      created_gmt: { type: 'text' },
      uuid: { type: 'text' },
      app_id: { type: 'text' },
      last_used_gmt: { type: 'text' },
      last_ip: { type: 'text' },
    },
    unique: [{ fields: ['uuid'], except: { uuid: '' } }],
    indexes: [['user']],
  },
  {
    name: 'terms',
    fields: {
      taxonomy: NAME,
      name: { type: 'text', folded: true },
      slug: { type: 'text', folded: true },
      parent: { type: 'integer' },
      description: { type: 'text' },
      language: NAME,
      meta: { type: 'json' },
      /** Translation group: the terms of a group are translations of each other. 0 for none. */
      group: { type: 'integer' },
      /** The languages of the other members of the group. */
      siblings: { type: 'texts' },
    },
    // Not unique: group and language, because stores of older versions may violate such a key. Writers claim another member of the group instead.
    unique: [{ fields: ['taxonomy', 'language', 'slug'] }],
    logged: { keeps: ['taxonomy', 'language', 'slug'] },
    indexes: [['taxonomy', 'name'], ['taxonomy', 'language', 'name'], ['group'], ['parent']],
  },
  {
    name: 'media',
    fields: {
      author: { type: 'integer' },
      date: DATE,
      date_gmt: DATE,
      modified: DATE,
      modified_gmt: DATE,
      title: { type: 'text', folded: true },
      slug: { type: 'text' },
      alt: { type: 'text' },
      caption: { type: 'text', folded: true },
      description: { type: 'text', folded: true },
      /** '' or inherit: as visible as the post `parent`. */
      status: { type: 'text' },
      parent: { type: 'integer' },
      comment_status: { type: 'text' },
      ping_status: { type: 'text' },
      mime_type: { type: 'text' },
      file: { type: 'text', folded: true },
      width: { type: 'integer' },
      height: { type: 'integer' },
      filesize: { type: 'integer' },
      /** Smaller copies of a picture by name: `{file, width, height, mime_type, filesize}`. */
      sizes: { type: 'json' },
      /** EXIF orientation of a picture; 0: not known. */
      orientation: { type: 'integer' },
      /** The slug, if a write chose it, so that two writes at the same moment cannot choose the same. '' in imported and older records, whose slugs may repeat. */
      chosen_slug: { type: 'text' },
      /** '' for a file that all languages share. */
      language: NAME,
      /** Translation group: the records of a group are one file with texts in several languages. 0 for none. */
      group: { type: 'integer' },
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
    fields: { group: { type: 'text' }, key: { type: 'text' }, value: { type: 'json' } },
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
      name: { type: 'text' },
      positions: { type: 'json' },
      holder: { type: 'text' },
      expires: { type: 'integer' },
    },
    unique: [{ fields: ['name'] }],
    transient: true,
  },
  {
    /** Locks for jobs that only one process may run at a time. `expires`: milliseconds since 1970. */
    name: 'locks',
    fields: { name: { type: 'text' }, key: { type: 'text' }, expires: { type: 'integer' } },
    unique: [{ fields: ['name'] }],
    transient: true,
  },
] as const satisfies readonly CollectionDescriptor[];
