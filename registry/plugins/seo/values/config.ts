import {
  ANY_TEXT,
  FLAG,
  type Ports,
  type SettingRules,
  TAXONOMY_SEGMENTS,
  TEXT,
  TEXTS,
  WEB_ADDRESS,
  hasPages,
  mapOf,
  objectOf,
  readSettings,
} from '../../../plugin.ts';

/** Settings from which the rank tracker's authorization URL is built. */
export interface AuthorizationConfig {
  readonly authorizeUrl: string;
  readonly clientId: string;
  readonly redirectUrl: string;
}

/** `config.seo` with its defaults applied. */
export interface SeoConfig {
  /** Ids of the introductions that the site shows. Default: `welcome`. */
  readonly introductions: readonly string[];
  /** Keys of alerts that a user can dismiss. */
  readonly alerts: readonly string[];
  /** Ids of the integrations that can be switched on and off. */
  readonly integrations: readonly string[];
  /** Types that are indexed and have heads. Default: every type that has routes, except media. */
  readonly postTypes: readonly string[];
  /** Taxonomies that are indexed and whose archives have heads. Default: categories, tags, and every taxonomy that has routes. */
  readonly taxonomies: readonly string[];
  /** Hosts that serve the site's media, besides its own. Default: none. */
  readonly mediaHosts: readonly string[];
  /** Base URL of accounts on the second network: `https://network.example/`. Default: none, and accounts are not linked. */
  readonly accountBase: string;
  /** Content of the verification tags of search engines, by tag name. Default: none. */
  readonly verification: Readonly<Record<string, string>>;
  /** Whether the site has sitemaps and a robots.txt. Default false. */
  readonly sitemaps: boolean;
  /** Whether a post is found under the slugs that it had before. Default false. */
  readonly redirects: boolean;
  /** Whether `seo/v1` has further routes, which show its settings. null: as the core controllers. */
  readonly extraRoutes: boolean | null;
  /** null: the rank tracker cannot be connected. */
  readonly ranktracker: AuthorizationConfig | null;
}

const DEFAULTS: Omit<SeoConfig, 'postTypes' | 'taxonomies'> = {
  introductions: ['welcome'],
  alerts: [
    'webinar-promo',
    'missing-indexables',
    'search-engines-discouraged',
    'social-profiles',
    'import-available',
  ],
  integrations: ['kwtool', 'ranktracker', 'site-search'],
  mediaHosts: [],
  accountBase: '',
  verification: {},
  sitemaps: false,
  redirects: false,
  extraRoutes: null,
  ranktracker: null,
};

export const SEO_SETTINGS: SettingRules<SeoConfig> = {
  introductions: TEXTS,
  alerts: TEXTS,
  integrations: TEXTS,
  postTypes: TEXTS,
  taxonomies: TEXTS,
  mediaHosts: TEXTS,
  accountBase: WEB_ADDRESS,
  verification: mapOf(ANY_TEXT),
  sitemaps: FLAG,
  redirects: FLAG,
  extraRoutes: FLAG,
  ranktracker: objectOf({
    authorizeUrl: { ...WEB_ADDRESS, needed: true },
    clientId: { ...TEXT, needed: true },
    redirectUrl: { ...WEB_ADDRESS, needed: true },
  }),
};

/** Reads the configuration of the namespace. @throws TypeError that names the invalid setting */
export function readSeoConfig({ config, content }: Pick<Ports, 'config' | 'content'>): SeoConfig {
  const postTypes = [...content.types.values()]
    .filter((type) => hasPages(type) && type.storage === 'posts')
    .map(({ name }) => name);
  // The archives of categories and tags have addresses even if the API has no routes for them.
  const archived: ReadonlySet<string> = new Set(Object.values(TAXONOMY_SEGMENTS));
  const taxonomies = [...content.taxonomies.values()]
    .filter((taxonomy) => hasPages(taxonomy) || archived.has(taxonomy.name))
    .map(({ name }) => name);
  const given = {
    ...DEFAULTS,
    postTypes,
    taxonomies,
    ...readSettings<SeoConfig>(config, 'seo', SEO_SETTINGS),
  };
  return { ...given, mediaHosts: given.mediaHosts.map((host) => host.toLowerCase()) };
}
