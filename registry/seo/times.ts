/** `2024-01-05T09:00:00+00:00`: a moment in GMT, as heads and answers show it. */
export function toIso(now: number): string {
  return `${toGmt(now)}+00:00`;
}

/** `2024-01-05T09:00:00`: a moment in GMT, as the store keeps it. */
export function toGmt(now: number): string {
  return new Date(now).toISOString().slice(0, 19);
}

/** A stored GMT time with its offset; '' stays ''. */
export function withOffset(gmt: string): string {
  return gmt === '' ? '' : `${gmt}+00:00`;
}
