import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword } from '../../../../registry/core/accounts/credentials.ts';
import { readSecscanHost, type SecscanHost } from '../../../../registry/plugins/secscan/connection/host.ts';
import { createScope } from '../../../../registry/plugins/secscan/rules/rule.ts';
import { findWeakLogins } from '../../../../registry/plugins/secscan/scan/site-facts.ts';
import { createTestPorts, TEST_CONFIG } from '../../../support/ports.ts';
import { listIssues, scan, SETTINGS, toPost } from './planted-site.ts';

const reports = suite('what the host app reports to a scan');

reports('logins with a common password are found, others are not', async () => {
  const ports = createTestPorts();
  const passwords = [
    ['anna', 'password123'],
    ['bert', 'bert1'],
    ['carl', 'correct horse battery'],
  ] as const;
  for (const [index, [login, password]] of passwords.entries()) {
    await ports.store.commit([
      {
        op: 'create',
        collection: 'users',
        values: { id: index + 1, login, slug: login, role: 'editor', email: `${login}@site.test` },
      },
      {
        op: 'create',
        collection: 'credentials',
        values: { user: index + 1, hash: await hashPassword(password) },
      },
    ]);
  }
  assert.equal(await findWeakLogins(ports), [1, 2]);
  await scan(ports);
  assert.equal(await listIssues(ports), ['weak-user-password user 1', 'weak-user-password user 2']);
});

reports('a package with a vulnerability is an issue of the site', async () => {
  const vulnerablePackages = () => [{ name: 'left-pad', title: 'pads on the right' }];
  const ports = createTestPorts({
    config: { ...TEST_CONFIG, namespaces: { secscan: { vulnerablePackages } } },
  });
  await scan(ports);
  assert.equal(await listIssues(ports), ['vulnerable-package site 0']);
});

reports('hosts of a feed are blocked', async () => {
  const host = readSecscanHost({ namespaces: { secscan: { blockedHosts: () => ['feed.test'] } } });
  const { blocked } = createScope('https://site.test', SETTINGS, await host.blockedHosts());
  assert.equal([...blocked], ['blocked.test', 'feed.test']);
});

for (const [name, wrong] of [
  ['blockedHosts', [1]],
  ['blockedHosts', 'feed.test'],
  ['vulnerablePackages', [{ name: 'x' }]],
  ['vulnerablePackages', null],
] as const) {
  reports(`${name} that returns ${JSON.stringify(wrong)} is refused by name`, async () => {
    const host: SecscanHost = readSecscanHost({ namespaces: { secscan: { [name]: () => wrong } } });
    const asked: Promise<unknown> = host[name]();
    await asked.then(
      () => assert.unreachable(),
      (error: unknown) => assert.match(String(error), `config.namespaces.secscan.${name} returned`),
    );
  });
}

reports('a scan fails when the host app reports nonsense', async () => {
  const ports = createTestPorts({
    config: { ...TEST_CONFIG, namespaces: { secscan: { vulnerablePackages: () => 'none' } } },
  });
  await ports.store.commit([toPost({ id: 1 })]);
  await scan(ports).then(
    () => assert.unreachable(),
    (error: unknown) => assert.match(String(error), 'vulnerablePackages'),
  );
});

reports.run();
