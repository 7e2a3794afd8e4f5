import type { HeadFacts } from '../values/facts.ts';
import { isIndexed } from './robots.ts';

/** The canonical URL of the page; '' for a page that is not indexed. */
export function toCanonical(facts: HeadFacts): string {
  if (!isIndexed(facts)) return '';
  return facts.meta.canonical === '' ? facts.url : facts.meta.canonical;
}
