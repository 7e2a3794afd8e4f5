import type { ArgsOf } from '../../lib/route/args.ts';
import type { ArgSchemas } from '../../lib/schema/schema-dialect.ts';
import { SHORTENERS, TITLE_PHRASES } from './known-words.ts';

const HOSTS = { type: 'array', maxItems: 1000, items: { type: 'string', pattern: '^[a-z0-9.-]+$', maxLength: 253 } } as const;
const PHRASES = { type: 'array', maxItems: 500, items: { type: 'string', minLength: 2, maxLength: 100 } } as const;
const SWITCH = { type: 'boolean', default: true } as const;

/** The configuration of the scan: one JSON Schema per key. A key that was never written has its default. */
export const SETTINGS = {
  'rules.postScriptInjection': { ...SWITCH, description: 'Look for active content: scripts, event attributes, foreign forms, hidden frames.' },
  'rules.postBadURL': { ...SWITCH, description: 'Judge the addresses of links and pictures.' },
  'rules.postBadTitle': { ...SWITCH, description: 'Look for unwanted phrases and invisible characters in titles.' },
  'rules.postSpam': { ...SWITCH, description: 'Look for link spam.' },
  'rules.easyPassword': { ...SWITCH, description: 'Look for passwords that are easy to guess.' },
  'rules.suspiciousAdminUsers': { ...SWITCH, description: 'Look for administrators that nobody expects.' },
  'rules.optionBadURL': { ...SWITCH, description: 'Judge the addresses in stored settings.' },
  'rules.publiclyAccessible': { ...SWITCH, description: 'Check that the data directory is not served.' },
  'rules.diskSpace': { ...SWITCH, description: 'Check that the disk has room.' },
  'scan.revisions': { type: 'boolean', default: false, description: 'Also scan revisions and autosaves.' },
  'scan.timeLimit': { type: 'integer', minimum: 1, maximum: 86_400, default: 3600, description: 'Seconds after which a scan is cut short.' },
  'links.blockedHosts': { ...HOSTS, default: [], description: 'Hosts that no address may point to, with their subdomains.' },
  'links.trustedHosts': { ...HOSTS, default: [], description: 'Hosts that are never reported, with their subdomains.' },
  'links.shorteners': { ...HOSTS, default: SHORTENERS, description: 'Hosts that hide where a link leads.' },
  'links.maxExternal': { type: 'integer', minimum: 1, maximum: 10_000, default: 50, description: 'External links that one post may have.' },
  'links.maxShare': { type: 'integer', minimum: 1, maximum: 100, default: 60, description: 'Per cent of the text that may stand in external links, in posts with five of them or more.' },
  'links.maxPosts': { type: 'integer', minimum: 0, maximum: 100_000, default: 50, description: 'Number of posts from which on the same external link is spam; 0: any number is fine.' },
  'titles.phrases': { ...PHRASES, default: TITLE_PHRASES, description: 'Phrases that no title may hold.' },
  'users.suspiciousLogins': { ...PHRASES, default: [], description: 'Administrator logins to report; a star stands for any characters at the end.' },
  'disk.minFreeMegabytes': { type: 'integer', minimum: 0, maximum: 10_000_000, default: 500, description: 'Free room on the disk below which a scan reports it. Megabytes.' },
} as const satisfies ArgSchemas;

export type Settings = ArgsOf<typeof SETTINGS>;
export type SettingName = keyof typeof SETTINGS;

/** The settings as a site has them that changed none. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, schema]) => [name, schema.default]),
) as unknown as Settings;

/** Whether a setting has this name. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
