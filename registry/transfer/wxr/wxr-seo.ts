import { isObject, own } from '../../../lib/core/objects.ts';
import type { LeftOut } from '../items/item.ts';
import type { MetaRead, ReadContext } from '../items/read-context.ts';
import { readMeta, readMetaText } from './wxr-meta.ts';
import type { WxrItem } from './wxr-state.ts';

type Read = (text: string) => string;

const first: Read = (text) => text.split(',')[0]?.trim() ?? '';
const ifOn: Read = (text) => (text === '1' || text === 'on' ? '1' : '');
/** Whether a serialised list of words has the word. */
const ifListed =
  (word: string): Read =>
  (text) => {
    const value = readMetaText(text);
    return Object.values(typeof value === 'object' && value !== null ? value : []).includes(word) ? '1' : '';
  };

/** A text of a serialised list. */
const memberOf =
  (name: string): Read =>
  (text) => {
    const value = readMetaText(text);
    const member = isObject(value) ? own(value, name) : undefined;
    return typeof member === 'string' ? member : '';
  };

const RANK_MATH_WORDS: ReadonlyMap<string, string> = new Map([
  ['term', 'term_title'],
  ['categories', 'category'],
  ['tags', 'tag'],
  ['seo_description', 'excerpt'],
  ['post_author', 'name'],
]);
/** Rank Math writes `%title%` where the fields have `%%title%%`, and `%date(Y)%` with a format, which the fields do not have. */
const fromRankMath: Read = (text) =>
  text.replaceAll(
    /(?<!%)%(\w+)(?:\([^()%]*\))?%(?!%)/g,
    (_whole, word: string) => `%%${RANK_MATH_WORDS.get(word) ?? word}%%`,
  );

const AIOSEO_WORDS: ReadonlyMap<string, string> = new Map([
  ['post_title', 'title'],
  ['separator_sa', 'sep'],
  ['site_title', 'sitename'],
  ['tagline', 'sitedesc'],
  ['post_excerpt', 'excerpt'],
  ['post_excerpt_only', 'excerpt_only'],
  ['author_name', 'name'],
  ['taxonomy_title', 'term_title'],
  ['taxonomy_description', 'term_description'],
  ['categories', 'category'],
  ['post_date', 'date'],
  ['current_year', 'currentyear'],
  ['current_month', 'currentmonth'],
]);
const fromAioseo: Read = (text) =>
  text.replaceAll(/#([a-z_]+)/g, (whole, word: string) =>
    AIOSEO_WORDS.has(word) ? `%%${AIOSEO_WORDS.get(word)}%%` : whole,
  );

/** The fields that plugins keep in meta: key of the export, field, and how its text is read unless it is the same. */
const FIELDS: readonly (readonly [key: string, field: string, read?: Read])[] = [
  ['_yoast_wpseo_title', 'seo_title'],
  ['_yoast_wpseo_metadesc', 'seo_description'],
  ['_yoast_wpseo_focuskw', 'seo_keyphrase'],
  ['_yoast_wpseo_canonical', 'seo_canonical'],
  ['_yoast_wpseo_meta-robots-noindex', 'seo_noindex', ifOn],
  ['_yoast_wpseo_meta-robots-nofollow', 'seo_nofollow', ifOn],
  ['_yoast_wpseo_opengraph-title', 'seo_og_title'],
  ['_yoast_wpseo_opengraph-description', 'seo_og_description'],
  ['_yoast_wpseo_opengraph-image', 'seo_og_image'],
  ['_yoast_wpseo_is_cornerstone', 'seo_cornerstone', ifOn],
  ['_yoast_wpseo_twitter-title', 'seo_twitter_title'],
  ['_yoast_wpseo_twitter-description', 'seo_twitter_description'],
  ['rank_math_title', 'seo_title', fromRankMath],
  ['rank_math_description', 'seo_description', fromRankMath],
  ['rank_math_focus_keyword', 'seo_keyphrase', first],
  ['rank_math_canonical_url', 'seo_canonical'],
  ['rank_math_robots', 'seo_noindex', ifListed('noindex')],
  ['rank_math_robots', 'seo_nofollow', ifListed('nofollow')],
  ['rank_math_facebook_title', 'seo_og_title', fromRankMath],
  ['rank_math_facebook_description', 'seo_og_description', fromRankMath],
  ['rank_math_facebook_image', 'seo_og_image'],
  ['rank_math_pillar_content', 'seo_cornerstone', ifOn],
  ['rank_math_twitter_title', 'seo_twitter_title', fromRankMath],
  ['rank_math_twitter_description', 'seo_twitter_description', fromRankMath],
  ['_aioseo_title', 'seo_title', fromAioseo],
  ['_aioseo_description', 'seo_description', fromAioseo],
  ['_aioseo_og_title', 'seo_og_title', fromAioseo],
  ['_aioseo_og_description', 'seo_og_description', fromAioseo],
  ['_aioseo_twitter_title', 'seo_twitter_title', fromAioseo],
  ['_aioseo_twitter_description', 'seo_twitter_description', fromAioseo],
  ['_aioseop_title', 'seo_title'],
  ['_aioseop_description', 'seo_description'],
  ['_aioseop_noindex', 'seo_noindex', ifOn],
  ['_aioseop_nofollow', 'seo_nofollow', ifOn],
  ['_aioseop_custom_link', 'seo_canonical'],
  ['_aioseop_opengraph_settings', 'seo_og_title', memberOf('aioseop_opengraph_settings_title')],
  ['_aioseop_opengraph_settings', 'seo_og_description', memberOf('aioseop_opengraph_settings_desc')],
  ['_aioseop_opengraph_settings', 'seo_og_image', memberOf('aioseop_opengraph_settings_customimg')],
];

