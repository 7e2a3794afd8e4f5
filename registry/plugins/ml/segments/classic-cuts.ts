import type { Steps } from '../../../../lib/core/cooperative.ts';
import { CLOSED_ELEMENTS, VOID_ELEMENTS } from '../../../core/content/html/elements.ts';
import { readHtmlSteps, type HtmlPlace, type HtmlTag } from '../../../core/content/html/html.ts';

/** Elements around paragraphs. Their tags separate texts; any other element that is not inline is a paragraph. */
const CONTAINERS: ReadonlySet<string> = new Set(
  (
    'article aside blockquote body center div dl footer header html main nav ol section table ' +
    'tbody tfoot thead tr ul'
  ).split(' '),
);
const PARAGRAPHS: ReadonlySet<string> = new Set([
  ...CLOSED_ELEMENTS,
  ...'address audio canvas caption dd details dt fieldset figure form h1 h2 h3 h4 h5 h6 hr li listing object p pre select td th video'.split(
    ' ',
  ),
]);
const EMPTY_LINES = /\n[ \t\r]*\n\s*/g;

class CutFinder {
  readonly cuts: number[] = [];
  /** The paragraph that is read, with the elements of its name inside of it. */
  readonly #open: string[] = [];
  readonly #html: string;
  #textFrom = 0;

  constructor(html: string) {
    this.#html = html;
  }

  /** Ends the text before a tag. */
  skip({ from, to }: HtmlPlace): void {
    if (this.#open.length === 0) {
      for (const { index, 0: lines } of this.#html.slice(this.#textFrom, from).matchAll(EMPTY_LINES))
        this.cuts.push(this.#textFrom + index, this.#textFrom + index + lines.length);
    }
    this.#textFrom = to;
  }

  start(tag: HtmlTag): void {
    this.skip(tag);
    const isContainer = CONTAINERS.has(tag.name);
    const isParagraph = PARAGRAPHS.has(tag.name);
    const isSingle = tag.selfClosing || VOID_ELEMENTS.has(tag.name);
    // A `p` ends where the next block begins, with or without an end tag.
    if (this.#open[0] === 'p' && (isContainer || isParagraph)) this.#open.length = 0;
    if (this.#open.length > 0) {
      if (tag.name === this.#open[0] && !isSingle) this.#open.push(tag.name);
    } else if (isContainer || (isParagraph && isSingle)) this.cuts.push(tag.from, tag.to);
    else if (isParagraph) {
      this.cuts.push(tag.from);
      this.#open.push(tag.name);
    }
  }

  end(tag: HtmlTag): void {
    this.skip(tag);
    const [paragraph] = this.#open;
    if (paragraph === tag.name) {
      this.#open.pop();
      if (this.#open.length === 0) this.cuts.push(tag.to);
    } else if ((paragraph === undefined || paragraph === 'p') && CONTAINERS.has(tag.name)) {
      this.#open.length = 0;
      this.cuts.push(tag.from, tag.to);
    }
  }
}

/** The offsets at which a classic text is cut: around paragraphs and the tags of containers, and at empty lines between inline texts. */
export function* findCuts(html: string): Steps<readonly number[]> {
  const finder = new CutFinder(html);
  yield* readHtmlSteps(
    html,
    {
      start: (tag) => finder.start(tag),
      end: (tag) => finder.end(tag),
      comment: (_text, place) => finder.skip(place),
    },
    { raw: 'place', positions: true },
  );
  finder.skip({ from: html.length, to: html.length });
  return finder.cuts;
}
