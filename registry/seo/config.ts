import type { Ports } from '../ports.ts';
import { toMembers, toText, toTextList } from './json.ts';

/** What the rank tracker's authorization address is made of. */
export interface AuthorizationConfig {
  readonly authorizeUrl: string;
  readonly clientId: string;
  readonly redirectUrl: string;
}

/** `config.namespaces.seo`, complete with defaults. */
export interface SeoConfig {
  /** Ids of introductions that a user can have seen. Default: `welcome`. */
  readonly introductions: readonly string[];
  /** Keys of alerts that a user can dismiss. */
  readonly alerts: readonly string[];
  /** Ids of integrations that can be switched. */
  readonly integrations: readonly string[];
  readonly postTypes: readonly string[];
  readonly taxonomies: readonly string[];
  /** Hosts, beside the site's own, that serve its media. Default: none. */
  readonly mediaHosts: readonly string[];
  /** What stands before the account name in an address of the second network: `https://network.example/`. Default: none, accounts are not linked. */
  readonly accountBase: string;
  /** Content of verification tags of search engines by tag name. Default: none. */
  readonly verification: Readonly<Record<string, string>>;
  /** null: the rank tracker can not be connected. */
  readonly ranktracker: AuthorizationConfig | null;
}

const DEFAULTS = {
  introductions: ['welcome'],
  alerts: ['webinar-promo', 'missing-indexables', 'search-engines-discouraged', 'social-profiles', 'import-available'],
  integrations: ['kwtool', 'ranktracker', 'site-search'],
  postTypes: ['post'],
  taxonomies: ['category', 'post_tag'],
} as const;

function readAuthorization(value: unknown): AuthorizationConfig | null {
  const { authorizeUrl, clientId, redirectUrl } = toMembers(value);
  const read = { authorizeUrl: toText(authorizeUrl), clientId: toText(clientId), redirectUrl: toText(redirectUrl) };
  if (Object.values(read).every((text) => text === '')) return null;
  if (!URL.canParse(read.authorizeUrl) || !URL.canParse(read.redirectUrl) || read.clientId === '') {
    throw new TypeError('config.namespaces.seo.ranktracker wants authorizeUrl and redirectUrl (absolute addresses) and clientId');
  }
  return read;
}

/** Reads the configuration of the namespace. @throws TypeError when a part of it can not work. */
export function readSeoConfig({ config }: Pick<Ports, 'config'>): SeoConfig {
  const given: Readonly<Record<string, unknown>> = config.namespaces['seo'] ?? {};
  const list = (name: keyof typeof DEFAULTS): readonly string[] => (given[name] === undefined ? DEFAULTS[name] : toTextList(given[name]));
  return {
    introductions: list('introductions'), alerts: list('alerts'), integrations: list('integrations'),
    postTypes: list('postTypes'), taxonomies: list('taxonomies'),
    mediaHosts: toTextList(given['mediaHosts']).map((host) => host.toLowerCase()),
    accountBase: toText(given['accountBase']),
    verification: Object.fromEntries(Object.entries(toMembers(given['verification'])).map(([name, content]) => [name, toText(content)])),
    ranktracker: readAuthorization(given['ranktracker']),
  };
}
