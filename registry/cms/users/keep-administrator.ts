import { can, type Identity } from '../../../lib/core/identity.ts';
import { and, eq, not, type Predicate } from '../../../lib/store/query.ts';
import type { Operation, Store } from '../../../lib/store/store.ts';
import { toIdentity } from '../../site/authenticate.ts';
import { withRole } from '../../site/user-roles.ts';
import { userError } from './errors.ts';
import type { UserRecord } from './user-record.ts';

/** What the caller does to another user. */
interface Deed {
  readonly user: Pick<UserRecord, 'id'>;
  /** The right that it needs. */
  readonly right: 'promote_users' | 'delete_users';
  readonly refusal: 'rest_cannot_edit_roles' | 'rest_user_cannot_delete';
}

async function isLast(store: Store, { id }: Pick<UserRecord, 'id'>): Promise<boolean> {
  const exists = async (which: Predicate): Promise<boolean> => (await store.find({ collection: 'users', where: and(withRole(['administrator']), which), limit: 1, fields: [] })).records.length > 0;
  return await exists(eq('id', id)) && !await exists(not(eq('id', id)));
}

/**
 * Checks that a change of roles, or a removal, leaves an administrator: only the last one himself can remove himself, as in WordPress.
 * The operations let the commit fail if the record of the caller changes before it. Otherwise two administrators who take away each other's
 * rights at the same time would both succeed, and nobody could give them back.
 * @throws RestError if there is no other administrator, or if the caller has a record that no longer gives the right
 */
export async function keepAdministrator(store: Store, identity: Identity, { user, right, refusal }: Deed): Promise<readonly Operation[]> {
  if (identity.id === user.id) return [];
  const caller = identity.id === 0 ? null : await store.get('users', identity.id);
  if (caller === null ? await isLast(store, user) : !can(toIdentity(caller), right)) throw userError(refusal);
  return caller === null ? [] : [{ op: 'update', collection: 'users', id: caller.id, version: caller.version, values: {} }];
}
