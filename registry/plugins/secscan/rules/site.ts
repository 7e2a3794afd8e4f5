import { fold } from '../../../../lib/index.ts';
import { toExcerpt } from '../text/excerpt.ts';
import type { SiteFacts, SiteFault, SiteRule } from './rule.ts';

type Administrator = SiteFacts['administrators'][number];

function findAdministrators(
  { administrators }: SiteFacts,
  is: (user: Administrator) => boolean,
): readonly SiteFault[] {
  return administrators
    .filter(is)
    .map(({ id, login }) => ({ object: id, label: login, parts: [toExcerpt(login)] }));
}

function isLike(login: string, pattern: string): boolean {
  return pattern.endsWith('*')
    ? fold(login).startsWith(fold(pattern.slice(0, -1)))
    : fold(login) === fold(pattern);
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}

const toSiteFault = (part: string): SiteFault => ({ object: 0, label: 'the site', parts: [toExcerpt(part)] });

/** Rules about everything except texts. Paths are not shown, because readers of issues need not know where the data is. */
export const siteRules: readonly SiteRule[] = [
  {
    id: 'weak-user-password',
    type: 'easyPassword',
    severity: 75,
    object: 'user',
    message: 'The password of a user is easy to guess.',
    check: ({ weakPasswords }) =>
      weakPasswords.map(({ id, login }) => ({ object: id, label: login, parts: [toExcerpt(login)] })),
  },
  {
    id: 'unexpected-administrator',
    type: 'suspiciousAdminUsers',
    severity: 75,
    object: 'user',
    message: 'An administrator was added since the first scan.',
    check: (facts) => findAdministrators(facts, ({ expected }) => !expected),
  },
  {
    id: 'administrator-without-email',
    type: 'suspiciousAdminUsers',
    severity: 75,
    object: 'user',
    message: 'An administrator has no e-mail address.',
    check: (facts) => findAdministrators(facts, ({ email }) => email.trim() === ''),
  },
  {
    id: 'administrator-name',
    type: 'suspiciousAdminUsers',
    severity: 75,
    object: 'user',
    message: 'An administrator has a suspicious name.',
    check: (facts, { settings }) =>
      findAdministrators(facts, ({ login }) =>
        settings['users.suspiciousLogins'].some((pattern) => isLike(login, pattern)),
      ),
  },
  {
    id: 'served-data',
    type: 'publiclyAccessible',
    severity: 75,
    object: 'site',
    message: 'The data directory is inside a public directory.',
    check: ({ dataDirectory, servedDirectories }) =>
      dataDirectory !== '' && servedDirectories.some((directory) => isInside(dataDirectory, directory))
        ? [toSiteFault('data directory')]
        : [],
  },
  {
    id: 'vulnerable-package',
    type: 'packageVulnerable',
    severity: 75,
    object: 'site',
    message: 'A package of the server has a known vulnerability.',
    check: ({ vulnerablePackages }) =>
      vulnerablePackages.length === 0
        ? []
        : [
            {
              object: 0,
              label: 'the site',
              parts: vulnerablePackages.map(({ name, title }) => toExcerpt(`${name}: ${title}`)),
            },
          ],
  },
  {
    id: 'disk-space',
    type: 'diskSpace',
    severity: 75,
    object: 'site',
    message: 'The disk is almost full.',
    check: ({ freeMegabytes }, { settings }) =>
      freeMegabytes !== null && freeMegabytes < settings['disk.minFreeMegabytes']
        ? [toSiteFault('free space')]
        : [],
  },
];
