import { fileURLToPath } from 'node:url';
import { eq, type Store } from '../../../lib/index.ts';
import { verifyPassword, type Fixture } from '../../../registry/site.ts';
import { readJson } from './read-json.ts';

export const DEMO_FILE = fileURLToPath(new URL('../../../../examples/demo-site.json', import.meta.url));

/** A login with a password that everybody can read in the package. */
export interface DemoLogin {
  readonly login: string;
  readonly password: string;
}

async function isValid(store: Store, { login, password }: DemoLogin): Promise<boolean> {
  const {
    records: [user],
  } = await store.find({ collection: 'users', where: eq('login', login), limit: 1, fields: [] });
  const { records } =
    user === undefined
      ? { records: [] }
      : await store.find({ collection: 'credentials', where: eq('user', user.id) });
  for (const { hash } of records) if (await verifyPassword(String(hash), password)) return true;
  return false;
}

/** The users of the demo whose published passwords are still valid, the administrator first. `most`: how many are looked for, because each costs a hash. */
export async function findDemoLogins(store: Store, most = Infinity): Promise<readonly DemoLogin[]> {
  const { users = [] } = (await readJson(DEMO_FILE)) as Fixture;
  const found: DemoLogin[] = [];
  for (const member of users) {
    if (found.length >= most) break;
    const each = { login: String(member['login']), password: String(member['password']) };
    if (await isValid(store, each)) found.push(each);
  }
  return found;
}
