/** `2024-01-05T09:00:00+00:00`: a time in GMT, as heads and responses show it. */
export function toIso(now: number): string {
  return `${toGmt(now)}+00:00`;
}

/** `2024-01-05T09:00:00`: a time in GMT, as stored. */
export function toGmt(now: number): string {
  return new Date(now).toISOString().slice(0, 19);
}

/** A stored GMT time with its offset; '' stays ''. */
export function withOffset(gmt: string): string {
  return gmt === '' ? '' : `${gmt}+00:00`;
}
