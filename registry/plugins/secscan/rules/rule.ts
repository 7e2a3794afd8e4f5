import type { Settings } from '../settings/settings.ts';
import { type Excerpt, type OwnSite, toOwnSite } from '../text/address.ts';
import type { PostText } from '../text/post-text.ts';

/** The kind of an issue. Each type can be switched off. */
type IssueType =
  | 'postScriptInjection'
  | 'postBadURL'
  | 'postBadTitle'
  | 'postSpam'
  | 'easyPassword'
  | 'suspiciousAdminUsers'
  | 'optionBadURL'
  | 'publiclyAccessible'
  | 'packageVulnerable'
  | 'diskSpace'
  | 'timelimit';

/** 25 low, 50 medium, 75 high, 100 critical. */
type Severity = 25 | 50 | 75 | 100;

export interface RuleRow {
  /** Unique; part of the key of an ignored issue. */
  readonly id: string;
  readonly type: IssueType;
  readonly severity: Severity;
  /** One sentence, shown with the issue. */
  readonly message: string;
}

/** What a rule may use in addition to its object. Created by `createScope`. */
export interface Scope {
  readonly own: OwnSite;
  readonly settings: Settings;
  /** Hosts from the settings, for lookup. */
  readonly blocked: ReadonlySet<string>;
  readonly trusted: ReadonlySet<string>;
  readonly shorteners: ReadonlySet<string>;
  /** Hosts whose scripts, forms and frames are not reported: trusted ones and those of embeds. */
  readonly embeds: ReadonlySet<string>;
}

/** `siteUrl`: absolute address of the site. `blockedHosts`: those that the host app knows, in addition to the settings. */
export function createScope(
  siteUrl: string,
  settings: Settings,
  blockedHosts: readonly string[] = [],
): Scope {
  const trusted = settings['links.trustedHosts'];
  return {
    own: toOwnSite(siteUrl),
    settings,
    blocked: new Set([...settings['links.blockedHosts'], ...blockedHosts]),
    trusted: new Set(trusted),
    shorteners: new Set(settings['links.shorteners']),
    embeds: new Set([...trusted, ...settings['links.embedHosts']]),
  };
}

/** A rule about one text. */
export interface PostRule extends RuleRow {
  /** The list whose items it checks one by one: the scan gives it a slice of it at a time. */
  readonly each?: 'elements' | 'addresses' | 'comments';
  /** @returns the offending parts; empty if the text is clean */
  readonly check: (post: PostText, scope: Scope) => readonly Excerpt[];
}

/** A violation outside of the posts. `object`: id of the record, 0 for the site itself. */
export interface SiteFault {
  readonly object: number;
  readonly label: string;
  readonly parts: readonly Excerpt[];
}

/** A package with a known vulnerability: `npm audit` lists them. */
export interface VulnerablePackage {
  readonly name: string;
  readonly title: string;
}

/** What is known about the site apart from its texts. */
export interface SiteFacts {
  readonly administrators: readonly {
    readonly id: number;
    readonly login: string;
    readonly email: string;
    readonly expected: boolean;
  }[];
  /** Users with weak passwords, as reported by the host. The scan does not know the passwords. */
  readonly weakPasswords: readonly { readonly id: number; readonly login: string }[];
  /** Absolute paths of the data directory and of the public directories; '' and an empty list if the host did not set them. */
  readonly dataDirectory: string;
  readonly servedDirectories: readonly string[];
  /** Packages with known vulnerabilities, as reported by the host. */
  readonly vulnerablePackages: readonly VulnerablePackage[];
  /** Megabytes; null if unknown. */
  readonly freeMegabytes: number | null;
}

/** A rule about the site as a whole. */
export interface SiteRule extends RuleRow {
  readonly object: 'user' | 'site';
  readonly check: (facts: SiteFacts, scope: Scope) => readonly SiteFault[];
}
