import { runSteps, type Steps } from '../../../../lib/core/cooperative.ts';
import { CLOSED_ELEMENTS } from './elements.ts';
import { readHtmlSteps, type HtmlPlace } from './html.ts';

/** The places of the text in HTML, in order: outside of tags and comments, and outside of elements whose content is not text or that are in `except`. */
export function listTextPlaces(html: string, except: readonly string[] = []): readonly HtmlPlace[] {
  return runSteps(findTextPlaces(html, except));
}

/** The same, in steps. */
export function* findTextPlaces(html: string, except: readonly string[] = []): Steps<readonly HtmlPlace[]> {
  const skipped: ReadonlySet<string> = new Set([...CLOSED_ELEMENTS, ...except]);
  const places: { from: number; to: number }[] = [];
  const open: string[] = [];
  yield* readHtmlSteps(
    html,
    {
      start: ({ name }) => {
        if (skipped.has(name)) open.push(name);
      },
      end: ({ name }) => {
        if (open.at(-1) === name) open.pop();
      },
      text: (_text, { from, to }) => {
        const last = places.at(-1);
        if (open.length > 0) return;
        if (last?.to === from) last.to = to;
        else places.push({ from, to });
      },
    },
    { raw: 'place', positions: true },
  );
  return places;
}

/** Returns a function that tells whether a range is within one of the places. Ranges must be passed from left to right. */
export function createPlaceTest(places: readonly HtmlPlace[]): (stretch: HtmlPlace) => boolean {
  let index = 0;
  return ({ from, to }) => {
    while (index < places.length && (places[index]?.to ?? 0) <= from) index += 1;
    const place = places[index];
    return place !== undefined && place.from <= from && to <= place.to;
  };
}
