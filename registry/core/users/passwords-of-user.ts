import { Limiter } from '../../../lib/core/limiter.ts';
import type { Operation, Reference, Store } from '../../../lib/store/store.ts';
import { LOGIN_NAME, findCredentials, isOfApplication } from '../accounts/credentials.ts';
import { hashPassword } from '../accounts/password-hash.ts';

/** Limits for concurrent slow hashes of new passwords: half of Node's thread pool, as for logins. */
const hashing = new Limiter({ atOnce: 2, waiting: 64 });

/** The hash of a new password. @throws RestError `rest_overloaded` */
export function hashNew(password: string): Promise<string> {
  return hashing.run(() => hashPassword(password));
}

/** Stores the password that a person logs in with. */
export function toLoginPassword(user: number | Reference, hash: string, created: string): Operation {
  return {
    op: 'create',
    collection: 'credentials',
    values: { user, name: LOGIN_NAME, hash, created_gmt: created },
  };
}

/** Replaces the password that a person logs in with. Application passwords stay valid. */
export async function replaceLoginPassword(
  store: Store,
  user: number,
  { hash, created }: { readonly hash: string; readonly created: string },
): Promise<readonly Operation[]> {
  const old = (await findCredentials(store, user)).filter((credential) => !isOfApplication(credential));
  return [
    ...old.map(({ id, version }): Operation => ({ op: 'remove', collection: 'credentials', id, version })),
    toLoginPassword(user, hash, created),
  ];
}
