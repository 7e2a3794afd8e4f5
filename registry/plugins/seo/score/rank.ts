/** The rank of a post in the statistics. `na`: no focus keyphrase. `noindex`: search engines do not list it. */
export type SeoRank = 'na' | 'bad' | 'ok' | 'good' | 'noindex';

/** Lowest and highest score of each rank. */
export const SCORE_RANKS = [
  ['good', 71, 100],
  ['ok', 41, 70],
  ['bad', 0, 40],
] as const satisfies readonly (readonly [SeoRank, number, number])[];

/** The rank of a post with this score and keyphrase. */
export function toRank({
  score,
  phrase,
  noindex,
}: {
  readonly score: number;
  readonly phrase: string;
  readonly noindex: boolean;
}): SeoRank {
  if (noindex) return 'noindex';
  if (phrase === '') return 'na';
  return SCORE_RANKS.find(([, low]) => score >= low)?.[0] ?? 'bad';
}
