import type { HeadFacts } from './facts.ts';
import { describeArticle, describeAuthor, describePage } from './graph-article.ts';
import { describeBreadcrumb, describeImage, describeOwner, describeSite } from './graph-site.ts';
import type { Piece } from './piece.ts';
import type { HeadTexts } from './texts.ts';

export interface Graph {
  readonly '@context': 'https://schema.org';
  readonly '@graph': readonly Piece[];
}

/** The pieces in their order; each says itself whether the page has it. */
const PIECES: readonly ((facts: HeadFacts, texts: HeadTexts) => Piece | null)[] = [
  describeArticle, describePage, describeImage, describeBreadcrumb, describeSite, describeOwner, describeAuthor,
];

/** What the page is about, for machines (JSON-LD 1.1, schema.org). */
export function toGraph(facts: HeadFacts, texts: HeadTexts): Graph {
  const pieces = PIECES.map((describe) => describe(facts, texts));
  return { '@context': 'https://schema.org', '@graph': pieces.filter((piece) => piece !== null) };
}

/** JSON text that can stand inside a script element: no `<` can end it, no separator can break an old parser. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
