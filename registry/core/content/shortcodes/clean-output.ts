import { randomUUID } from 'node:crypto';
import { runSteps } from '../../../../lib/core/cooperative.ts';
import { createPlaceTest, listTextPlaces } from '../html/text-places.ts';
import { sanitiseContent, sanitiseTranslation } from '../sanitise/sanitise.ts';

// Nobody can write it into a text, because it differs in each process.
const MARK = `inner-${randomUUID()}`;

/** Whether the mark stands in the text of this markup, and nowhere else. */
function isMarkText(html: string): boolean {
  const isText = createPlaceTest(listTextPlaces(html));
  for (let from = html.indexOf(MARK); from !== -1; from = html.indexOf(MARK, from + MARK.length)) {
    if (!isText({ from, to: from + MARK.length })) return false;
  }
  return true;
}

/**
 * Cleans what a shortcode adds to its rendered content `inner`. That content stays as it is: it is text of the post, which was cleaned
 * when it was stored unless its author may write everything, and outputs that were cleaned before. What a shortcode adds is made of attributes
 * and encoded texts, which nobody cleaned when they were stored.
 */
export function cleanOutput(html: string, inner: string): string {
  if (html === inner) return inner;
  const body = inner.trim();
  if (!body.includes('<')) return sanitiseContent(html);
  const shell = html.replaceAll(body, MARK);
  const clean = sanitiseContent(shell);
  if (clean.includes(MARK) && isMarkText(clean)) return clean.replaceAll(MARK, () => body);
  return runSteps(sanitiseTranslation(html, inner));
}
