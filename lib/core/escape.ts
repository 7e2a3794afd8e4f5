import { own } from './objects.ts';

// Every escape of markup in this project. Text that people write gets its kind, and with it one of these, in registry/core/content/sanitise/text-fields.ts.
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

const toReference = (character: string): string => own(REFERENCES, character) ?? character;

/** Plain text as the text of an element. */
export const escapeText = (text: string): string => text.replaceAll(/[&<>]/g, toReference);

/** Plain text as a value in double quotes. */
export const escapeAttribute = (text: string): string => text.replaceAll(/[&<>"]/g, toReference);

/** Text that is HTML already, without its markup: character references stay, everything else is escaped as by `escapeText`. */
export const escapeOnce = (html: string): string =>
  html.replaceAll(/&(?!(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});)|[<>]/gi, toReference);

/** The same as a quoted value. */
export const escapeQuotesOnce = (html: string): string => escapeOnce(html).replaceAll(/["']/g, toReference);

/** Characters that an XML 1.0 document must not contain, not even as an entity (XML 1.0, 2.2). */
// oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** The text without characters that XML cannot contain. */
export const toXmlText = (text: string): string => text.replaceAll(FORBIDDEN, '');

/** Plain text for an XML element or a quoted value. Sitemaps must not contain apostrophes (sitemaps.org). */
export const escapeXml = (text: string): string => toXmlText(text).replaceAll(/[&<>"']/g, toReference);

/** Plain text in CDATA sections. A carriage return stands outside of them, because parsers replace it in a section. */
export function toCdata(text: string): string {
  return `<![CDATA[${toXmlText(text).replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[')}]]>`;
}

/** Plain text as a text of Markdown. */
export const escapeMarks = (text: string): string => text.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);
