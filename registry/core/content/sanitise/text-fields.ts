import { escapeOnce, escapeText } from '../../../../lib/core/escape.ts';
import { own } from '../../../../lib/core/objects.ts';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { toPlainText } from '../html/plain-text.ts';
import { isSafeUrl } from './sanitise-attribute.ts';
import { sanitiseComment, sanitiseContent, sanitiseTitle } from './sanitise.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Characters that an address may contain. Spaces are encoded, all others are dropped. */
const FOREIGN = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/gi;

/**
 * An address that a person has typed, as it is stored: '' if its scheme is not safe. As in WordPress, a text without a scheme
 * gets one, whatever it is.
 */
export function toWebAddress(text: string): string {
  const address = text.trim().replaceAll(' ', '%20').replaceAll(FOREIGN, '');
  if (address === '' || !isSafeUrl(address)) return '';
  return SCHEME.test(address) || /^[/#?]/.test(address) ? address : `http://${address}`;
}

/** What a text may be. Both functions leave their own results as they are. */
interface TextKind {
  /** The text of a caller as it is stored. */
  readonly toStored: (text: string) => string;
  /** A stored text as clients get it, however it came into the store. Clients may use it as HTML. */
  readonly toShown: (text: string) => string;
  /** Callers with `unfiltered_html` store it as they wrote it. Renderers show it. */
  readonly isFree?: true;
}

/** Leaves a text as it is. */
const asStored = (text: string): string => text;
/** A text with the few elements that everybody may write. */
const toInline = (text: string): string => sanitiseComment(text).trim();

/** Plain text, escaped so that it is read as itself. A reference needs no semicolon to be one: then each `&` is escaped. */
function toTyped(text: string): string {
  const plain = toPlainText(text);
  const escapeWith = (reference: RegExp): string =>
    plain.replaceAll(reference, '&amp;').replaceAll('<', '&lt;');
  const escaped = escapeWith(/&(?=#?\w+;)/g);
  return toPlainText(escaped) === plain ? escaped : escapeWith(/&/g);
}

/** The kinds of text, which are those of WordPress. */
export const TEXT_KINDS = {
  /** Plain text as it was typed. Only what a browser would read as markup or as a character reference is escaped. */
  typed: {
    toStored: toTyped,
    toShown: (text) => text.replaceAll('<', '&lt;'),
  },
  /** Plain text as HTML: `&`, `<` and `>` are character references. */
  name: { toStored: (text) => escapeText(toPlainText(text)), toShown: escapeOnce },
  /** HTML with the few elements that everybody may write. */
  inline: { toStored: toInline, toShown: toInline },
  title: { toStored: sanitiseTitle, toShown: asStored, isFree: true },
  /** Address of a web page. */
  address: { toStored: toWebAddress, toShown: toWebAddress },
  /** Rich content. */
  content: { toStored: sanitiseContent, toShown: asStored, isFree: true },
} as const satisfies Readonly<Record<string, TextKind>>;

/** The kind of each text that people write, by the collection and the field that stores it. */
export const TEXT_FIELDS = {
  users: {
    name: 'name',
    first_name: 'name',
    last_name: 'name',
    nickname: 'name',
    description: 'inline',
    url: 'address',
  },
  credentials: { name: 'typed' },
  terms: { name: 'name', description: 'inline' },
  comments: { author_name: 'name', author_url: 'address', author_user_agent: 'typed', content: 'inline' },
  media: { title: 'title', caption: 'content', description: 'content', alt: 'typed' },
  posts: { title: 'title', content: 'content', excerpt: 'content' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, keyof typeof TEXT_KINDS>>>>;

/** Fields of a record. */
type Values = Readonly<Record<string, Json | undefined>>;

function convert<V extends Values>(
  collection: string,
  values: V,
  convertText: (kind: TextKind, text: string) => string,
): V {
  const fields: Readonly<Record<string, keyof typeof TEXT_KINDS>> = own(TEXT_FIELDS, collection) ?? {};
  const changed = Object.entries(fields).flatMap(([field, kind]) => {
    const text = own(values, field);
    const converted = typeof text === 'string' ? convertText(TEXT_KINDS[kind], text) : text;
    return converted === text ? [] : [[field, converted] as const];
  });
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) };
}

/** Values of a record with each text as it is stored. `isTrusted`: the caller has `unfiltered_html`. */
export function toStoredTexts<V extends Values>(collection: string, values: V, isTrusted = false): V {
  return convert(collection, values, ({ toStored, isFree }, text) =>
    isTrusted && isFree === true ? text : toStored(text),
  );
}

/** A record with each text as clients get it. */
export function toShownTexts<V extends Values>(collection: string, record: V): V {
  return convert(collection, record, ({ toShown }, text) => toShown(text));
}
