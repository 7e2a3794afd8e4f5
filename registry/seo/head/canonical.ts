import { isIndexed } from './robots.ts';
import type { HeadFacts } from './facts.ts';

/** The address under which the page is listed; '' for a page that is not. */
export function toCanonical(facts: HeadFacts): string {
  if (!isIndexed(facts)) return '';
  return facts.meta.canonical === '' ? facts.url : facts.meta.canonical;
}
