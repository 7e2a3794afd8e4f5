import type { RestError } from '../../../lib/core/errors.ts';
import { can, type Identity } from '../../../lib/core/identity.ts';
import type { Refuse } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { capabilitiesOf, ROLES } from '../accounts/roles.ts';
import type { UserRecord } from '../records/user-record.ts';
import { roleError, userError } from './errors.ts';

type Known = Pick<UserRecord, 'id'>;

const isSelf = (identity: Identity, { id }: Known): boolean => identity.id !== 0 && identity.id === id;

/** Everybody may edit himself, and administrators may edit everybody. */
export const mayEditUser = (identity: Identity, user: Known): boolean =>
  isSelf(identity, user) || can(identity, 'edit_users');
export const mayRemoveUser = (identity: Identity): boolean => can(identity, 'delete_users');
export const mayListUsers = (identity: Identity): boolean => can(identity, 'list_users');

/** Whether the caller may see the user without being told who has published something. */
export const mayAlwaysSee = (identity: Identity, user: Known): boolean =>
  mayEditUser(identity, user) || mayListUsers(identity);

/** As in WordPress, the right to give roles is asked before the right to edit, and is enough for a request that changes nothing else. */
export const refuseUpdate: Refuse<UserRecord> = ({ identity, given }, user, args) => {
  const roles = args['roles'];
  if (Array.isArray(roles) && roles.length > 0) {
    if (!can(identity, 'promote_users')) return userError('rest_cannot_edit_roles');
    if ([...given].every((name) => name === 'id' || name === 'roles')) return null;
  }
  return mayEditUser(identity, user) ? null : userError('rest_cannot_edit');
};

export const refuseCreate = ({ identity }: Pick<Call, 'identity'>): RestError | null =>
  can(identity, 'create_users') ? null : userError('rest_cannot_create_user');

export const refuseRemove: Refuse<UserRecord> = ({ identity }) =>
  mayRemoveUser(identity) ? null : userError('rest_user_cannot_delete');

const unknownRole = (role: string): RestError =>
  userError('rest_user_invalid_role', { message: `The role ${role} does not exist.` });

/**
 * Checks that the caller may give these roles: they exist, and an administrator does not take away his own rights.
 * `user`: null for a new one. @throws RestError `rest_user_invalid_role`
 */
export function checkRoles(identity: Identity, user: Known | null, roles: readonly string[]): void {
  for (const role of roles) {
    if (!Object.hasOwn(ROLES, role)) throw unknownRole(role);
    if (user !== null && isSelf(identity, user) && !capabilitiesOf(role).has('edit_users'))
      throw roleError('rest_user_invalid_role');
  }
}
