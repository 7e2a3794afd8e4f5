import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { contextArg } from '../schemas/list-args.ts';
import {
  passwordCreateArgs,
  passwordUpdateArgs,
  userCreateArgs,
  userIdArg,
  userListArgs,
  userRemoveArgs,
  userWriteArgs,
} from './args.ts';
import { passwordResource, userResource } from './resources.ts';

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
