import type { ContentFacts } from '../values/content-facts.ts';

/** The facts that the checks of a post read. Texts are plain text. */
export interface ScoreFacts {
  /** The focus keyphrase; '' when there is none. */
  readonly phrase: string;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly content: ContentFacts;
  readonly internalLinks: number;
  readonly externalLinks: number;
}

/** One check of a post. `grade`: 0 (bad) to 9 (good). */
export interface Check {
  readonly id: string;
  readonly grade: (facts: ScoreFacts) => number;
}

/** The grades of a text by checks, with their ids. */
export const gradeAll = (
  checks: readonly Check[],
  facts: ScoreFacts,
): readonly { readonly id: string; readonly grade: number }[] =>
  checks.map(({ id, grade }) => ({ id, grade: grade(facts) }));

/** The share of points that the checks gave, 1 to 100. */
export function toScore(checks: readonly Check[], facts: ScoreFacts): number {
  const points = checks.reduce((sum, check) => sum + check.grade(facts), 0);
  return Math.max(1, Math.round((points / (checks.length * 9)) * 100));
}
