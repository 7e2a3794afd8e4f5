import type { Json } from '../../../../lib/index.ts';

/** The members of a stored object; {} for any other value. */
export function toMembers(value: unknown): Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The strings of a stored list; [] for any other value. */
export function toTextList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A stored string; '' for any other value. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A stored number; 0 for any other value. */
export function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
