import type { Identity } from '../../../lib/core/identity.ts';
import { and, eq, not, type Predicate } from '../../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../../lib/store/store.ts';
import { withRole } from '../../site/user-roles.ts';
import { userError } from './errors.ts';
import type { UserRecord } from './user-record.ts';

/** What the caller does to another user. */
interface Deed {
  readonly user: Pick<UserRecord, 'id'>;
  readonly refusal: 'rest_cannot_edit_roles' | 'rest_user_cannot_delete';
}

/** An administrator of this kind; undefined: there is none. */
async function findAdministrator(store: Store, which: Predicate): Promise<StoredRecord | undefined> {
  return (await store.find({ collection: 'users', where: and(withRole(['administrator']), which), limit: 1, fields: [] })).records[0];
}

/**
 * Checks that a change of roles, or a removal, leaves an administrator. The last one can be removed by himself alone, as in WordPress.
 * The operations let the commit fail if the record of an administrator who stays changes before it. Otherwise two administrators who take
 * away each other's rights at the same time would leave none. The record of the caller is not asked for rights: a login of the host gives
 * rights of its own. @throws RestError if there is no other administrator
 */
export async function keepAdministrator(store: Store, identity: Identity, { user, refusal }: Deed): Promise<readonly Operation[]> {
  if (identity.id === user.id || await findAdministrator(store, eq('id', user.id)) === undefined) return [];
  const staying = await findAdministrator(store, not(eq('id', user.id)));
  if (staying === undefined) throw userError(refusal);
  return [{ op: 'update', collection: 'users', id: staying.id, version: staying.version, values: {} }];
}
