import { perObject } from '../../../../lib/core/objects.ts';
import { and, eq, oneOf } from '../../../../lib/store/query.ts';
import { isFastHash, isPasswordOfFastHash, verifyPassword } from '../../../core/accounts/password-hash.ts';
import { withRole } from '../../../core/accounts/user-roles.ts';
import type { Ports } from '../../../core/host/ports.ts';
import { COMMON_PASSWORDS } from '../lists/known-words.ts';

/** Roles whose login can change the site. */
const ROLES = ['administrator', 'editor'] as const;
/** A slow hash takes about 60 ms of another thread, so that 20 users take about 20 s, once for each password. */
const MAX_USERS = 20;
const GUESSES = [
  '123456',
  '12345678',
  '123456789',
  'password',
  'password1',
  'password123',
  'qwerty',
  'qwerty123',
  'admin',
  'admin123',
  'letmein',
  'welcome1',
  'changeme',
  'iloveyou',
] as const;

/** The verdict about each hash, so that an unchanged password is not hashed again by the next scan. */
const verdictsOf = perObject((_ports: Ports) => new Map<string, boolean>());

async function isGuessed(hash: string, login: string): Promise<boolean> {
  const own = [login, `${login}1`, `${login}123`];
  if (isFastHash(hash))
    return [...GUESSES, ...COMMON_PASSWORDS, ...own].some((guess) => isPasswordOfFastHash(hash, guess));
  for (const guess of [...own, ...GUESSES]) if (await verifyPassword(hash, guess)) return true;
  return false;
}

/** Ids of users with a common password, or one that is made of their login. */
export async function findWeakLogins(ports: Ports): Promise<readonly number[]> {
  const { records: users } = await ports.store.find({
    collection: 'users',
    where: withRole(ROLES),
    fields: ['login'],
    limit: MAX_USERS,
  });
  const logins = new Map(users.map(({ id, login }) => [id, String(login)]));
  const { records: credentials } = await ports.store.find({
    collection: 'credentials',
    where: and(oneOf('user', [...logins.keys()]), eq('uuid', '')),
    fields: ['user', 'hash'],
  });
  const verdicts = verdictsOf(ports);
  const weak: number[] = [];
  for (const { user, hash } of credentials) {
    const verdict =
      verdicts.get(String(hash)) ?? (await isGuessed(String(hash), logins.get(Number(user)) ?? ''));
    verdicts.set(String(hash), verdict);
    if (verdict) weak.push(Number(user));
  }
  return weak;
}
