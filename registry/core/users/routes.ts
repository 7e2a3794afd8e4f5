import type {
  LinkDescriptor,
  NamespaceDescriptor,
  ResourceDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { handledBy } from '../host/contribution.ts';
import { USUAL_LOCALE } from '../records/user-record.ts';
import {
  contextArg,
  dateArg,
  forceArg,
  idArg,
  namedListArgs,
  orderbyArg,
  stringArg,
  TEXT_LIST,
  urlArg,
} from '../schemas/common-args.ts';
import { EDIT, READONLY_EDIT, toFields, VIEW_EDIT } from '../schemas/fields.ts';
import { withEmptyDates } from '../schemas/post-resources.ts';

const userIdArg = idArg('ID of the user.');

/** Query parameters of the list of users. */
export const userListArgs = {
  ...namedListArgs,
  orderby: orderbyArg('users', 'name', [
    'id',
    'include',
    'name',
    'registered_date',
    'slug',
    'include_slugs',
    'email',
    'url',
  ]),
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
  username: stringArg('Login name of the user.'),
  name: stringArg('Name of the user, as it is shown.'),
  first_name: stringArg('First name of the user.'),
  last_name: stringArg('Last name of the user.'),
  email: { description: 'E-mail address of the user.', type: 'string', format: 'email' },
  url: urlArg('URL of the user.'),
  description: stringArg('Description of the user.'),
  locale: {
    description: 'Locale of the user; empty for that of the site.',
    type: 'string',
    enum: ['', USUAL_LOCALE],
  },
  nickname: stringArg('Nickname of the user.'),
  slug: stringArg('Slug of the user, unique among users.'),
  roles: { description: 'Roles of the user.', ...TEXT_LIST },
  password: stringArg('Password of the user. It is never shown.'),
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
  force: forceArg('Must be true: users cannot be moved to the trash.'),
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

/** The order in which WordPress lists the contexts of users. */
const EVERYWHERE = ['embed', 'view', 'edit'] as const;
const READONLY = { context: EVERYWHERE, readonly: true } as const;

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
  properties: toFields(userCreateArgs, {
    id: { ...userIdArg, ...READONLY },
    username: EDIT,
    name: EVERYWHERE,
    first_name: EDIT,
    last_name: EDIT,
    email: EDIT,
    url: EVERYWHERE,
    description: EVERYWHERE,
    link: {
      ...urlArg('URL of the page of the author.'),
      ...READONLY,
    },
    locale: EDIT,
    nickname: EDIT,
    slug: EVERYWHERE,
    registered_date: {
      ...dateArg('When the user was registered.'),
      ...READONLY_EDIT,
    },
    roles: EDIT,
    password: [],
    capabilities: {
      description: 'All capabilities of the user.',
      type: 'object',
      ...READONLY_EDIT,
    },
    extra_capabilities: {
      description: 'Roles of the user, and capabilities beside them.',
      type: 'object',
      ...READONLY_EDIT,
    },
    avatar_urls: {
      description: 'URLs of the avatar of the user, by size.',
      type: 'object',
      ...READONLY,
      properties: { 24: avatar(24), 48: avatar(48), 96: avatar(96) },
    },
    meta: VIEW_EDIT,
  }),
  // A user of a fixture or an import may have any locale, and no address.
  answers: {
    email: stringArg(userCreateArgs.email.description),
    locale: stringArg(userCreateArgs.locale.description),
  },
  links: { self: { href: '/cms/v2/users/{id}' }, collection: { href: '/cms/v2/users' } },
} as const satisfies ResourceDescriptor);

