import { own } from '../../../lib/core/objects.ts';
import type { HeadFacts } from './facts.ts';
import { isIndexed } from './robots.ts';

/** One `link rel="alternate"`. */
export interface Alternate {
  readonly hreflang: string;
  readonly href: string;
}

/** The same page in all its languages, and the default for other readers. Empty for a page that is not indexed or has one language. */
export function toAlternates(facts: HeadFacts): readonly Alternate[] {
  const languages = Object.keys(facts.alternates).sort();
  if (languages.length < 2 || !isIndexed(facts)) return [];
  const links = languages.map((hreflang) => ({ hreflang, href: own(facts.alternates, hreflang) ?? '' }));
  return facts.defaultAlternate === '' ? links : [...links, { hreflang: 'x-default', href: facts.defaultAlternate }];
}
