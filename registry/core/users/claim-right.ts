import type { RestError } from '../../../lib/core/errors.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq, not, type Predicate } from '../../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../../lib/store/store.ts';
import { isOfRecord, readCaller } from '../accounts/authenticate.ts';
import { withRole, userOf } from '../accounts/user-roles.ts';
import { inTreeTurn } from '../limits/claim-tree.ts';
import { userError } from './errors.ts';

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

const toTouch = ({ id, version }: StoredRecord): Operation => ({
  op: 'update',
  collection: 'users',
  id,
  version,
  values: {},
});

/** An administrator of this kind; undefined: there is none. */
async function findAdministrator(store: Store, which: Predicate): Promise<StoredRecord | undefined> {
  return (
    await store.find({
      collection: 'users',
      where: and(withRole(['administrator']), which),
      limit: 1,
      fields: [],
    })
  ).records[0];
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