/** Keys of what the plugins compute of a record. They hold nothing that somebody entered. */
const COMPUTED: readonly string[] = [
  '_yoast_wpseo_linkdex',
  '_yoast_wpseo_content_score',
  '_yoast_wpseo_inclusive_language_score',
  '_yoast_wpseo_estimated-reading-time-minutes',
  '_yoast_wpseo_wordproof_timestamp',
  'rank_math_seo_score',
  'rank_math_contentai_score',
  'rank_math_internal_links_processed',
  'rank_math_analytic_object_id',
];

/** As `readMeta`, with the fields of other plugins as those of the site. */
export function readMetaAndSeo(
  context: ReadContext,
  { place, entries }: Pick<WxrItem, 'place' | 'entries'>,
  { of, known }: { of: string; known: ReadonlySet<string> },
): MetaRead {
  const keys = context.content.meta.get(of) ?? [];
  const seo = withSeoFields(entries, (key) => keys.some((each) => each.key === key));
  const { values, leftOut: others } = readMeta(context, { place, entries: seo.entries }, { of, known });
  return { values, leftOut: [...seo.shortened.map((each) => ({ leftOut: { place, ...each } })), ...others] };
}

/** The entries of a record with the fields of plugins. `shortened`: what was kept in part. */
interface SeoEntries {
  readonly entries: ReadonlyMap<string, readonly string[]>;
  readonly shortened: readonly Omit<LeftOut, 'place'>[];
}

/** Rank Math lists several keyphrases in one text. */
const listFurther = (text: string): number =>
  text
    .split(',')
    .slice(1)
    .filter((phrase) => phrase.trim() !== '').length;

/**
 * The entries with the fields of Yoast SEO, Rank Math and All in One SEO under the site's own keys, if it has them. A field that the
 * export has under its own key, or under that of an earlier plugin, stays. Keys of computed values are dropped unless the site has them.
 */
export function withSeoFields(
  entries: ReadonlyMap<string, readonly string[]>,
  isRegistered: (key: string) => boolean,
): SeoEntries {
  const read = new Map(entries);
  const shortened: SeoEntries['shortened'][number][] = [];
  for (const key of COMPUTED) if (!isRegistered(key)) read.delete(key);
  for (const [key, field, toText = String] of FIELDS) {
    const text = entries.get(key)?.[0];
    if (text === undefined || !isRegistered(field) || isRegistered(key)) continue;
    const value = toText(text);
    if (value !== '' && !read.has(field)) read.set(field, [value]);
    read.delete(key);
    if (toText === first && listFurther(text) > 0)
      shortened.push({
        what: `further keyphrases of ${key}`,
        reason: 'a record has one keyphrase; the first one was kept',
      });
  }
  return { entries: read, shortened };
}
