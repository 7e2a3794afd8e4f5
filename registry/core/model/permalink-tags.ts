import { perObject } from '../../../lib/core/objects.ts';
import type { ContentType } from './content-type.ts';

const SLUG = '[^/]+';
const TWO_DIGITS = '\\d{2}';

/** The tags of a permalink, as WordPress names them, with the expression that their values match in an encoded path. */
export const PERMALINK_TAGS = {
  postname: SLUG,
  pagename: SLUG,
  post_id: '[1-9]\\d{0,14}',
  year: '\\d{4}',
  monthnum: TWO_DIGITS,
  day: TWO_DIGITS,
  hour: TWO_DIGITS,
  minute: TWO_DIGITS,
  second: TWO_DIGITS,
  category: '[^/]+(?:/[^/]+)*',
  author: SLUG,
} as const;

export type PermalinkTag = keyof typeof PERMALINK_TAGS;

/** The tags of the slug. */
export const SLUG_TAGS: ReadonlySet<string> = new Set([
  'postname',
  'pagename',
] satisfies readonly PermalinkTag[]);
/** A permalink needs one of these tags, because the others do not identify a record. */
const IDENTIFYING: ReadonlySet<string> = new Set([...SLUG_TAGS, 'post_id']);

const PATH = /^\/(?:[\w.-]|%\w+%|\/(?!\/))+$/;
/** Clients resolve these segments before they ask. */
const DOTS = /\/\.{1,2}(?:\/|$)/;

export const PERMALINK_WANTED =
  'a path such as /%year%/%postname%/, with %postname%, %pagename% or %post_id%';

/** One piece of a permalink: fixed text, or a tag. */
type PermalinkPiece = { readonly text: string } | { readonly tag: PermalinkTag };

const isTag = (word: string): word is PermalinkTag => Object.hasOwn(PERMALINK_TAGS, word);
const tagsIn = (permalink: string): readonly string[] =>
  [...permalink.matchAll(/%(\w+)%/g)].map(([, word = '']) => word);

export const isPermalink = (value: unknown): value is string =>
  typeof value === 'string' &&
  PATH.test(value) &&
  !value.startsWith('//') &&
  !DOTS.test(value) &&
  tagsIn(value).some((word) => IDENTIFYING.has(word));

/** @throws TypeError for a value that is not a permalink, and for a tag that is unknown or given twice */
export function checkPermalink(place: string, value: unknown): asserts value is string {
  if (!isPermalink(value))
    throw new TypeError(`${place}: ${JSON.stringify(value)} is not ${PERMALINK_WANTED}`);
  const tags = tagsIn(value);
  const unknown = tags.find((word) => !isTag(word));
  if (unknown !== undefined)
    throw new TypeError(
      `${place}: %${unknown}% is not a tag; the tags are ${Object.keys(PERMALINK_TAGS)
        .map((tag) => `%${tag}%`)
        .join(', ')}`,
    );
  const names = tags.map((tag) => (SLUG_TAGS.has(tag) ? 'postname' : tag));
  const twice = names.find((tag, index) => names.indexOf(tag) !== index);
  if (twice !== undefined) throw new TypeError(`${place}: %${twice}% is given twice`);
}

/** The pieces of the permalink of a type, read once. */
export const piecesOf = perObject(({ permalink }: ContentType): readonly PermalinkPiece[] =>
  permalink
    .split(/%(\w+)%/)
    .map((piece, index): PermalinkPiece =>
      index % 2 === 1 && isTag(piece) ? { tag: piece } : { text: piece },
    ),
);

/** The tags of the permalink of a type. */
export const tagsOf = perObject(
  (type: ContentType): ReadonlySet<PermalinkTag> =>
    new Set(piecesOf(type).flatMap((piece) => ('tag' in piece ? [piece.tag] : []))),
);
