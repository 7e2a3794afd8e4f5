import { own } from '../../../lib/core/objects.ts';
import type { CachedFacts, CacheHeaders } from '../../../lib/engine/response-cache.ts';

/** How tags call the records of a collection, whether its lists are by language, and whether some of its records are in those of all languages. */
interface Tagged {
  readonly name: string;
  readonly byLanguage?: true;
  readonly hasShared?: true;
}

/**
 * Collections whose changes receivers of events hear of. null: they need not, because the collection changes with another one, apart
 * from the links to the newest autosave.
 */
const TAGGED: Readonly<Record<string, Tagged | null>> = {
  posts: { name: 'posts', byLanguage: true },
  terms: { name: 'terms', byLanguage: true, hasShared: true },
  comments: { name: 'comments', byLanguage: true },
  users: { name: 'users' },
  media: { name: 'media' },
  options: { name: 'settings' },
  post_history: null,
};

/** The tag of responses that show a record. */
export const recordTag = (name: string, id: number): string => `${name}-${id}`;

/** The tag of responses that change with a collection. `language`: '' for records without one. */
export const listTag = (name: string, language: string): string =>
  language === '' ? name : `${name}:${language}`;

/** The tags of a response. null: it depends on what no event tells. */
function toTags(
  { records, collections, language }: CachedFacts,
  languages: readonly string[],
): readonly string[] | null {
  if (!collections.every((each) => Object.hasOwn(TAGGED, each))) return null;
  const shown = records.flatMap(([collection, id]) => {
    const tagged = own(TAGGED, collection);
    return tagged ? [recordTag(tagged.name, id)] : [];
  });
  const lists = collections.flatMap((each) => {
    const tagged = own(TAGGED, each);
    if (!tagged) return [];
    if (tagged.byLanguage !== true) return [listTag(tagged.name, '')];
    const codes = language === null ? languages : [language];
    return [...codes, ...(tagged.hasShared === true ? [''] : [])].map((code) => listTag(tagged.name, code));
  });
  return [...new Set([...shown, ...lists])];
}

/** What a site tells caches in front. */
export interface CacheHeaderOptions {
  /** Name of the header with the tags, such as `Cache-Tag`, `Surrogate-Key` or `xkey`. */
  readonly tags?: string;
  /** How long shared caches keep a response, in seconds. */
  readonly sharedMaxAge?: number;
}

/** Headers whose tags are not separated by a space. */
const SEPARATORS: Readonly<Record<string, string>> = { 'cache-tag': ',' };

/** The headers of cached responses. A response without tags is not for caches in front, because nothing would purge it. */
export function createCacheHeaders(
  { tags, sharedMaxAge }: CacheHeaderOptions,
  languages: readonly string[],
): CacheHeaders | undefined {
  if (tags === undefined && sharedMaxAge === undefined) return undefined;
  const separator = own(SEPARATORS, tags?.toLowerCase() ?? '') ?? ' ';
  return (facts) => {
    const found = toTags(facts, languages);
    if (found === null) return {};
    return {
      ...(tags === undefined ? {} : { [tags]: found.join(separator) }),
      ...(sharedMaxAge === undefined ? {} : { 'Cache-Control': `s-maxage=${sharedMaxAge}` }),
    };
  };
}
