import { escapeQuotesOnce } from '../../../lib/core/escape.ts';
import { catchMaybe, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { DescribeSite, SiteFacts } from '../../../lib/engine/site-facts.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import { EXCERPT_WORDS } from '../content/render/excerpt.ts';
import { toZone, type Zone } from '../content/site-time.ts';
import { readOptions } from './options.ts';

const HOUR = 3_600_000;

/** As in WordPress, a password is only asked for over an encrypted connection. */
function toAuthentication({ siteUrl }: Call['request'], page: string | undefined): Partial<SiteFacts> {
  return page === undefined || !siteUrl.startsWith('https://')
    ? {}
    : { authentication: { 'application-passwords': { endpoints: { authorization: siteUrl + page } } } };
}

function toFacts(call: Call, settings: SiteSettings, gmtOffset: string): SiteFacts {
  const { language } = call.request;
  return {
    name: own(settings.name, language) ?? '',
    description: own(settings.description, language) ?? '',
    url: call.request.siteUrl,
    home: call.site.home(),
    gmt_offset: gmtOffset,
    timezone_string: settings.timezone,
    page_for_posts: own(settings.pageForPosts, language) ?? 0,
    page_on_front: own(settings.pageOnFront, language) ?? 0,
    show_on_front: settings.showOnFront,
  };
}

/** The description of the site in the index. `page`: path where a person gives a program an application password. The same object until the settings or the offset from GMT change. */
export function createDescribeSite(
  readSettings: ReadSettings,
  { now, page }: { readonly now: () => number; readonly page: string | undefined },
): DescribeSite {
  const kept = new WeakMap<SiteSettings, Map<string, SiteFacts>>();
  return async (call) => {
    const settings = await readSettings();
    const gmtOffset = String(settings.zone.offsetAt(now()) / HOUR);
    const known = kept.get(settings) ?? new Map<string, SiteFacts>();
    kept.set(settings, known);
    const key = `${call.site.home()} ${call.request.siteUrl} ${gmtOffset}`;
    const facts = known.get(key) ?? {
      ...toFacts(call, settings, gmtOffset),
      ...toAuthentication(call.request, page),
    };
    known.set(key, facts);
    return facts;
  };
}

/** Language -> value. */
type PerLanguage<T> = Readonly<Record<string, T>>;

/** The settings in the options group `site`. Read again only after an option, or a page that a setting names, may have changed. */
export interface SiteSettings {
  /** Name and description are HTML without markup. */
  readonly name: PerLanguage<string>;
  /** What it is for, in one sentence. */
  readonly description: PerLanguage<string>;
  /** IANA name, or '' for a fixed offset. */
  readonly timezone: string;
  /** Time zone of the site. */
  readonly zone: Zone;
  /** What the front page shows: posts or a page. */
  readonly showOnFront: string;
  /** Ids of the front pages; 0 for none. */
  readonly pageOnFront: PerLanguage<number>;
  /** Ids of the pages that list the posts; 0 for none. */
  readonly pageForPosts: PerLanguage<number>;
  /** Categories of posts without one. */
  readonly defaultCategory: PerLanguage<number>;
  /** `comment_status` and `ping_status` of new records whose type allows both. */
  readonly discussion: Readonly<Record<'comment_status' | 'ping_status', 'open' | 'closed'>>;
  /** Number of records on a page of the site, 1 to 100. */
  readonly postsPerPage: number;
  /** Number of words of an automatic excerpt. */
  readonly excerptLength: number;
  /** Template of the addresses of previews; '' for the site's own pages. */
  readonly previewUrl: string;
  /** Languages that stand in for another one, the best first, for requests that ask for them. */
  readonly fallbacks: PerLanguage<readonly string[]>;
  /** Another text after every change to the options, and after every change of the front pages. */
  readonly revision: string;
}

/** Reads the settings of the site. The object is the same until one of them changes. */
export type ReadSettings = () => Promise<SiteSettings>;

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
const integer = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(value) ? (value as number) : otherwise;

const openOrClosed = (value: unknown): 'open' | 'closed' => (value === 'closed' ? 'closed' : 'open');

type Options = Readonly<Record<string, unknown>>;

const forEach = <T>(languages: readonly string[], read: (language: string) => T): PerLanguage<T> =>
  Object.fromEntries(languages.map((language) => [language, read(language)]));

/** The values of an option by language; undefined for an option with one value for all of them. */
const byLanguage = (value: unknown): Options | undefined => (isObject(value) ? { ...value } : undefined);

/** One number for all languages, or one for each. */
function toNumbers(value: unknown, languages: readonly string[]): PerLanguage<number> {
  const values = byLanguage(value);
  return forEach(languages, (language) => integer(values === undefined ? value : own(values, language), 0));
}

/** One text for all languages, or one for each, as HTML without markup. A language without a text has that of the first language with one. */
function toTexts(value: unknown, languages: readonly string[]): PerLanguage<string> {
  const values = byLanguage(value) ?? {};
  const usual =
    languages.map((language) => own(values, language)).find((each) => each !== undefined) ?? value;
  return forEach(languages, (language) => escapeQuotesOnce(text(own(values, language) ?? usual, '')));
}

/** Languages that the site does not have are left out. */
function toFallbacks(value: unknown, languages: readonly string[]): PerLanguage<readonly string[]> {
  const values = byLanguage(value) ?? {};
  return forEach(languages, (language) => {
    const chain = own(values, language);
    return Array.isArray(chain) ? chain.map(String).filter((each) => languages.includes(each)) : [];
  });
}

/** Options that name a page. The page of one language stands for its translations. */
const PAGE_OPTIONS = ['page_on_front', 'page_for_posts'] as const;
type Pages = Readonly<Record<(typeof PAGE_OPTIONS)[number], PerLanguage<number>>>;

const idsOf = (value: unknown): readonly number[] =>
  Object.values(byLanguage(value) ?? [value])
    .map((id) => integer(id, 0))
    .filter((id) => id > 0);

/**
 * The pages that the options name, in each language: the page itself in its own language, and its published translation in another one.
 * Without a value of its own, a language has the translation of a page that another language names. An id without a page stays as it is.
 */
async function loadPages(store: Store, options: Options, languages: readonly string[]): Promise<Pages> {
  const ids = PAGE_OPTIONS.flatMap((name) => idsOf(own(options, name)));
  const find = async (where: Predicate): Promise<readonly StoredRecord[]> =>
    (await store.find({ collection: 'posts', where, fields: ['language', 'group', 'type'] })).records;
  const named = ids.length === 0 ? [] : await find(oneOf('id', [...new Set(ids)]));
  const groups = [...new Set(named.map(({ group }) => Number(group)))].filter((group) => group !== 0);
  const published =
    groups.length === 0 ? [] : await find(and(oneOf('group', groups), eq('status', 'publish')));
  const translate = (id: number, language: string): number | undefined => {
    const page = named.find((each) => each.id === id);
    if (page?.['language'] === language) return id;
    return (
      page &&
      published.find(
        (each) =>
          each['group'] === page['group'] && each['type'] === page['type'] && each['language'] === language,
      )?.id
    );
  };
  const choose =
    (value: unknown) =>
    (language: string): number => {
      const values = byLanguage(value);
      const id = values === undefined ? value : own(values, language);
      if (id === undefined)
        return (
          idsOf(value)
            .map((each) => translate(each, language))
            .find((each) => each !== undefined) ?? 0
        );
      return (
        translate(integer(id, 0), language) ?? (named.some((each) => each.id === id) ? 0 : integer(id, 0))
      );
    };
  return Object.fromEntries(
    PAGE_OPTIONS.map((name) => [name, forEach(languages, choose(own(options, name) ?? 0))]),
  ) as Pages;
}

/** A page, as the settings know it. */
type KnownPage = { readonly id: number; readonly language: string };
/** What says which pages stand in front. */
type FrontSettings = Pick<SiteSettings, 'showOnFront' | 'pageOnFront' | 'pageForPosts'>;

/** Whether a page is the home page of its language. */
export const isFrontPage = (
  { showOnFront, pageOnFront }: Omit<FrontSettings, 'pageForPosts'>,
  { id, language }: KnownPage,
): boolean => showOnFront === 'page' && own(pageOnFront, language) === id;

/** Whether a page shows the newest posts of its language in place of its text. */
export const isPostsPage = (
  { showOnFront, pageForPosts }: FrontSettings,
  { id, language }: KnownPage,
): boolean => showOnFront === 'page' && own(pageForPosts, language) === id;

/** `posts_per_page` may be stored as more, as in WordPress. Lists follow it up to this. */
const MOST_POSTS_PER_PAGE = 100;

/** The setting `posts_per_page` as lists can follow it. */
const toPostsPerPage = (value: unknown): number =>
  Math.min(integer(value, 0) > 0 ? integer(value, 0) : 10, MOST_POSTS_PER_PAGE);

/** The time zone of the site. @throws RangeError if the zone does not exist */
export function toSiteZone(options: Readonly<Record<string, unknown>>): Zone {
  const name = text(options['timezone_string'], '');
  return toZone(name === '' ? String(options['gmt_offset'] ?? '0') : name);
}

function toSettings(
  options: Options,
  pages: Pages,
  languages: readonly string[],
): Omit<SiteSettings, 'revision'> {
  const timezone = text(options['timezone_string'], '');
  return {
    name: toTexts(options['name'], languages),
    description: toTexts(options['description'], languages),
    timezone,
    zone: toSiteZone(options),
    showOnFront: text(options['show_on_front'], 'posts'),
    pageOnFront: pages.page_on_front,
    pageForPosts: pages.page_for_posts,
    defaultCategory: toNumbers(options['default_category'], languages),
    discussion: {
      comment_status: openOrClosed(options['default_comment_status']),
      ping_status: openOrClosed(options['default_ping_status']),
    },
    postsPerPage: toPostsPerPage(options['posts_per_page']),
    excerptLength: integer(options['excerpt_length_default'], EXCERPT_WORDS),
    previewUrl: text(own(options, 'preview_url'), ''),
    fallbacks: toFallbacks(own(options, 'ml_fallbacks'), languages),
  };
}

/** What settings are read from. Only a site with a front page depends on its posts. */
const READ = { alone: ['options'], withPages: ['options', 'posts'] } as const;

/** Reads the settings from the store; returns the same object until one of them changes. */
export function createSettings(store: Store, languages: readonly string[]): ReadSettings {
  let kept: {
    readonly settings: SiteSettings;
    readonly promise: Promise<SiteSettings>;
    readonly read: keyof typeof READ;
    readonly state: number;
  } | null = null;
  const readAgain = async (): Promise<SiteSettings> => {
    // Before the values, so that a change meanwhile is noticed by the next call.
    const states = {
      alone: await store.revision(READ.alone),
      withPages: await store.revision(READ.withPages),
    };
    const options = await readOptions(store, 'site');
    const pages = await loadPages(store, options, languages);
    const revision = JSON.stringify([states.alone, pages]);
    const read = PAGE_OPTIONS.some((name) => idsOf(own(options, name)).length > 0) ? 'withPages' : 'alone';
    const settings =
      kept?.settings.revision === revision
        ? kept.settings
        : { ...toSettings(options, pages, languages), revision };
    kept = { settings, promise: Promise.resolve(settings), read, state: states[read] };
    return settings;
  };
  return () => {
    const known = kept;
    if (known === null) return readAgain();
    const toCurrent = (state: number): Promise<SiteSettings> =>
      state === known.state ? known.promise : readAgain();
    // What a closed store throws at once is rejected: the caller may have begun other reads, whose rejections nobody would handle.
    return catchMaybe<SiteSettings>(
      () => thenMaybe(store.revision(READ[known.read]), toCurrent),
      (error) => Promise.reject(error as Error),
    ) as Promise<SiteSettings>;
  };
}
