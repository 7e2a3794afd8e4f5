import type {
  LinkDescriptor,
  NamespaceDescriptor,
  ResourceDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { USUAL_LOCALE } from '../records/user-record.ts';
import { contextArg, namedListArgs } from '../schemas/common-args.ts';
import { withEmptyDates } from '../schemas/post-resources.ts';

const TEXT_LIST = { type: 'array', items: { type: 'string' } } as const;

const userIdArg = { description: 'ID of the user.', type: 'integer' } as const;

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
const userCreateArgs = {
  ...userWriteArgs,
  username: { ...userWriteArgs.username, required: true },
  email: { ...userWriteArgs.email, required: true },
  password: { ...userWriteArgs.password, required: true },
} as const satisfies ArgSchemas;

/** Query parameters of a removal. */
const userRemoveArgs = {
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
const passwordCreateArgs = {
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
const passwordUpdateArgs = {
  app_id: passwordCreateArgs.app_id,
  name: {
    description: 'Name of the application password.',
    type: 'string',
    minLength: 1,
    pattern: '.*\\S.*',
  },
} as const satisfies ArgSchemas;

const EVERYWHERE = ['embed', 'view', 'edit'] as const;
const VIEW_EDIT = ['view', 'edit'] as const;
const EDIT = ['edit'] as const;

const avatar = (size: number) =>
  ({
    description: `URL of the avatar with ${size} pixels.`,
    type: 'string',
    format: 'uri',
    context: EVERYWHERE,
  }) as const;

/** Fields and links of a user. */
export const userResource = withEmptyDates({
  title: 'user',
  properties: {
    id: { ...userIdArg, context: EVERYWHERE, readonly: true },
    username: { ...userCreateArgs.username, context: EDIT },
    name: { ...userCreateArgs.name, context: EVERYWHERE },
    first_name: { ...userCreateArgs.first_name, context: EDIT },
    last_name: { ...userCreateArgs.last_name, context: EDIT },
    email: { ...userCreateArgs.email, context: EDIT },
    url: { ...userCreateArgs.url, context: EVERYWHERE },
    description: { ...userCreateArgs.description, context: EVERYWHERE },
    link: {
      description: 'URL of the page of the author.',
      type: 'string',
      format: 'uri',
      context: EVERYWHERE,
      readonly: true,
    },
    locale: { ...userCreateArgs.locale, context: EDIT },
    nickname: { ...userCreateArgs.nickname, context: EDIT },
    slug: { ...userCreateArgs.slug, context: EVERYWHERE },
    registered_date: {
      description: 'When the user was registered.',
      type: 'string',
      format: 'date-time',
      context: EDIT,
      readonly: true,
    },
    roles: { ...userCreateArgs.roles, context: EDIT },
    password: { ...userCreateArgs.password, context: [] },
    capabilities: {
      description: 'All capabilities of the user.',
      type: 'object',
      context: EDIT,
      readonly: true,
    },
    extra_capabilities: {
      description: 'Roles of the user, and capabilities beside them.',
      type: 'object',
      context: EDIT,
      readonly: true,
    },
    avatar_urls: {
      description: 'URLs of the avatar of the user, by size.',
      type: 'object',
      context: EVERYWHERE,
      readonly: true,
      properties: { 24: avatar(24), 48: avatar(48), 96: avatar(96) },
    },
    meta: { ...userCreateArgs.meta, context: VIEW_EDIT },
  },
  // A user of a fixture or an import may have any locale, and no address.
  answers: {
    email: { description: userCreateArgs.email.description, type: 'string' },
    locale: { description: userCreateArgs.locale.description, type: 'string' },
  },
  links: { self: { href: '/cms/v2/users/{id}' }, collection: { href: '/cms/v2/users' } },
} as const satisfies ResourceDescriptor);

/** Fields of an application password. */
export const passwordResource = withEmptyDates({
  title: 'application-password',
  properties: {
    uuid: {
      description: 'UUID of the application password.',
      type: 'string',
      format: 'uuid',
      context: EVERYWHERE,
      readonly: true,
    },
    app_id: { ...passwordCreateArgs.app_id, context: EVERYWHERE },
    name: { ...passwordCreateArgs.name, context: EVERYWHERE },
    password: {
      description: 'The generated password. It is shown once, in the response to its creation.',
      type: 'string',
      context: EDIT,
      readonly: true,
    },
    created: {
      description: 'When the application password was created, in GMT.',
      type: 'string',
      format: 'date-time',
      context: EVERYWHERE,
      readonly: true,
    },
    last_used: {
      description: 'When the application password was last used, in GMT.',
      type: ['string', 'null'],
      format: 'date-time',
      context: EVERYWHERE,
      readonly: true,
    },
    last_ip: {
      description: 'Address from which the application password was last used.',
      type: ['string', 'null'],
      context: EVERYWHERE,
      readonly: true,
    },
  },
} as const satisfies ResourceDescriptor);

/** Links of an application password. They need the user, which is not one of its fields. */
export const passwordLinks = {
  self: { href: '/cms/v2/users/{user}/application-passwords/{uuid}' },
} as const satisfies Readonly<Record<string, LinkDescriptor>>;

const BATCH = { v1: true } as const;
/** The response to a read of users says who has published something. */
const SHOWN = ['users', 'posts', 'options'] as const;
const LIST_FIRST = ['context', 'page', 'per_page', 'search'] as const;
/** As in WordPress, login and password are looked at when everything else is right. */
const WRITE_FIRST = [
  'name',
  'first_name',
  'last_name',
  'email',
  'url',
  'description',
  'locale',
  'nickname',
  'slug',
  'roles',
  'meta',
] as const;
const WRITE_CHECKS = {
  username: 'cms.users.username',
  password: 'cms.users.password',
  meta: 'cms.users.meta',
} as const;
const REMOVE_CHECKS = { reassign: 'cms.users.reassign' } as const;

/** Routes of users. */
const users = {
  routes: [
    {
      pattern: '/cms/v2/users',
      resource: 'user',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.users.list',
          permission: 'cms.users.list',
          shows: ['page'],
          allow_batch: BATCH,
          cache: SHOWN,
          summary: 'List users',
          description:
            'Returns a page of the users whom the caller may see: without the right to list users, those who have published something.',
          checkFirst: LIST_FIRST,
          checks: { search: 'cms.search', has_published_posts: 'cms.users.types' },
          args: userListArgs,
        },
        {
          methods: ['POST'],
          handler: 'cms.users.create',
          permission: 'cms.users.create',
          shows: ['record'],
          status: 201,
          allow_batch: BATCH,
          summary: 'Create a user',
          description: 'Creates a user with a login, an e-mail address, a password and roles.',
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: userCreateArgs,
          body: { id: {} },
        },
      ],
    },
    {
      pattern: '/cms/v2/users/(?P<id>[\\d]+)',
      resource: 'user',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.users.read',
          permission: 'cms.users.read',
          shows: ['record'],
          allow_batch: BATCH,
          cache: SHOWN,
          summary: 'Read a user',
          description:
            'Returns a user who has published something, or any user for callers who may see all of them.',
          checkFirst: ['context'],
          args: { id: userIdArg, context: contextArg },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          handler: 'cms.users.update',
          permission: 'cms.users.update',
          needs: ['read'],
          shows: ['record'],
          ifMatch: true,
          allow_batch: BATCH,
          summary: 'Change a user',
          description: 'Changes fields of a user, and the roles for callers who may give them.',
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: { id: userIdArg, ...userWriteArgs },
        },
        {
          methods: ['DELETE'],
          handler: 'cms.users.remove',
          permission: 'cms.users.remove',
          needs: ['delete_users'],
          shows: ['removal'],
          ifMatch: true,
          allow_batch: BATCH,
          summary: 'Remove a user',
          description:
            'Removes a user for good, and gives what the user wrote to another one or discards it.',
          checks: REMOVE_CHECKS,
          args: { id: userIdArg, ...userRemoveArgs },
        },
      ],
    },
    {
      pattern: '/cms/v2/users/me',
      resource: 'user',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.users.readMe',
          permission: 'public',
          shows: ['record'],
          summary: 'Read the caller',
          description: 'Returns the user who sends the request.',
          checkFirst: ['context'],
          args: { context: contextArg },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          handler: 'cms.users.updateMe',
          permission: 'cms.users.updateMe',
          shows: ['record'],
          ifMatch: true,
          summary: 'Change the caller',
          description: 'Changes fields of the user who sends the request.',
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: userWriteArgs,
        },
        {
          methods: ['DELETE'],
          handler: 'cms.users.removeMe',
          permission: 'cms.users.removeMe',
          shows: ['removal'],
          ifMatch: true,
          summary: 'Remove the caller',
          description: 'Removes the user who sends the request, for callers who may remove users.',
          checks: REMOVE_CHECKS,
          args: userRemoveArgs,
        },
      ],
    },
  ],
} as const satisfies Pick<NamespaceDescriptor, 'routes'>;

