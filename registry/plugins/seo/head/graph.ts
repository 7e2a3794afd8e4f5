import type { HeadFacts } from '../values/facts.ts';
import { describeArticle, describeAuthor, describePage } from './graph-article.ts';
import { describeBreadcrumb, describeImage, describeOwner, describeSite } from './graph-site.ts';
import type { Piece } from './piece.ts';
import type { HeadTexts } from './texts.ts';

export interface Graph {
  readonly '@context': 'https://schema.org';
  readonly '@graph': readonly Piece[];
}

/** The builders of the nodes, in order. Each returns null when the page does not have its node. */
const PIECES: readonly ((facts: HeadFacts, texts: HeadTexts) => Piece | null)[] = [
  describeArticle,
  describePage,
  describeImage,
  describeBreadcrumb,
  describeSite,
  describeOwner,
  describeAuthor,
];

/** Structured data of the page (JSON-LD 1.1, schema.org). */
export function toGraph(facts: HeadFacts, texts: HeadTexts): Graph {
  const pieces = PIECES.map((describe) => describe(facts, texts));
  return { '@context': 'https://schema.org', '@graph': pieces.filter((piece) => piece !== null) };
}

/** JSON that is safe inside a script element: `<` and the line separators U+2028 and U+2029 are escaped. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
