import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { USUAL_LOCALE } from '../records/user-record.ts';
import { namedListArgs } from '../schemas/list-args.ts';

const TEXT_LIST = { type: 'array', items: { type: 'string' } } as const;

export const userIdArg = { description: 'ID of the user.', type: 'integer' } as const;

/** Query parameters of the list of users. */
export const userListArgs = {
  ...namedListArgs,
  orderby: {
    description: 'Attribute by which the users are sorted.',
    type: 'string',
    default: 'name',
    enum: ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'],
  },
  slug: { description: 'Only users with one of these slugs.', ...TEXT_LIST },
  roles: { description: 'Only users with one of these roles.', ...TEXT_LIST },
  capabilities: { description: 'Only users with one of these capabilities.', ...TEXT_LIST },
  who: { description: 'Only users who can write posts.', type: 'string', enum: ['authors'] },
  has_published_posts: {
    description: 'Only users who have published something: true for all types, or a list of types.',
    type: ['boolean', 'array'],
    items: { type: 'string' },
  },
  search_columns: {
    description: 'Attributes to search in.',
    default: [],
    type: 'array',
    items: { type: 'string', enum: ['email', 'name', 'id', 'username', 'slug'] },
  },
} as const satisfies ArgSchemas;

/** The writable fields of a user. */
export const userWriteArgs = {
  username: { description: 'Login name of the user.', type: 'string' },
  name: { description: 'Name of the user, as it is shown.', type: 'string' },
  first_name: { description: 'First name of the user.', type: 'string' },
  last_name: { description: 'Last name of the user.', type: 'string' },
  email: { description: 'E-mail address of the user.', type: 'string', format: 'email' },
  url: { description: 'URL of the user.', type: 'string', format: 'uri' },
  description: { description: 'Description of the user.', type: 'string' },
  locale: {
    description: 'Locale of the user; empty for that of the site.',
    type: 'string',
    enum: ['', USUAL_LOCALE],
  },
  nickname: { description: 'Nickname of the user.', type: 'string' },
  slug: { description: 'Slug of the user, unique among users.', type: 'string' },
  roles: { description: 'Roles of the user.', ...TEXT_LIST },
  password: { description: 'Password of the user. It is never shown.', type: 'string' },
  meta: { description: 'Meta fields of the user.', type: 'object' },
} as const satisfies ArgSchemas;

/** The fields of a new user. */
export const userCreateArgs = {
  ...userWriteArgs,
  username: { ...userWriteArgs.username, required: true },
  email: { ...userWriteArgs.email, required: true },
  password: { ...userWriteArgs.password, required: true },
} as const satisfies ArgSchemas;

/** Query parameters of a removal. */
export const userRemoveArgs = {
  force: {
    description: 'Must be true: users cannot be moved to the trash.',
    type: 'boolean',
    default: false,
  },
  reassign: {
    description: 'ID of the user who gets the posts of the removed one; empty or false for none.',
    type: 'integer',
    required: true,
  },
} as const satisfies ArgSchemas;

/** Parameters of a new application password. */
export const passwordCreateArgs = {
  app_id: {
    description: 'UUID by which the application identifies itself.',
    type: 'string',
    oneOf: [
      { type: 'string', format: 'uuid' },
      { type: 'string', enum: [''] },
    ],
  },
  name: {
    description: 'Name of the application password.',
    type: 'string',
    required: true,
    minLength: 1,
    pattern: '.*\\S.*',
  },
} as const satisfies ArgSchemas;

/** Parameters of a change of an application password. */
export const passwordUpdateArgs = {
  app_id: passwordCreateArgs.app_id,
  name: {
    description: 'Name of the application password.',
    type: 'string',
    minLength: 1,
    pattern: '.*\\S.*',
  },
} as const satisfies ArgSchemas;
