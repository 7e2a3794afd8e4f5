import { VOID_ELEMENTS } from './elements.ts';
import type { HtmlTag } from './html-tag.ts';

/** Tells whether a tag is in HTML or in SVG or MathML, where other parsing rules apply (HTML 13.2.6.5). */
interface PlaceTracker {
  /** @returns whether this start tag begins an HTML element */
  start(tag: HtmlTag): boolean;
  end(tag: HtmlTag): void;
  /** Whether the current parent is an SVG or MathML element, in which CDATA sections are allowed. */
  isForeign(): boolean;
}

type Space = 'html' | 'svg' | 'math';

/** `html`: children are parsed as HTML. `text`: the same, except for two MathML elements. */
interface Open {
  readonly name: string;
  readonly space: Space;
  readonly door: 'html' | 'text' | null;
}

/** Start tags that end all open SVG and MathML elements. */
const BREAKOUT: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike ' +
    'sub sup table tt u ul var'
  ).split(' '),
);
const FONT: ReadonlySet<string> = new Set(['color', 'face', 'size']);
const SVG_DOORS: ReadonlySet<string> = new Set(['foreignobject', 'desc', 'title']);
const MATH_DOORS: ReadonlySet<string> = new Set(['mi', 'mo', 'mn', 'ms', 'mtext']);
const MATH_ONLY: ReadonlySet<string> = new Set(['mglyph', 'malignmark']);

function toDoor({ name, attributes }: HtmlTag, space: Space): Open['door'] {
  if (space === 'svg') return SVG_DOORS.has(name) ? 'html' : null;
  if (space !== 'math') return null;
  if (MATH_DOORS.has(name)) return 'text';
  const encoding = attributes.find((attribute) => attribute.name === 'encoding')?.value.toLowerCase();
  return name === 'annotation-xml' && (encoding === 'text/html' || encoding === 'application/xhtml+xml')
    ? 'html'
    : null;
}

function isBreakout({ name, attributes }: HtmlTag): boolean {
  return BREAKOUT.has(name) || (name === 'font' && attributes.some((attribute) => FONT.has(attribute.name)));
}

class Tracker implements PlaceTracker {
  readonly #open: Open[] = [];
  readonly #counts = new Map<string, number>();

  start(tag: HtmlTag): boolean {
    const { name, selfClosing } = tag;
    if (!this.#isHtml(name) && isBreakout(tag)) this.#breakOut();
    const isHtml = this.#isHtml(name);
    const isDoorway = isHtml && (name === 'svg' || name === 'math');
    const space: Space = isDoorway ? name : isHtml ? 'html' : (this.#open.at(-1)?.space ?? 'html');
    const isClosed = space === 'html' ? VOID_ELEMENTS.has(name) : selfClosing;
    if (!isClosed) this.#push({ name, space, door: isHtml ? null : toDoor(tag, space) });
    return space === 'html';
  }

  end({ name }: HtmlTag): void {
    if (this.isForeign() && (name === 'p' || name === 'br')) this.#breakOut();
    if ((this.#counts.get(name) ?? 0) === 0) return;
    // All elements inside end with it.
    for (let last = this.#pop(); last !== undefined && last !== name;) last = this.#pop();
  }

  isForeign(): boolean {
    const top = this.#open.at(-1);
    return top !== undefined && top.space !== 'html';
  }

  /** Whether a start tag of this name is parsed as HTML here. */
  #isHtml(name: string): boolean {
    const top = this.#open.at(-1);
    if (!this.isForeign() || top?.door === 'html' || (top?.door === 'text' && !MATH_ONLY.has(name)))
      return true;
    return name === 'svg' && top?.name === 'annotation-xml';
  }

  #breakOut(): void {
    while (this.isForeign() && this.#open.at(-1)?.door === null) this.#pop();
  }

  #push(entry: Open): void {
    this.#open.push(entry);
    this.#counts.set(entry.name, (this.#counts.get(entry.name) ?? 0) + 1);
  }

  #pop(): string | undefined {
    const last = this.#open.pop();
    if (last !== undefined) this.#counts.set(last.name, (this.#counts.get(last.name) ?? 1) - 1);
    return last?.name;
  }
}

/** Follows the tags of one text. Unclosed elements count as open; end tags are matched by name. */
export function createPlaceTracker(): PlaceTracker {
  return new Tracker();
}
