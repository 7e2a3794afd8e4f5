import { createErrors, type ErrorTable, type RestError } from '../../../lib/core/errors.ts';
import { can, type Identity } from '../../../lib/core/identity.ts';
import type { PlainCollection, Refuse } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq, not, type Predicate } from '../../../lib/store/query.ts';
import {
  findFirst,
  type Operation,
  type Store,
  type StoredRecord,
  toUpdate,
} from '../../../lib/store/store.ts';
import { isOfRecord, readCaller } from '../accounts/roles.ts';
import { capabilitiesOf, ROLES, userOf, withRole } from '../accounts/roles.ts';
import { inTreeTurn } from '../limits/locks.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import type { UserRecord } from '../records/user-record.ts';
import type { Authors } from './authors.ts';

/** What the caller does to a user. */
interface Deed {
  /** Id of the user; null: a new one. */
  readonly user: number | null;
  /** Why the caller with the rights of this call may not do it; null: it is allowed. */
  readonly refuse: (call: Call) => RestError | null;
  /** Given if it takes away the role of an administrator or removes the user: the refusal for the last administrator. */
  readonly demotes?: 'rest_cannot_edit_roles' | 'rest_user_cannot_delete';
  /** The commit itself changes the record of the user. */
  readonly changesUser: boolean;
}

const toTouch = (user: StoredRecord): Operation => toUpdate('users', user, {});

/** An administrator of this kind; undefined: there is none. */
async function findAdministrator(store: Store, which: Predicate): Promise<StoredRecord | undefined> {
  return findFirst(store, {
    collection: 'users',
    where: and(withRole(['administrator']), which),
    fields: [],
  });
}

/** Another administrator who stays, as an operation; none if the user is not one. @throws RestError for the last one */
async function keepAdministrator(
  store: Store,
  user: number,
  refusal: NonNullable<Deed['demotes']>,
): Promise<readonly Operation[]> {
  if ((await findAdministrator(store, eq('id', user))) === undefined) return [];
  const staying = await findAdministrator(store, not(eq('id', user)));
  if (staying === undefined) throw userError(refusal);
  return [toTouch(staying)];
}

/**
 * Checks the right of the caller again, and returns the operations by which a commit fails if the right ends before it: the record of the
 * caller must not have changed. Otherwise two administrators who take away each other's rights at the same time would both succeed.
 * A password belongs to its user in the same way. A caller whose rights a login of the host gives has no record that gives them; then
 * another administrator must stay. @throws RestError the refusal
 */
export async function claimRight(
  store: Store,
  call: Call,
  { user, refuse, demotes, changesUser }: Deed,
): Promise<readonly Operation[]> {
  const { identity, record: caller } = await readCaller(store, call.identity);
  const refusal = refuse({ ...call, identity });
  if (refusal !== null) throw refusal;
  const owner = changesUser || user === null || user === caller?.id ? null : await store.get('users', user);
  if (owner === null && !changesUser && user !== null && user !== caller?.id)
    throw userError('rest_user_invalid_id');
  const kept =
    caller === null && user !== null && user !== identity.id && demotes !== undefined
      ? await keepAdministrator(store, user, demotes)
      : [];
  const touched = [caller, owner].filter((record) => record !== null && !(changesUser && record.id === user));
  return [...kept, ...touched.map((record) => toTouch(record as StoredRecord))];
}

const TURNS = 64;

/** Runs one change of users by a caller at a time, because each of them claims the record of the caller. */
export function inCallersTurn<T>(store: Store, { identity }: Call, run: () => Promise<T>): Promise<T> {
  return isOfRecord(identity) ? inTreeTurn(store, `callers ${userOf(identity) % TURNS}`, run) : run();
}

/** Errors of users and application passwords. A code with several messages has one row for each. */
export const USER_ERRORS = {
  rest_user_invalid_id: [404, 'Invalid user ID.'],
  rest_user_cannot_view: ['denied', 'Sorry, you are not allowed to list users.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit this user.'],
  rest_forbidden_orderby: ['denied', 'Sorry, you are not allowed to order users by this parameter.'],
  rest_forbidden_who: ['denied', 'Sorry, you are not allowed to query users by this parameter.'],
  rest_not_logged_in: [401, 'You are not currently logged in.'],
  rest_cannot_create_user: ['denied', 'Sorry, you are not allowed to create new users.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this user.'],
  rest_cannot_edit_roles: ['denied', 'Sorry, you are not allowed to edit roles of this user.'],
  rest_user_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this user.'],
  rest_user_exists: [400, 'Cannot create existing user.'],
  rest_user_invalid_role: [400, 'The role does not exist.'],
  rest_user_invalid_argument: [400, 'Username is not editable.'],
  rest_user_invalid_email: [400, 'Invalid email address.'],
  rest_user_invalid_slug: [400, 'Invalid slug.'],
  rest_user_invalid_reassign: [400, 'Invalid user ID for reassignment.'],
  existing_user_login: [400, 'Sorry, that username already exists!'],
  existing_user_email: [400, 'Sorry, that email address is already used!'],
  rest_trash_not_supported: [501, "Users do not support trashing. Set 'force=true' to delete."],
  rest_cannot_list_application_passwords: [
    'denied',
    'Sorry, you are not allowed to list application passwords for this user.',
  ],
  rest_cannot_create_application_passwords: [
    'denied',
    'Sorry, you are not allowed to create application passwords for this user.',
  ],
  rest_cannot_read_application_password: [
    'denied',
    'Sorry, you are not allowed to read this application password.',
  ],
  rest_cannot_edit_application_password: [
    'denied',
    'Sorry, you are not allowed to edit this application password.',
  ],
  rest_cannot_delete_application_password: [
    'denied',
    'Sorry, you are not allowed to delete this application password.',
  ],
  rest_cannot_delete_application_passwords: [
    'denied',
    'Sorry, you are not allowed to delete application passwords for this user.',
  ],
  rest_cannot_introspect_app_password_for_non_authenticated_user: [
    'denied',
    'The authenticated application password can only be introspected for the current user.',
  ],
  rest_too_many_application_passwords: [
    400,
    'A user can have at most 100 application passwords. Remove one that is no longer used.',
  ],
  rest_application_password_not_found: [404, 'Application password not found.'],
  rest_no_authenticated_app_password: [404, 'Cannot introspect application password.'],
} as const satisfies ErrorTable;

/** A refusal that WordPress sends with the code of another error. */
export const ROLE_ERRORS = {
  rest_user_invalid_role: ['denied', 'Sorry, you are not allowed to give users that role.'],
} as const satisfies ErrorTable;

const roleError = createErrors(ROLE_ERRORS);
export const userError = createErrors(USER_ERRORS);

/** What the functions of users share. */
export interface UserDeps extends CmsDeps {
  readonly users: PlainCollection<UserRecord>;
  readonly authors: Authors;
  readonly meta: RecordMeta;
}

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
