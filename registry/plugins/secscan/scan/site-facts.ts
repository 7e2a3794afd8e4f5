import { type Json, type StoredRecord, and, eq, oneOf } from '../../../../lib/index.ts';
import {
  type Ports,
  changeOption,
  isFastHash,
  isPasswordOfFastHash,
  perObject,
  readOption,
  verifyPassword,
  withRole,
  findByIds,
} from '../../../plugin.ts';
import type { SecscanHost } from '../connection/host.ts';
import type { SiteFacts } from '../rules/rule.ts';
import { COMMON_PASSWORDS } from '../settings/known-hosts.ts';
import { walkRecords } from './scan-state.ts';

/** Roles whose login can change the site. */
const ROLES = ['administrator', 'editor'] as const;
/** A slow hash takes about 60 ms of another thread, so that 20 users take about 20 s, once for each password. */
const MAX_WEAK = 20;
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
    limit: MAX_WEAK,
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

const ADMINISTRATORS = ['secscan', 'administrators'] as const;
const MAX_USERS = 1000;

async function listAdministrators(ports: Ports): Promise<readonly StoredRecord[]> {
  const users: StoredRecord[] = [];
  for await (const user of walkRecords(ports.store, {
    collection: 'users',
    where: withRole(['administrator']),
    fields: ['login', 'email'],
  }))
    users.push(user);
  return users;
}

function isExpected(id: number, expected: Json | undefined): boolean {
  return !Array.isArray(expected) || expected.includes(id);
}

async function listWeak(ports: Ports, host: SecscanHost): Promise<SiteFacts['weakPasswords']> {
  const ids = (await (host.weakPasswordUsers?.() ?? findWeakLogins(ports))).slice(0, MAX_USERS);
  const users = await findByIds(ports.store, { collection: 'users', ids, fields: ['login'] });
  return [...users.values()].map(({ id, login }) => ({ id, login: String(login) }));
}

/** Collects the facts that the rules about the site need. */
export async function readSiteFacts(ports: Ports, host: SecscanHost): Promise<SiteFacts> {
  const expected = await readOption(ports.store, ...ADMINISTRATORS);
  const users = await listAdministrators(ports);
  return {
    administrators: users.map((user) => ({
      id: user.id,
      login: String(user['login']),
      email: String(user['email']),
      expected: isExpected(user.id, expected),
    })),
    weakPasswords: await listWeak(ports, host),
    vulnerablePackages: await host.vulnerablePackages(),
    dataDirectory: host.dataDirectory,
    servedDirectories: host.servedDirectories,
    freeMegabytes: await host.freeMegabytes(),
  };
}

/** The first complete scan accepts all current administrators. Later ones are reported until they are ignored. */
export async function rememberAdministrators(ports: Ports, facts: SiteFacts): Promise<void> {
  await changeOption(
    ports.store,
    ADMINISTRATORS,
    (known) => known ?? facts.administrators.map(({ id }) => id),
  );
}