/** Fields of an application password. */
export const passwordResource = withEmptyDates({
  title: 'application-password',
  properties: toFields(passwordCreateArgs, {
    uuid: {
      description: 'UUID of the application password.',
      type: 'string',
      format: 'uuid',
      ...READONLY,
    },
    app_id: EVERYWHERE,
    name: EVERYWHERE,
    password: {
      ...stringArg('The generated password. It is shown once, in the response to its creation.'),
      ...READONLY_EDIT,
    },
    created: {
      ...dateArg('When the application password was created, in GMT.'),
      ...READONLY,
    },
    last_used: {
      description: 'When the application password was last used, in GMT.',
      type: ['string', 'null'],
      format: 'date-time',
      ...READONLY,
    },
    last_ip: {
      description: 'Address from which the application password was last used.',
      type: ['string', 'null'],
      ...READONLY,
    },
  }),
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
          ...handledBy(
            'cms.users.list',
            'List users',
            'Returns a page of the users whom the caller may see: without the right to list users, those who have published something.',
          ),
          shows: ['page'],
          allow_batch: BATCH,
          cache: SHOWN,
          checkFirst: LIST_FIRST,
          checks: { search: 'cms.search', has_published_posts: 'cms.users.types' },
          args: userListArgs,
        },
        {
          methods: ['POST'],
          ...handledBy(
            'cms.users.create',
            'Create a user',
            'Creates a user with a login, an e-mail address, a password and roles.',
          ),
          shows: ['record'],
          status: 201,
          allow_batch: BATCH,
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
          ...handledBy(
            'cms.users.read',
            'Read a user',
            'Returns a user who has published something, or any user for callers who may see all of them.',
          ),
          shows: ['record'],
          allow_batch: BATCH,
          cache: SHOWN,
          checkFirst: ['context'],
          args: { id: userIdArg, context: contextArg },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          ...handledBy(
            'cms.users.update',
            'Change a user',
            'Changes fields of a user, and the roles for callers who may give them.',
          ),
          needs: ['read'],
          shows: ['record'],
          ifMatch: true,
          allow_batch: BATCH,
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: { id: userIdArg, ...userWriteArgs },
        },
        {
          methods: ['DELETE'],
          ...handledBy(
            'cms.users.remove',
            'Remove a user',
            'Removes a user for good, and gives what the user wrote to another one or discards it.',
          ),
          needs: ['delete_users'],
          shows: ['removal'],
          ifMatch: true,
          allow_batch: BATCH,
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
          ...handledBy(
            'cms.users.updateMe',
            'Change the caller',
            'Changes fields of the user who sends the request.',
          ),
          shows: ['record'],
          ifMatch: true,
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: userWriteArgs,
        },
        {
          methods: ['DELETE'],
          ...handledBy(
            'cms.users.removeMe',
            'Remove the caller',
            'Removes the user who sends the request, for callers who may remove users.',
          ),
          shows: ['removal'],
          ifMatch: true,
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
          ...handledBy(
            'cms.passwords.list',
            'List the application passwords of a user',
            'Returns the names and dates of the passwords with which programs log in as the user, never the passwords themselves.',
          ),
          needs: ['read'],
          shows: ['list'],
          args: { context: contextArg },
        },
        {
          methods: ['POST'],
          ...handledBy(
            'cms.passwords.create',
            'Create an application password',
            'Creates a password for one program and shows it once.',
          ),
          needs: ['read'],
          shows: ['record'],
          status: 201,
          checks: PASSWORD_CHECKS,
          args: passwordCreateArgs,
        },
        {
          methods: ['DELETE'],
          ...handledBy(
            'cms.passwords.removeAll',
            'Remove all application passwords of a user',
            'Removes every application password of the user, so that no program can log in with them any more.',
          ),
          needs: ['read'],
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
          ...handledBy(
            'cms.passwords.introspect',
            'Read the application password that the caller logged in with',
            'Returns the name and dates of the application password of this request.',
          ),
          needs: ['read'],
          shows: ['record'],
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
          ...handledBy(
            'cms.passwords.read',
            'Read an application password',
            'Returns the name and dates of one application password.',
          ),
          needs: ['read'],
          shows: ['record'],
          args: { context: contextArg },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          ...handledBy(
            'cms.passwords.update',
            'Change an application password',
            'Changes the name of one application password.',
          ),
          needs: ['read'],
          shows: ['record'],
          ifMatch: true,
          checks: PASSWORD_CHECKS,
          args: passwordUpdateArgs,
        },
        {
          methods: ['DELETE'],
          ...handledBy(
            'cms.passwords.remove',
            'Remove an application password',
            'Removes one application password, so that its program can no longer log in.',
          ),
          needs: ['read'],
          shows: ['removal'],
          ifMatch: true,
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
