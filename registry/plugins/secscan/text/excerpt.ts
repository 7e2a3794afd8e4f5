/** An offending part of an object. `shown` is visible to everybody who can read issues; `full` is compared to detect changes. */
export interface Excerpt {
  readonly shown: string;
  readonly full: string;
}

const SHOWN = 300;

/** A part that may be shown unchanged. A long part is shortened. */
export function toExcerpt(text: string): Excerpt {
  return { shown: text.slice(0, SHOWN), full: text };
}
