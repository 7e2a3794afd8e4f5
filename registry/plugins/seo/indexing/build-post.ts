import type { StoredRecord } from '../../../../lib/index.ts';
import { type PostRecord, own } from '../../../plugin.ts';
import { toSummary } from '../head/summary.ts';
import { toReadingMinutes } from '../head/twitter.ts';
import type { ScoreFacts } from '../score/facts.ts';
import { scoreKeyphrase } from '../score/keyphrase.ts';
import { scoreReadability } from '../score/readability.ts';
import { type ContentFacts, readContent, toPlainText } from '../values/content-facts.ts';
import type { SeoMeta } from '../values/facts.ts';
import { toText } from '../values/json.ts';
import type { KeptMeta } from '../values/meta.ts';
import { toFoundLinks, type LinkPage } from './found-links.ts';
import { BUILDER_VERSION, type IndexableValues, toValues } from './indexable.ts';

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
