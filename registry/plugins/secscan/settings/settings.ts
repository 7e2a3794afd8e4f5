import type { ArgSchemas, ArgsOf } from '../../../../lib/index.ts';
import { EMBED_HOSTS, SHORTENERS, TITLE_PHRASES } from './known-hosts.ts';

const HOSTS = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: '^[a-z0-9.-]+$', maxLength: 253 },
} as const;
const PHRASES = {
  type: 'array',
  maxItems: 500,
  items: { type: 'string', minLength: 2, maxLength: 100 },
} as const;
const SWITCH = { type: 'boolean', default: true } as const;

/** The configuration of the scan: one JSON Schema per key. A key that was never written has its default. */
export const SETTINGS = {
  'rules.postScriptInjection': {
    ...SWITCH,
    description: 'Check for active content: scripts, event attributes, foreign forms, hidden frames.',
  },
  'rules.postBadURL': { ...SWITCH, description: 'Check the addresses of links and pictures.' },
  'rules.postBadTitle': {
    ...SWITCH,
    description: 'Check for unwanted phrases and invisible characters in titles.',
  },
  'rules.postSpam': { ...SWITCH, description: 'Check for link spam.' },
  'rules.easyPassword': { ...SWITCH, description: 'Check for passwords that are easy to guess.' },
  'rules.suspiciousAdminUsers': { ...SWITCH, description: 'Check for unexpected administrators.' },
  'rules.optionBadURL': { ...SWITCH, description: 'Check the addresses in stored settings.' },
  'rules.publiclyAccessible': { ...SWITCH, description: 'Check that the data directory is not public.' },
  'rules.packageVulnerable': { ...SWITCH, description: 'Report packages with known vulnerabilities.' },
  'rules.diskSpace': { ...SWITCH, description: 'Check that the disk has enough free space.' },
  'scan.revisions': { type: 'boolean', default: false, description: 'Also scan revisions and autosaves.' },
  'scan.timeLimit': {
    type: 'integer',
    minimum: 1,
    maximum: 86_400,
    default: 3600,
    description: 'Time limit of a scan in seconds.',
  },
  'links.blockedHosts': {
    ...HOSTS,
    default: [],
    description: 'Hosts to which addresses must not point, including their subdomains.',
  },
  'links.trustedHosts': {
    ...HOSTS,
    default: [],
    description: 'Hosts that are never reported, including their subdomains.',
  },
  'links.embedHosts': {
    ...HOSTS,
    default: EMBED_HOSTS,
    description: 'Hosts whose scripts, forms and frames are not reported, including their subdomains.',
  },
  'links.shorteners': { ...HOSTS, default: SHORTENERS, description: 'Hosts of link shorteners.' },
  'links.maxExternal': {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 50,
    description: 'Maximum number of external links in one post.',
  },
  'links.maxShare': {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 60,
    description: 'Maximum percentage of the text in external links, for posts with five of them or more.',
  },
  'links.maxPosts': {
    type: 'integer',
    minimum: 0,
    maximum: 100_000,
    default: 50,
    description: 'Number of posts from which on the same external link counts as spam; 0 for no limit.',
  },
  'titles.phrases': {
    ...PHRASES,
    default: TITLE_PHRASES,
    description: 'Phrases that a title must not contain.',
  },
  'users.suspiciousLogins': {
    ...PHRASES,
    default: [],
    description: 'Administrator logins to report; a trailing star matches any characters.',
  },
  'disk.minFreeMegabytes': {
    type: 'integer',
    minimum: 0,
    maximum: 10_000_000,
    default: 500,
    description: 'Minimum free disk space in megabytes. A scan reports less than that.',
  },
} as const satisfies ArgSchemas;

export type Settings = ArgsOf<typeof SETTINGS>;

/** The settings of a site that has not changed any. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, schema]) => [name, schema.default]),
) as unknown as Settings;
