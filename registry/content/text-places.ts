import { readHtml, type HtmlPlace } from './html.ts';

/** Elements whose content is no text with markup: it is read in another way, or not shown at all. */
const CLOSED = ['iframe', 'math', 'noembed', 'noframes', 'noscript', 'plaintext', 'script', 'style', 'svg', 'template', 'textarea', 'title', 'xmp'] as const;

/** Where the text of an HTML stands, in its order: outside of tags and comments, and of elements whose content is no text, or that are in `except`. */
export function listTextPlaces(html: string, except: readonly string[] = []): readonly HtmlPlace[] {
  const skipped: ReadonlySet<string> = new Set([...CLOSED, ...except]);
  const places: { from: number; to: number }[] = [];
  const open: string[] = [];
  readHtml(html, {
    start: ({ name }) => { if (skipped.has(name)) open.push(name); },
    end: ({ name }) => { if (open.at(-1) === name) open.pop(); },
    text: (_text, { from, to }) => {
      const last = places.at(-1);
      if (open.length > 0) return;
      if (last?.to === from) last.to = to;
      else places.push({ from, to });
    },
  }, { raw: 'place', positions: true });
  return places;
}

/** Tells for one stretch after another, from left to right, whether it stands within one of the places. */
export function createPlaceTest(places: readonly HtmlPlace[]): (stretch: HtmlPlace) => boolean {
  let index = 0;
  return ({ from, to }) => {
    while (index < places.length && (places[index]?.to ?? 0) <= from) index += 1;
    const place = places[index];
    return place !== undefined && place.from <= from && to <= place.to;
  };
}
