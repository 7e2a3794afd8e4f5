import { toCdata } from '../../../lib/core/escape.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { writePhpValue } from './php-value.ts';

/** An element with a text. */
export const toElement = (name: string, text: string): string => `<${name}>${toCdata(text)}</${name}>\n`;
/** An element with a number. */
export const toNumber = (name: string, value: unknown): string =>
  `<${name}>${Number(value ?? 0) || 0}</${name}>\n`;

/** A value of meta as the database of WordPress has it. */
function toMetaText(value: Json): string {
  if (typeof value === 'boolean') return value ? '1' : '';
  return typeof value === 'object' && value !== null ? writePhpValue(value) : String(value ?? '');
}

/** The elements of meta entries. `kind`: `postmeta`, `termmeta`, `commentmeta`. */
export function toMetaElements(
  kind: string,
  entries: readonly (readonly [key: string, value: Json])[],
): string {
  return entries
    .map(
      ([key, value]) =>
        `<wp:${kind}>\n${toElement('wp:meta_key', key)}${toElement('wp:meta_value', toMetaText(value))}</wp:${kind}>\n`,
    )
    .join('');
}
