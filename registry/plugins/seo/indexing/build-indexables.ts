import type { StoredRecord } from '../../../../lib/index.ts';
import type { PostRecord, TermRecord } from '../../../plugin.ts';
import { toReadingMinutes } from '../head/social.ts';
import { toSummary } from '../head/texts.ts';
import { type ContentFacts, readContent, toPlainText } from '../values/content-facts.ts';
import type { KeptMeta, ObjectType, SeoMeta } from '../values/head-facts.ts';
import { fill, type Phrases, phrasesOf } from '../values/page-context.ts';
import { type ScoreFacts, scoreKeyphrase, scoreReadability } from '../values/score.ts';
import { type IndexableValues, type LinkPage, toFoundLinks, toValues } from './indexable.ts';

/** A page that exists in every language without a post or term. */
export interface PageRow {
  readonly type: string;
  readonly subType?: string;
  /** Path below the language. Absent: the page has no URL of its own. */
  readonly path?: string;
  readonly hidden?: boolean;
  readonly title: (phrases: Phrases, siteName: string) => string;
}

/** Home page, error page, search page and date archive. */
export const GENERAL: readonly PageRow[] = [
  { type: 'home-page', path: '', title: (_phrases, siteName) => siteName },
  { type: 'system-page', subType: '404', hidden: true, title: ({ notFound }) => notFound },
  {
    type: 'system-page',
    subType: 'search-result',
    hidden: true,
    title: ({ search }) => fill(search, '…'),
  },
  { type: 'date-archive', hidden: true, title: ({ archive }, siteName) => fill(archive, siteName) },
];

/** The archive of each post type. Posts are listed on the home page, so the archive of `post` has no URL of its own. */
export const toArchives = (postTypes: readonly string[]): readonly PageRow[] =>
  postTypes.map((subType) => ({
    type: 'post-type-archive',
    subType,
    ...(subType === 'post' ? {} : { path: `${subType}/` }),
    title: ({ archive }, siteName) => fill(archive, siteName),
  }));

/** Builds the indexable of a page in a language. `siteName`: in this language. */
export function buildPage(
  { type, subType = '', path, hidden = false, title }: PageRow,
  language: string,
  siteName: string,
): IndexableValues {
  return toValues({
    key: [type, subType, language].filter((part) => part !== '').join(':'),
    object_type: type,
    object_sub_type: subType,
    language,
    path: path === undefined ? '' : `/${language}/${path}`,
    is_robots_noindex: hidden,
    facts: { title: title(phrasesOf(language), siteName), breadcrumb_title: '', description: '' },
  });
}

/** Where a post or a term is found. `path`: below the site. */
export interface ObjectPlace {
  readonly language: string;
  readonly path: string;
}

/** What the indexables of posts and of terms have in common. */
function toObject(
  type: ObjectType,
  { id, version }: StoredRecord,
  { meta, version: meta_version }: KeptMeta,
) {
  return {
    key: `${type}:${id}`,
    object_type: type,
    object_id: id,
    is_cornerstone: meta.cornerstone,
    is_robots_noindex: meta.noindex,
    focus_phrase: meta.focus_phrase,
    object_version: version,
    meta_version,
  };
}

/** Builds the indexable of a term. */
export function buildTerm(term: TermRecord, kept: KeptMeta, place: ObjectPlace): IndexableValues {
  const { meta } = kept;
  const name = toPlainText(term.name);
  return toValues({
    ...toObject('term', term, kept),
    ...place,
    object_sub_type: term.taxonomy,
    facts: {
      ...toMetaFacts(meta),
      title: meta.title || name,
      breadcrumb_title: meta.breadcrumb_title || name,
      description: meta.description || toPlainText(term.description),
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
export function buildPost(post: PostRecord, kept: KeptMeta, page: LinkPage): IndexableValues {
  const { meta } = kept;
  const content = readContent(post.content);
  const [title, excerpt, secret] = [toPlainText(post.title), toPlainText(post.excerpt), post.password !== ''];
  const summary = excerpt || toSummary(content.text.slice(0, 1000));
  const facts = toScoreFacts(post, meta, { content, page });
  return toValues({
    ...toObject('post', post, kept),
    object_sub_type: post.type,
    language: post.language,
    author_id: post.author,
    path: page.path,
    post_status: post.status,
    is_public: post.status === 'publish' && !secret,
    is_protected: secret,
    focus_score: scoreKeyphrase(facts),
    readability_score: scoreReadability(facts),
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
