import { ANY_TEXT, mapOf, objectOf, TEXTS, WEB_ADDRESS } from '../../lib/core/check-document.ts';
import { TEXT } from '../../lib/core/check-options.ts';
import type { Ports } from '../ports.ts';
import { readSettings, type SettingRules } from '../read-settings.ts';

/** What the rank tracker's authorization address is made of. */
export interface AuthorizationConfig {
  readonly authorizeUrl: string;
  readonly clientId: string;
  readonly redirectUrl: string;
}

/** `config.seo`, complete with defaults. */
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

const DEFAULTS: SeoConfig = {
  introductions: ['welcome'],
  alerts: ['webinar-promo', 'missing-indexables', 'search-engines-discouraged', 'social-profiles', 'import-available'],
  integrations: ['kwtool', 'ranktracker', 'site-search'],
  postTypes: ['post'],
  taxonomies: ['category', 'post_tag'],
  mediaHosts: [],
  accountBase: '',
  verification: {},
  ranktracker: null,
};

export const SEO_SETTINGS: SettingRules<SeoConfig> = {
  introductions: TEXTS, alerts: TEXTS, integrations: TEXTS, postTypes: TEXTS, taxonomies: TEXTS, mediaHosts: TEXTS, accountBase: WEB_ADDRESS, verification: mapOf(ANY_TEXT),
  ranktracker: objectOf({ authorizeUrl: { ...WEB_ADDRESS, needed: true }, clientId: { ...TEXT, needed: true }, redirectUrl: { ...WEB_ADDRESS, needed: true } }),
};

/** Reads the configuration of the namespace. @throws TypeError naming the setting that does not fit */
export function readSeoConfig({ config }: Pick<Ports, 'config'>): SeoConfig {
  const given = { ...DEFAULTS, ...readSettings<SeoConfig>(config, 'seo', SEO_SETTINGS) };
  return { ...given, mediaHosts: given.mediaHosts.map((host) => host.toLowerCase()) };
}
