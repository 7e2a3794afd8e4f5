import { type ArgSchemas, type ArgsOf, createErrors, type ErrorTable } from '../../../../lib/index.ts';
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
type SettingName = keyof typeof SETTINGS;

/** The settings of a site that has not changed any. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, schema]) => [name, schema.default]),
) as unknown as Settings;

/** Whether a setting has this name. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** The errors of `secscan/v1` in addition to those of the engine and of the upstream port. */
export const SECSCAN_ERRORS = {
  // One message for every reason, so that an anonymous caller learns neither what is missing nor which check failed.
  rest_forbidden_context: ['denied', 'The request carries no valid token or signature for this site.'],
  rest_set_config_error: [422, 'Some settings are not valid; nothing was saved.'],
  rest_save_config_error: [500, 'The settings are valid, but could not be saved.'],
  secscan_invalid_connection: [422, 'The values of the connection are not valid.'],
  secscan_already_connected: [409, 'The site is connected with another key. Disconnect it first.'],
  scan_running: [409, 'A scan is running. Wait for its end, or stop it with DELETE /secscan/v1/scan.'],
  scan_issue_not_found: [404, 'There is no issue with this id.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const secscanError = createErrors(SECSCAN_ERRORS);
