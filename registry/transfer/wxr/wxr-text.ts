import { writePhpValue } from '../write-php-value.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';

/** Characters that XML 1.0 does not have, and halves of a pair. */
// oxlint-disable-next-line no-control-regex
const FOREIGN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

/** A text in CDATA sections. A carriage return stands outside of them, because parsers replace it in a section. */
export function toCdata(text: string): string {
  const safe = text.toWellFormed().replace(FOREIGN, '\uFFFD').replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[');
  return `<![CDATA[${safe}]]>`;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;'], ['\t', '&#9;'], ['\n', '&#10;'], ['\r', '&#13;']]);

/** An attribute value or a plain text. */
export function toPlain(text: string): string {
  return text.toWellFormed().replace(FOREIGN, '\uFFFD').replaceAll(/[&<>"\t\n\r]/g, (mark) => ENTITIES.get(mark) ?? mark);
}

/** An element with a text. */
export const toElement = (name: string, text: string): string => `<${name}>${toCdata(text)}</${name}>\n`;
/** An element with a number. */
export const toNumber = (name: string, value: unknown): string => `<${name}>${Number(value ?? 0) || 0}</${name}>\n`;

/** A value of meta as the database of WordPress has it. */
function toMetaText(value: Json): string {
  if (typeof value === 'boolean') return value ? '1' : '';
  return typeof value === 'object' && value !== null ? writePhpValue(value) : String(value ?? '');
}

/** The elements of meta entries. `kind`: `postmeta`, `termmeta`, `commentmeta`. */
export function toMetaElements(kind: string, entries: readonly (readonly [key: string, value: Json])[]): string {
  return entries.map(([key, value]) => `<wp:${kind}>\n${toElement('wp:meta_key', key)}${toElement('wp:meta_value', toMetaText(value))}</wp:${kind}>\n`).join('');
}
