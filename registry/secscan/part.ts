/** An offending part of an object. `shown` may be read by everybody who reads issues; `full` tells whether it has changed. */
export interface Part {
  readonly shown: string;
  readonly full: string;
}

const SHOWN = 300;

/** A part that may be shown as it is; long ones are cut. */
export function toPart(text: string): Part {
  return { shown: text.slice(0, SHOWN), full: text };
}
