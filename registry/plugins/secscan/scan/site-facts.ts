import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { oneOf } from '../../../../lib/store/query.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';
import { withRole } from '../../../core/accounts/user-roles.ts';
import type { Ports } from '../../../core/host/ports.ts';
import { changeOption, readOption } from '../../../core/settings/options.ts';
import type { SecscanHost } from '../connection/host.ts';
import type { SiteFacts } from '../rules/rule.ts';
import { walkRecords } from './walk-records.ts';
import { findWeakLogins } from './weak-logins.ts';

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
  if (ids.length === 0) return [];
  const { records } = await ports.store.find({
    collection: 'users',
    where: oneOf('id', ids),
    fields: ['login'],
  });
  return records.map((user) => ({ id: user.id, login: String(user['login']) }));
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
