import type { Json } from '../../lib/schema/schema-dialect.ts';

/** The members of a stored object; none when it is something else. */
export function toMembers(value: unknown): Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The texts of a stored list; none when it is something else. */
export function toTextList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A stored text; '' when it is something else. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A stored number; 0 when it is something else. */
export function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
