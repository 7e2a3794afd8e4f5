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

/** The members that are neither '' nor empty lists or objects. */
export function toFilled<T extends object>(members: T): Partial<T> {
  const isFilled = (value: unknown): boolean =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== '';
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isFilled(value))) as Partial<T>;
}

/** `2024-01-05T09:00:00`: a time in GMT, as stored. */
export function toGmt(now: number): string {
  return new Date(now).toISOString().slice(0, 19);
}

/** A stored GMT time with its offset; '' stays ''. */
export function withOffset(gmt: string): string {
  return gmt === '' ? '' : `${gmt}+00:00`;
}

/** Whether a value is '' or an address as `isWebAddress` wants it. */
export const isAddressOrEmpty = (value: unknown): boolean =>
  typeof value === 'string' && (value === '' || isWebAddress(value));

const MAX_LENGTH = 2048;

/** Whether the text is an absolute http(s) URL with a host and without a user name. */
export function isWebAddress(text: string): boolean {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return (
    (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && hostname !== ''
  );
}
