import { own } from '../../../lib/core/objects.ts';
import { isLonger } from '../../../lib/core/text.ts';
import { tooLong } from '../../../lib/schema/failure-messages.ts';
import { invalidParams } from '../../../lib/schema/invalid.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';

/** What an import does with a longer text: `cut` it, leave it `empty`, or `refuse` the record. Half an address or half a login would be another one. */
type Otherwise = 'cut' | 'empty' | 'refuse';

/** The bound of one field. `otherwise`: what an import does with a longer text. */
export interface TextBound {
  /** Most characters (code points). */
  readonly most: number;
  readonly otherwise: Otherwise;
}

const cut = (most: number): TextBound => ({ most, otherwise: 'cut' });
const empty = (most: number): TextBound => ({ most, otherwise: 'empty' });
const refuse = (most: number): TextBound => ({ most, otherwise: 'refuse' });

/** Columns of WordPress of the type TEXT, and those of comments, which it leaves some room. */
const TEXT = cut(65_535);
const COMMENT = cut(65_525);
/** A name that WordPress stores without a bound. */
const NAME = cut(250);
/** A profile text that WordPress stores without a bound. A page of 100 users must fit into a response. */
const PROFILE = cut(10_000);
const SLUG = cut(200);
/** All meta of a record as JSON. */
const META = empty(65_535);
/** Texts and addresses that an editor enters for search engines. */
const SEO = cut(1000);
const ADDRESS = empty(2048);

/**
 * The longest texts by collection and field: the columns of WordPress where it has any. Routes, imports, fixtures and delivered translations
 * follow this table. The content of a post has no bound but the size of a body, and one that comes in by a file none. The store does not hold the table, so that records that were written before stay readable, and can be changed in their other fields.
 */
const TEXT_BOUNDS: Readonly<Record<string, Readonly<Record<string, TextBound>>>> = {
  users: {
    login: refuse(60),
    slug: cut(50),
    name: NAME,
    first_name: NAME,
    last_name: NAME,
    nickname: NAME,
    email: empty(100),
    url: empty(100),
    description: PROFILE,
    meta: META,
  },
  credentials: { name: NAME },
  terms: { name: cut(200), slug: SLUG, description: COMMENT, meta: META },
  media: {
    title: TEXT,
    caption: TEXT,
    description: TEXT,
    alt: TEXT,
    slug: SLUG,
    file: refuse(1024),
    mime_type: empty(100),
  },
  posts: {
    title: TEXT,
    excerpt: TEXT,
    slug: SLUG,
    trashed_slug: SLUG,
    password: cut(255),
    template: empty(255),
  },
  revisions: { title: TEXT, excerpt: TEXT, slug: SLUG },
  comments: {
    author_name: cut(245),
    author_email: empty(100),
    author_url: empty(200),
    author_ip: empty(100),
    author_user_agent: cut(254),
    content: COMMENT,
    meta: META,
  },
  seo_meta: {
    title: SEO,
    description: SEO,
    focus_phrase: SEO,
    breadcrumb_title: SEO,
    og_title: SEO,
    og_description: SEO,
    twitter_title: SEO,
    twitter_description: SEO,
    canonical: ADDRESS,
    og_image: ADDRESS,
    twitter_image: ADDRESS,
  },
};

/** The bound of a field; undefined if it has none. */
export function boundOf(collection: string, field: string): TextBound | undefined {
  return own(own(TEXT_BOUNDS, collection) ?? {}, field);
}

/** Whether a value is longer than its bound: a text as it is, another value as JSON. */
export function exceeds(value: unknown, { most }: Pick<TextBound, 'most'>): boolean {
  return typeof value === 'string'
    ? isLonger(value, most)
    : typeof value === 'object' && value !== null && isLonger(JSON.stringify(value), most);
}

/** The beginning of a text, as long as its bound. A character reference is kept whole or dropped. */
export function cutText(text: string, { most }: Pick<TextBound, 'most'>): string {
  if (!isLonger(text, most)) return text;
  return Array.from(text)
    .slice(0, most)
    .join('')
    .replace(/&[#\w]{0,31}$/, '')
    .trimEnd();
}

/** The beginning of a text, as long as a field may be. A field without a bound gets the whole text. */
export function cutField(collection: string, field: string, text: string): string {
  const bound = boundOf(collection, field);
  return bound === undefined ? text : cutText(text, bound);
}

/** A field whose value is too long. */
interface TooLong extends TextBound {
  readonly field: string;
}

/** The fields of a record whose values are too long. */
export function listTooLong(
  collection: string,
  values: Readonly<Record<string, Json | unknown>>,
): readonly TooLong[] {
  return Object.entries(own(TEXT_BOUNDS, collection) ?? {}).flatMap(([field, bound]) =>
    exceeds(own(values, field), bound) ? [{ field, ...bound }] : [],
  );
}

/** Parameters that have another name than the field. */
const PARAMS: Readonly<Record<string, string>> = { alt: 'alt_text', login: 'username' };

/** Values by field. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks the texts that a write stores. `current`: the stored record, whose texts may be longer as long as they stay the same.
 * @throws RestError `rest_invalid_param` naming each parameter whose text is too long
 */
export function checkBounds(collection: string, values: Fields, current: Fields = {}): void {
  const changed = listTooLong(collection, values).filter(
    ({ field }) => JSON.stringify(own(values, field)) !== JSON.stringify(own(current, field)),
  );
  if (changed.length === 0) return;
  throw invalidParams(
    changed.map(({ field, most }) => {
      const param = own(PARAMS, field) ?? field;
      return [param, tooLong(param, most)];
    }),
  );
}
