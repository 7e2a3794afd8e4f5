import type { StoredRecord } from '../../../../lib/index.ts';
import { own, type PostRecord } from '../../../plugin.ts';
import { toReadingMinutes } from '../head/social.ts';
import { toSummary } from '../head/texts.ts';
import { type ContentFacts, readContent, toPlainText } from '../values/content-facts.ts';
import type { KeptMeta, SeoMeta } from '../values/head-facts.ts';
import { fill, type Phrases, phrasesOf } from '../values/page-context.ts';
import { toText } from '../values/scalars.ts';
import { type ScoreFacts, scoreKeyphrase, scoreReadability } from '../values/score.ts';
import {
  BUILDER_VERSION,
  type IndexableValues,
  type LinkPage,
  type ObjectKind,
  toFoundLinks,
  toValues,
} from './indexable.ts';

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

const textOf = (term: StoredRecord, field: string): string => toText(own(term, field));

/** Where a term is found. `path`: below the site. */
export interface TermPlace {
  readonly language: string;
  readonly path: string;
}

/** Builds the indexable of a term. */
export function buildTerm(
  term: StoredRecord,
  { meta, version }: KeptMeta,
  { language, path }: TermPlace,
): IndexableValues {
  const [taxonomy, name] = [textOf(term, 'taxonomy'), toPlainText(textOf(term, 'name'))];
  return toValues({
    key: `term:${term.id}`,
    object_type: 'term',
    object_sub_type: taxonomy,
    object_id: term.id,
    language,
    path,
    is_cornerstone: meta.cornerstone,
    is_robots_noindex: meta.noindex,
    focus_phrase: meta.focus_phrase,
    object_version: term.version,
    meta_version: version,
    builder_version: BUILDER_VERSION,
    facts: {
      ...toMetaFacts(meta),
      title: meta.title || name,
      breadcrumb_title: meta.breadcrumb_title || name,
      description: meta.description || toPlainText(textOf(term, 'description')),
      schema_page_type: 'CollectionPage',
    },
  });
}

/** The editor's fields as members of an indexable. */
function toMetaFacts(meta: SeoMeta): IndexableValues['facts'] {
  return {
    canonical: meta.canonical,
    is_robots_nofollow: meta.nofollow,
    is_robots_noarchive: meta.noarchive,
    is_robots_noimageindex: meta.noimageindex,
    is_robots_nosnippet: meta.nosnippet,
    open_graph_title: meta.og_title,
    open_graph_description: meta.og_description,
    open_graph_image: meta.og_image,
    twitter_title: meta.twitter_title,
    twitter_description: meta.twitter_description,
    twitter_image: meta.twitter_image,
  };
}

/** What the checks of a post read. `page`: its own. */
export function toScoreFacts(
  post: PostRecord,
  meta: SeoMeta,
  { content, page }: { readonly content: ContentFacts; readonly page: LinkPage },
): ScoreFacts {
  const types = toFoundLinks(content.links, page).map(({ type }) => type);
  return {
    phrase: meta.focus_phrase,
    title: meta.title || toPlainText(post.title),
    description: meta.description || toPlainText(post.excerpt),
    slug: post.slug,
    content,
    internalLinks: types.filter((type) => type === 'internal').length,
    externalLinks: types.filter((type) => type === 'external').length,
  };
}

/** Builds the indexable of a post. `page`: its own page. Of a protected post's text only the scores are stored. */
export function buildPost(post: PostRecord, { meta, version }: KeptMeta, page: LinkPage): IndexableValues {
  const content = readContent(post.content);
  const [title, excerpt, secret] = [toPlainText(post.title), toPlainText(post.excerpt), post.password !== ''];
  const summary = excerpt || toSummary(content.text.slice(0, 1000));
  const facts = toScoreFacts(post, meta, { content, page });
  return toValues({
    key: `post:${post.id}`,
    object_type: 'post',
    object_sub_type: post.type,
    object_id: post.id,
    language: post.language,
    author_id: post.author,
    path: page.path,
    post_status: post.status,
    is_public: post.status === 'publish' && !secret,
    is_protected: secret,
    is_cornerstone: meta.cornerstone,
    is_robots_noindex: meta.noindex,
    focus_phrase: meta.focus_phrase,
    focus_score: scoreKeyphrase(facts),
    readability_score: scoreReadability(facts),
    object_version: post.version,
    meta_version: version,
    builder_version: BUILDER_VERSION,
    published_gmt: post.date_gmt,
    modified_gmt: post.modified_gmt,
    facts: {
      ...toMetaFacts(meta),
      title: meta.title || title,
      breadcrumb_title: meta.breadcrumb_title || title,
      description: meta.description || (secret ? '' : summary),
      schema_page_type: 'WebPage',
      schema_article_type: 'Article',
      estimated_reading_time_minutes: secret ? 0 : toReadingMinutes(content.words),
    },
  });
}
