import { RestError } from '../../../lib/core/errors.ts';
import { thenMaybe } from '../../../lib/core/maybe-promise.ts';
import type { Refuse } from '../../../lib/crud/plain-collection.ts';
import type { Permission } from '../../../lib/route/call.ts';
import { subject, type Subject } from '../../../lib/route/subject.ts';
import type { UserRecord } from '../records/user-record.ts';
import type { UserDeps } from './deps.ts';
import { userError } from './errors.ts';
import { permitUserList } from './list-users.ts';
import { mayAlwaysSee, mayEditUser, refuseCreate, refuseRemove, refuseUpdate } from './rights.ts';

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
export function createUserPermissions(context: UserDeps): Readonly<Record<string, Permission>> {
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
