import { toOwnSite, type OwnSite } from './own-site.ts';
import type { Part } from './part.ts';
import type { PostText } from './post-text.ts';
import type { Settings } from './settings.ts';

/** What an issue is about in general; each type can be switched off. */
export type IssueType = 'postScriptInjection' | 'postBadURL' | 'postBadTitle' | 'postSpam' | 'easyPassword'
  | 'suspiciousAdminUsers' | 'optionBadURL' | 'publiclyAccessible' | 'diskSpace' | 'timelimit';

/** 25 low, 50 medium, 75 high, 100 critical. */
export type Severity = 25 | 50 | 75 | 100;

export interface RuleRow {
  /** Unique; part of what an ignored issue is known by. */
  readonly id: string;
  readonly type: IssueType;
  readonly severity: Severity;
  /** One sentence, shown with the issue. */
  readonly message: string;
}

/** What a rule may look at beside its object. Made by `createScope`. */
export interface Scope {
  readonly own: OwnSite;
  readonly settings: Settings;
  /** Hosts of the settings, ready to be looked up. */
  readonly blocked: ReadonlySet<string>;
  readonly trusted: ReadonlySet<string>;
  readonly shorteners: ReadonlySet<string>;
}

/** `siteUrl`: absolute address of the site. */
export function createScope(siteUrl: string, settings: Settings): Scope {
  return {
    own: toOwnSite(siteUrl), settings, blocked: new Set(settings['links.blockedHosts']),
    trusted: new Set(settings['links.trustedHosts']), shorteners: new Set(settings['links.shorteners']),
  };
}

/** A rule about one text. @returns the offending parts; none: the text is clean. */
export interface PostRule extends RuleRow {
  readonly check: (post: PostText, scope: Scope) => readonly Part[];
}

/** Something outside the posts that breaks a rule. `object`: id of the record, 0 for the site itself. */
export interface SiteFault {
  readonly object: number;
  readonly label: string;
  readonly parts: readonly Part[];
}

/** What is known of the site apart from its texts. */
export interface SiteFacts {
  readonly administrators: readonly { readonly id: number; readonly login: string; readonly email: string; readonly expected: boolean }[];
  /** Users whose password the host found to be weak: only their ids are known here. */
  readonly weakPasswords: readonly { readonly id: number; readonly login: string }[];
  /** Absolute path of the data directory, and of the directories that some server gives out; '' and none when the host did not say. */
  readonly dataDirectory: string;
  readonly servedDirectories: readonly string[];
  /** Megabytes; null when unknown. */
  readonly freeMegabytes: number | null;
}

/** A rule about the site as a whole. */
export interface SiteRule extends RuleRow {
  readonly object: 'user' | 'site';
  readonly check: (facts: SiteFacts, scope: Scope) => readonly SiteFault[];
}
