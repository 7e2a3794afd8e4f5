import type { Operation } from '../../lib/store/store.ts';
import { toPlaced, type Fixture, type Row } from './fixture-rows.ts';
import { hashPassword } from './password-hash.ts';
import { Semaphore } from './semaphore.ts';

/** Maximum number of concurrent slow hashes: one for each thread of Node's pool. */
const hashing = new Semaphore({ atOnce: 4, waiting: Infinity });
/** Hashes by row, so that content that is loaded again, as in tests, is not hashed again. */
const hashed = new WeakMap<Row, { readonly password: string; readonly hash: string }>();

async function hashOnce(user: Row, password: string): Promise<string> {
  const known = hashed.get(user);
  if (known?.password === password) return known.hash;
  const hash = await hashing.run(() => hashPassword(password));
  hashed.set(user, { password, hash });
  return hash;
}

/** The hashed passwords of the users. Must be written after the users, to whose labels they refer. */
export async function toCredentials({ users }: Fixture): Promise<readonly Operation[]> {
  const operations = toPlaced('users', users).map(async ([user, place]): Promise<readonly Operation[]> => {
    const { password } = user;
    if (typeof password !== 'string') return [];
    return [
      {
        op: 'create',
        collection: 'credentials',
        values: { user: { $ref: place }, name: 'fixture', hash: await hashOnce(user, password) },
      },
    ];
  });
  return (await Promise.all(operations)).flat();
}
