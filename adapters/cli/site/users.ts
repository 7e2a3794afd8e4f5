import { fileURLToPath } from 'node:url';
import { eq, findFirst, type Store, type Values } from '../../../lib/index.ts';
import { collectionsOf, createContentModel, type Fixture, verifyPassword } from '../../../registry/site.ts';
import { UsageError } from '../frame/options.ts';
import type { Ask } from './as-operator.ts';
import { readJson } from './read-json.ts';

/** A user as the interface shows it in the context `edit`. */
export interface ShownUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
}

/** What commands print of a user as JSON. */
export const toPrinted = ({ id, username, name, email, roles }: ShownUser): ShownUser => ({
  id,
  username,
  name,
  email,
  roles,
});

const PAGE = 100;
/** Path of the users in the interface. */
export const USERS = '/cms/v2/users';

/** All users by id, or those with the role. */
export async function listUsers(ask: Ask, role?: string): Promise<readonly ShownUser[]> {
  const users: ShownUser[] = [];
  const filter = role === undefined ? '' : `&roles=${encodeURIComponent(role)}`;
  for (let page = 1; ; page += 1) {
    const part = (await ask(
      `${USERS}?context=edit&orderby=id&per_page=${PAGE}&page=${page}${filter}`,
    )) as readonly ShownUser[];
    users.push(...part);
    if (part.length < PAGE) return users;
  }
}

/** The user with this login. @throws Error if there is none */
export async function findUser(ask: Ask, login: string): Promise<ShownUser> {
  const found = (await ask(
    `${USERS}?context=edit&per_page=${PAGE}&search=${encodeURIComponent(login)}&search_columns=username`,
  )) as readonly ShownUser[];
  const user = found.find(({ username }) => username.toLowerCase() === login.toLowerCase());
  if (user === undefined)
    throw new Error(`There is no user "${login}". "routebook user list" shows those that there are.`);
  return user;
}

/** The option that both `user add` and `user edit` have. */
export const SUBJECT = {
  value: 'TEXT',
  help: 'Text by which another system, such as OpenID Connect, identifies the user.',
} as const;

/** The value of `--subject` without blanks around it. '': none. @throws UsageError */
export function toSubject(typed: string): string {
  const subject = typed.trim();
  if (typed !== '' && (subject === '' || /\p{Cc}/u.test(subject)))
    throw new UsageError(`--subject: must have more than blanks, and no control characters`);
  const users = collectionsOf(createContentModel()).find(({ name }) => name === 'users');
  const most = users?.fields['subject']?.maxLength ?? 0;
  if (Array.from(subject).length > most)
    throw new UsageError(`--subject: must not be longer than ${most} characters`);
  return subject;
}

/** @throws Error if another user has this subject */
export async function checkSubject(store: Store, subject: string, user?: number): Promise<void> {
  if (subject === '') return;
  const holder = await findFirst(store, { collection: 'users', where: eq('subject', subject) });
  if (holder !== undefined && holder.id !== user)
    throw new Error(`--subject "${subject}": the user ${String(holder['login'])} has it already.`);
}

/** Stores fields of a user that no route changes. */
export async function storeUser(store: Store, id: number, values: Values): Promise<void> {
  await store.commit([{ op: 'update', collection: 'users', id, values }]);
}

const ADMINISTRATOR = 'administrator';

/** The interface refuses it without a reason. @throws Error if the user is the last administrator */
export async function checkLast(ask: Ask, { username, roles }: ShownUser): Promise<void> {
  if (!roles.includes(ADMINISTRATOR) || (await listUsers(ask, ADMINISTRATOR)).length > 1) return;
  throw new Error(
    `${username} is the last administrator, who must stay. Add another one first: routebook user add LOGIN --role administrator --email ADDRESS`,
  );
}

export const DEMO_FILE = fileURLToPath(new URL('../../../../examples/demo-site.json', import.meta.url));

/** A login with a password that everybody can read in the package. */
export interface DemoLogin {
  readonly login: string;
  readonly password: string;
}

async function isValid(store: Store, { login, password }: DemoLogin): Promise<boolean> {
  const user = await findFirst(store, { collection: 'users', where: eq('login', login), fields: [] });
  if (user === undefined) return false;
  const { records } = await store.find({ collection: 'credentials', where: eq('user', user.id) });
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
