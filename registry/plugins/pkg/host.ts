import {
  ANY_TEXT,
  FLAG,
  FUNCTION,
  type SettingRules,
  type SiteConfig,
  TEXT,
  TEXTS,
  objectOf,
  readSettings,
} from '../../plugin.ts';

/** What a site is entitled to. `expires`: `YYYY-MM-DD…`, or '' if it does not expire. */
export interface Subscription {
  /** Status as the vendor names it. */
  readonly status: string;
  readonly expires: string;
  /** Names of the products. */
  readonly products: readonly string[];
}

/** `config.pkg`: what only the host knows. Every member is optional. */
export interface PkgHost {
  /** Sent to the vendor only. */
  readonly siteKey: string;
  /** The licence for a site without a vendor service: `{status, expires, products}`. */
  readonly licence: unknown;
  /** Called with every subscription that was read. */
  readonly onSubscription: ((subscription: Subscription) => unknown) | null;
  /** Whether the stored subscription can be read over HTTP. null: as the core controllers. */
  readonly extraRoutes: boolean | null;
}

interface PkgSettings {
  readonly siteKey: string;
  readonly licence: Pick<Subscription, 'status'> & Partial<Subscription>;
  readonly onSubscription: (subscription: Subscription) => unknown;
  readonly extraRoutes: boolean;
}

export const PKG_SETTINGS: SettingRules<PkgSettings> = {
  siteKey: { ...ANY_TEXT, secret: true },
  licence: objectOf({ status: { ...TEXT, needed: true }, expires: ANY_TEXT, products: TEXTS }),
  onSubscription: FUNCTION,
  extraRoutes: FLAG,
};

/** Reads the configuration of the host. @throws TypeError naming the setting that is not valid */
export function readPkgHost(config: Pick<SiteConfig, 'namespaces'>): PkgHost {
  const {
    siteKey = '',
    licence,
    onSubscription = null,
    extraRoutes = null,
  } = readSettings<PkgSettings>(config, 'pkg', PKG_SETTINGS);
  return { siteKey, licence, onSubscription, extraRoutes };
}
