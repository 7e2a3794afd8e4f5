import { own } from '../../lib/core/objects.ts';
import type { Store } from '../../lib/store/store.ts';
import { toZone, type Zone } from '../content/site-time.ts';
import { readOptions } from './options.ts';

/** The settings in the options group `site`. Read again only after an option has changed. */
export interface SiteSettings {
  readonly name: string;
  readonly description: string;
  /** IANA name, or '' for a fixed offset. */
  readonly timezone: string;
  /** Hours from GMT as text, used if `timezone` is ''. */
  readonly gmtOffset: string;
  readonly zone: Zone;
  readonly pageForPosts: number;
  readonly showOnFront: string;
  /** Language -> id of the front page; 0 for none. */
  readonly pageOnFront: Readonly<Record<string, number>>;
  /** Language -> category of posts without one. */
  readonly defaultCategory: Readonly<Record<string, number>>;
  /** `comment_status` and `ping_status` of new records whose type allows both. */
  readonly discussion: Readonly<Record<'comment_status' | 'ping_status', 'open' | 'closed'>>;
  /** Number of records on a page of the site, 1 to 100. */
  readonly postsPerPage: number;
  /** Number of words of an automatic excerpt. */
  readonly excerptLength: number;
  /** Revision of the options from which this was read. Grows with every change to them. */
  readonly revision: number;
}

export type ReadSettings = () => Promise<SiteSettings>;

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
const integer = (value: unknown, otherwise: number): number => (Number.isSafeInteger(value) ? value as number : otherwise);

const openOrClosed = (value: unknown): 'open' | 'closed' => (value === 'closed' ? 'closed' : 'open');

/** One number for all languages, or one for each. */
function perLanguage(value: unknown, languages: readonly string[]): Record<string, number> {
  const members: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  return Object.fromEntries(languages.map((language) => [language, integer(own(members, language) ?? value, 0)]));
}

/** Most records that a list shows on one page. */
const MOST_PER_PAGE = 100;

/** The setting `posts_per_page` as lists can follow it. */
export const toPostsPerPage = (value: unknown): number => Math.min(integer(value, 0) > 0 ? integer(value, 0) : 10, MOST_PER_PAGE);

/** The time zone of the site. @throws RangeError if the zone does not exist */
export function toSiteZone(options: Readonly<Record<string, unknown>>): Zone {
  const name = text(options['timezone_string'], '');
  return toZone(name === '' ? String(options['gmt_offset'] ?? '0') : name);
}

function toSettings(options: Readonly<Record<string, unknown>>, languages: readonly string[]): Omit<SiteSettings, 'revision'> {
  const timezone = text(options['timezone_string'], '');
  const gmtOffset = String(options['gmt_offset'] ?? '0');
  return {
    name: text(options['name'], ''), description: text(options['description'], ''), timezone, gmtOffset,
    zone: toSiteZone(options),
    pageForPosts: integer(options['page_for_posts'], 0), showOnFront: text(options['show_on_front'], 'posts'),
    pageOnFront: perLanguage(options['page_on_front'], languages),
    defaultCategory: perLanguage(options['default_category'], languages),
    discussion: { comment_status: openOrClosed(options['default_comment_status']), ping_status: openOrClosed(options['default_ping_status']) },
    postsPerPage: toPostsPerPage(options['posts_per_page']),
    excerptLength: integer(options['excerpt_length_default'], 55),
  };
}

/** Reads the settings from the store; returns the same object until an option changes. */
export function createSettings(store: Store, languages: readonly string[]): ReadSettings {
  let kept: SiteSettings | null = null;
  return async () => {
    const revision = await store.revision(['options']);
    if (kept?.revision === revision) return kept;
    kept = { ...toSettings(await readOptions(store, 'site'), languages), revision };
    return kept;
  };
}
