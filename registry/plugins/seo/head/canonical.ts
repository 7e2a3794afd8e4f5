import type { Store } from '../../../../lib/index.ts';
import { own } from '../../../plugin.ts';
import {
  findMeta,
  type HeadFacts,
  type ObjectType,
  type SeoMeta,
  withOwnMeta,
} from '../values/head-facts.ts';
import type { PageContext } from '../values/page-context.ts';

/** Directives by name, as in the response. Joined with commas they form the robots tag. */
export type Robots = Readonly<Record<string, string>>;

const LIMITS: Robots = {
  'max-snippet': 'max-snippet:-1',
  'max-image-preview': 'max-image-preview:large',
  'max-video-preview': 'max-video-preview:-1',
};

/** Kinds of pages that are never indexed. */
const HIDDEN: ReadonlySet<HeadFacts['kind']> = new Set(['search', 'error']);

/** Whether search engines may list the page. */
function isIndexed(facts: HeadFacts): boolean {
  return !facts.meta.noindex && !HIDDEN.has(facts.kind);
}

/** The robots directives of a page. Snippet limits apply only to an indexed page. */
export function toRobots(facts: HeadFacts): Robots {
  const { meta } = facts;
  const indexed = isIndexed(facts);
  return {
    index: indexed ? 'index' : 'noindex',
    follow: meta.nofollow ? 'nofollow' : 'follow',
    ...(meta.noarchive ? { noarchive: 'noarchive' } : {}),
    ...(meta.noimageindex ? { noimageindex: 'noimageindex' } : {}),
    ...(meta.nosnippet ? { nosnippet: 'nosnippet' } : {}),
    ...(indexed && !meta.nosnippet ? LIMITS : {}),
  };
}

/** The canonical URL of the page; '' for a page that is not indexed. */
export function toCanonical(facts: HeadFacts): string {
  if (!isIndexed(facts)) return '';
  return facts.meta.canonical === '' ? facts.url : facts.meta.canonical;
}

/** One `link rel="alternate"`. */
export interface Alternate {
  readonly hreflang: string;
  readonly href: string;
}

/** A version of a page in one language. */
export interface Version {
  readonly id: number;
  readonly language: string;
  readonly url: string;
  /** The meta of the object itself. */
  readonly stored: unknown;
}

/** Whether search engines may list the page under this address: an editor has neither hidden it nor named another address. */
const isListed = (meta: SeoMeta, url: string): boolean =>
  !meta.noindex && (meta.canonical === '' || meta.canonical === url);

/** The versions that search engines may list under their own address. */
export async function findListed(
  store: Store,
  type: ObjectType,
  versions: readonly Version[],
): Promise<readonly Version[]> {
  const metaOf = await findMeta(
    store,
    type,
    versions.map(({ id }) => id),
  );
  return versions.filter(({ id, url, stored }) => isListed(withOwnMeta(metaOf(id).meta, stored), url));
}

/**
 * Language -> URL of the versions that are alternates of each other: in languages that the site serves, listed under their own address.
 * Empty if one of them is not such a version itself, so that all of them name the same ones.
 */
export async function toListedVersions(
  { store, served }: Pick<PageContext, 'store' | 'served'>,
  type: ObjectType,
  { own: page, others }: { own: Version; others: readonly Version[] },
): Promise<Readonly<Record<string, string>>> {
  const versions = [...others, page].filter(({ language }) => served.has(language));
  if (!served.has(page.language) || versions.length < 2) return {};
  const listed = await findListed(store, type, versions);
  return listed.includes(page) ? Object.fromEntries(listed.map(({ language, url }) => [language, url])) : {};
}

/** The same page in all its languages, and the default for other readers. Empty for a page that is not indexed under its own address or has one language. */
export function toAlternates(facts: HeadFacts): readonly Alternate[] {
  return toCanonical(facts) === facts.url ? linkVersions(facts.alternates, facts.defaultAlternate) : [];
}

/** The links between the versions of a page. Empty for a page in one language. `defaultUrl`: '' for none. */
export function linkVersions(
  versions: Readonly<Record<string, string>>,
  defaultUrl: string,
): readonly Alternate[] {
  const languages = Object.keys(versions).sort();
  if (languages.length < 2) return [];
  const links = languages.map((hreflang) => ({ hreflang, href: own(versions, hreflang) ?? '' }));
  return defaultUrl === '' ? links : [...links, { hreflang: 'x-default', href: defaultUrl }];
}