const PASSWORD_CHECKS = { app_id: 'cms.passwords.app-id' } as const;
const PASSWORDS = '/cms/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords';

/** Routes of application passwords. */
const passwords = {
  routes: [
    {
      pattern: PASSWORDS,
      resource: 'application-password',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.passwords.list',
          permission: 'cms.passwords.list',
          needs: ['read'],
          shows: ['list'],
          summary: 'List the application passwords of a user',
          description:
            'Returns the names and dates of the passwords with which programs log in as the user, never the passwords themselves.',
          args: { context: contextArg },
        },
        {
          methods: ['POST'],
          handler: 'cms.passwords.create',
          permission: 'cms.passwords.create',
          needs: ['read'],
          shows: ['record'],
          status: 201,
          summary: 'Create an application password',
          description: 'Creates a password for one program and shows it once.',
          checks: PASSWORD_CHECKS,
          args: passwordCreateArgs,
        },
        {
          methods: ['DELETE'],
          handler: 'cms.passwords.removeAll',
          permission: 'cms.passwords.removeAll',
          needs: ['read'],
          summary: 'Remove all application passwords of a user',
          description:
            'Removes every application password of the user, so that no program can log in with them any more.',
          args: {},
          answers: {
            200: { type: 'object', properties: { deleted: { type: 'boolean' }, count: { type: 'integer' } } },
          },
        },
      ],
    },
    {
      pattern: `${PASSWORDS}/introspect`,
      resource: 'application-password',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.passwords.introspect',
          permission: 'cms.passwords.introspect',
          needs: ['read'],
          shows: ['record'],
          summary: 'Read the application password that the caller logged in with',
          description: 'Returns the name and dates of the application password of this request.',
          args: { context: contextArg },
        },
      ],
    },
    {
      pattern: `${PASSWORDS}/(?P<uuid>[\\w\\-]+)`,
      resource: 'application-password',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.passwords.read',
          permission: 'cms.passwords.read',
          needs: ['read'],
          shows: ['record'],
          summary: 'Read an application password',
          description: 'Returns the name and dates of one application password.',
          args: { context: contextArg },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          handler: 'cms.passwords.update',
          permission: 'cms.passwords.update',
          needs: ['read'],
          shows: ['record'],
          ifMatch: true,
          summary: 'Change an application password',
          description: 'Changes the name of one application password.',
          checks: PASSWORD_CHECKS,
          args: passwordUpdateArgs,
        },
        {
          methods: ['DELETE'],
          handler: 'cms.passwords.remove',
          permission: 'cms.passwords.remove',
          needs: ['read'],
          shows: ['removal'],
          ifMatch: true,
          summary: 'Remove an application password',
          description: 'Removes one application password, so that its program can no longer log in.',
          args: {},
        },
      ],
    },
  ],
} as const satisfies Pick<NamespaceDescriptor, 'routes'>;

/** Routes of users and of their application passwords. */
export const usersDescriptor = {
  namespace: 'cms/v2',
  routes: [...users.routes, ...passwords.routes],
  resources: { user: userResource, 'application-password': passwordResource },
} as const satisfies NamespaceDescriptor;
