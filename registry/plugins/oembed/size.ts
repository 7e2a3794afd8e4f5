export interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN = 200;
const MAX = 600;

/** The integer at the start of a value, or 0 if there is none. The value is cast and never rejected. */
export function castInteger(value: unknown): number {
  const number =
    typeof value === 'number' ? value : Number(/^\s*[+-]?\d{1,15}/.exec(String(value))?.[0] ?? 0);
  return Number.isFinite(number) ? Math.trunc(number) : 0;
}

/** The frame size of a post of this site in pixels: 200 to 600 wide, with a ratio of 16:9, but at least 200 high. */
export function toFrameSize(maxwidth: unknown): Size {
  const width = Math.min(Math.max(Math.abs(castInteger(maxwidth)), MIN), MAX);
  return { width, height: Math.max(Math.ceil((width * 9) / 16), MIN) };
}

/** The size to request from a foreign provider, in pixels. Without a height, the height is 1.5 times the width, at most 1000. */
export function toOfferedSize(maxwidth: unknown, maxheight: unknown): Size {
  const width = castInteger(maxwidth) > 0 ? castInteger(maxwidth) : MAX;
  const height = castInteger(maxheight);
  return { width, height: height > 0 ? height : Math.min(Math.ceil(width * 1.5), 1000) };
}
