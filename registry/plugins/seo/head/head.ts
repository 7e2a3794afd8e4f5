import type { HeadFacts } from '../values/facts.ts';
import { toAlternates } from './alternates.ts';
import { toCanonical } from './canonical.ts';
import { toGraph } from './graph.ts';
import type { HeadJson, HeadMembers } from './head-members.ts';
import { toMarkup } from './markup.ts';
import { toOpenGraph } from './open-graph.ts';
import { toRobots } from './robots.ts';
import { toTexts } from './texts.ts';
import { toTwitterCard } from './twitter.ts';

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== '';
}

/** The members of a page's head, in the order of the markup. Empty members are omitted. */
export function toHeadJson(facts: HeadFacts): HeadJson {
  const texts = toTexts(facts);
  const members: HeadMembers = {
    title: texts.title,
    description: texts.description,
    robots: toRobots(facts),
    canonical: toCanonical(facts),
    rel_prev: facts.previous,
    rel_next: facts.next,
    alternates: toAlternates(facts),
    ...toOpenGraph(facts, texts),
    author: facts.isProtected ? '' : (facts.article?.author?.name ?? ''),
    ...toTwitterCard(facts, texts),
    verification: facts.kind === 'front' || facts.kind === 'front-page' ? facts.site.verification : {},
    schema: toGraph(facts, texts),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isFilled(value)));
}

/** A head as markup and as JSON. */
export function toHead(facts: HeadFacts): { readonly html: string; readonly json: HeadJson } {
  const json = toHeadJson(facts);
  return { html: toMarkup(json), json };
}
