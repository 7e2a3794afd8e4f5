import type { Json } from '../../../lib/schema/schema-dialect.ts';

const toKey = (key: string | number): string =>
  typeof key === 'number' || /^(?:0|-?[1-9]\d{0,14})$/.test(key) ? `i:${key};` : writePhpValue(key);

const toMembers = (members: readonly (readonly [string | number, Json])[]): string =>
  `a:${members.length}:{${members.map(([key, value]) => `${toKey(key)}${writePhpValue(value)}`).join('')}}`;

/** The text that PHP's `serialize` writes for a value. Lists and objects are arrays; lengths of strings count bytes of UTF-8. */
export function writePhpValue(value: Json): string {
  if (value === null) return 'N;';
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  if (typeof value === 'boolean') return `b:${Number(value)};`;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value};` : `d:${value};`;
  return Array.isArray(value)
    ? toMembers(value.map((member: Json, index) => [index, member] as const))
    : toMembers(Object.entries(value) as (readonly [string, Json])[]);
}
