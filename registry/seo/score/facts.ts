import type { ContentFacts } from '../content-facts.ts';

/** What the checks of one post look at. Texts are plain text. */
export interface ScoreFacts {
  /** What the post is to be found by; '' for none. */
  readonly phrase: string;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly content: ContentFacts;
  readonly internalLinks: number;
  readonly externalLinks: number;
}

/** One question to a post. `grade`: 0 (bad) to 9 (good). */
export interface Check {
  readonly id: string;
  readonly grade: (facts: ScoreFacts) => number;
}

/** The share of the points that the checks gave, 1 to 100. */
export function toScore(checks: readonly Check[], facts: ScoreFacts): number {
  const points = checks.reduce((sum, check) => sum + check.grade(facts), 0);
  return Math.max(1, Math.round((points / (checks.length * 9)) * 100));
}
