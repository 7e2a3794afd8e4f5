import { RestError } from '../../../lib/core/errors.ts';
import { thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { PlainCollection, type Refuse } from '../../../lib/crud/plain-collection.ts';
import { type Permission, subject, type Subject } from '../../../lib/route/call.ts';
import { type CmsContribution, defineContribution } from '../host/contribution.ts';
import { hasPages } from '../model/content-type.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import { checkSearch } from '../records/kind.ts';
import { checkMetaObject, createRecordMeta, type RecordMeta } from '../records/meta-values.ts';
import type { UserRecord } from '../records/user-record.ts';
import { createPasswordHandlers, createPasswordPermissions } from './application-passwords.ts';
import { createAuthors } from './authors.ts';
import { createUserChecks } from './checks.ts';
import { listUsers, permitUserList } from './list-users.ts';
import {
  mayAlwaysSee,
  mayEditUser,
  refuseCreate,
  refuseRemove,
  refuseUpdate,
  type UserDeps,
  userError,
} from './permissions.ts';
import { usersDescriptor } from './routes.ts';
import { createUserHandlers } from './users.ts';
import { createShowUsers } from './view.ts';

const refuseEditContext: Refuse<UserRecord> = ({ identity }, user, args) =>
  args['context'] === 'edit' && !mayEditUser(identity, user) ? userError('rest_forbidden_context') : null;

const permitCreate: Permission = (_args, call) => refuseCreate(call) ?? true;

/** A permission on the record of the caller. */
function permitMe({ users }: UserDeps, refuse: Refuse<UserRecord>, missing: () => RestError): Permission {
  return (args, call) =>
    thenMaybe(users.load(call, call.identity.id), (user) =>
      user === null ? missing() : (refuse(call, user, args) ?? subject(user)),
    );
}

/** Permission functions of users by id. */
function createUserPermissions(context: UserDeps): Readonly<Record<string, Permission>> {
  const { users, authors } = context;
  const onUser = users.permission('id', refuseEditContext);
  const invalidId = (): RestError => userError('rest_user_invalid_id');
  const see = async (verdict: Subject<UserRecord>): Promise<Subject<UserRecord> | RestError> =>
    (await authors.has(verdict.record.id)) ? verdict : userError('rest_user_cannot_view');
  return {
    'cms.users.list': permitUserList,
    'cms.users.create': permitCreate,
    'cms.users.read': (args, call) =>
      thenMaybe(onUser(args, call), (verdict) =>
        verdict instanceof RestError || mayAlwaysSee(call.identity, verdict.record) ? verdict : see(verdict),
      ),
    'cms.users.update': users.permission('id', refuseUpdate),
    'cms.users.remove': users.permission('id', refuseRemove),
    'cms.users.updateMe': permitMe(context, refuseUpdate, invalidId),
    'cms.users.removeMe': permitMe(context, refuseRemove, invalidId),
  };
}

function createContext(context: CmsDeps): UserDeps {
  const { postTypes, meta: registered } = context.content;
  const meta = createRecordMeta(registered.get('user') ?? [], 'Meta fields of the user.');
  const users = new PlainCollection<UserRecord>({
    store: context.store,
    collection: 'users',
    missing: () => userError('rest_user_invalid_id'),
    pathOf: ({ id }) => `/cms/v2/users/${id}`,
    show: createShowUsers(context, meta),
    until: context.nextDue,
  });
  return {
    ...context,
    users,
    meta,
    authors: createAuthors({
      store: context.store,
      publishDue: context.publishDue,
      languages: context.ports.config.languages,
      types: postTypes.filter(hasPages).map(({ name }) => name),
    }),
  };
}

/** The descriptor with the meta that the site registers. */
function describeUsers({ schema }: RecordMeta): typeof usersDescriptor {
  const { user } = usersDescriptor.resources;
  const routes = usersDescriptor.routes.map((route) => ({
    ...route,
    endpoints: route.endpoints.map((endpoint) =>
      'meta' in endpoint.args
        ? { ...endpoint, args: { ...endpoint.args, meta: { ...endpoint.args.meta, ...schema } } }
        : endpoint,
    ),
  }));
  const properties = { ...user.properties, meta: { ...user.properties.meta, ...schema } };
  return {
    ...usersDescriptor,
    routes,
    resources: { ...usersDescriptor.resources, user: { ...user, properties } },
  } as unknown as typeof usersDescriptor;
}

/** Users and their application passwords. */
export function contributeUsers(shared: CmsDeps): CmsContribution {
  const context = createContext(shared);
  return defineContribution(
    describeUsers(context.meta),
    {
      'cms.users.list': (args, call) => listUsers(context, args, call),
      ...createUserHandlers(context),
      ...createPasswordHandlers(context),
    },
    {
      permissions: { ...createUserPermissions(context), ...createPasswordPermissions(context) },
      checks: {
        ...createUserChecks([...shared.content.types.keys()]),
        'cms.users.meta': checkMetaObject,
        'cms.search': checkSearch,
      },
    },
  );
}
