import { fill, phrasesOf, type Phrases } from '../values/phrases.ts';
import { toValues, type IndexableValues, type ObjectKind } from './indexable.ts';

/** Pages that exist in every language without a post or term. */
interface PageRow {
  readonly type: ObjectKind;
  readonly subType: string;
  /** Path below the language; null when the page has no URL of its own. */
  readonly path: string | null;
  readonly hidden?: true;
  readonly title: (phrases: Phrases, siteName: string) => string;
}

const GENERAL: readonly PageRow[] = [
  { type: 'home-page', subType: '', path: '', title: (_phrases, siteName) => siteName },
  { type: 'system-page', subType: '404', path: null, hidden: true, title: ({ notFound }) => notFound },
  {
    type: 'system-page',
    subType: 'search-result',
    path: null,
    hidden: true,
    title: ({ search }) => fill(search, '…'),
  },
  {
    type: 'date-archive',
    subType: '',
    path: null,
    hidden: true,
    title: ({ archive }, siteName) => fill(archive, siteName),
  },
];

function toPage(
  { type, subType, path, hidden, title }: PageRow,
  language: string,
  siteName: string,
): IndexableValues {
  return toValues({
    key: [type, subType, language].filter((part) => part !== '').join(':'),
    object_type: type,
    object_sub_type: subType,
    language,
    path: path === null ? '' : `/${language}/${path}`,
    is_robots_noindex: hidden === true,
    facts: { title: title(phrasesOf(language), siteName), breadcrumb_title: '', description: '' },
  });
}

/** The name of the site in a language. */
export type SiteName = (language: string) => string;

/** Home page, error page, search page and date archive of each language. */
export function buildGeneral(languages: readonly string[], siteName: SiteName): readonly IndexableValues[] {
  return languages.flatMap((language) => GENERAL.map((row) => toPage(row, language, siteName(language))));
}

/** The archive of each post type in each language. Posts are listed on the home page, so the archive of `post` has no URL of its own. */
export function buildArchives(
  languages: readonly string[],
  postTypes: readonly string[],
  siteName: SiteName,
): readonly IndexableValues[] {
  const rows = postTypes.map((subType): PageRow => ({
    type: 'post-type-archive',
    subType,
    path: subType === 'post' ? null : `${subType}/`,
    title: ({ archive }, siteName) => fill(archive, siteName),
  }));
  return languages.flatMap((language) => rows.map((row) => toPage(row, language, siteName(language))));
}
