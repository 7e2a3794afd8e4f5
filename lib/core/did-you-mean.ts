/** The number of letters to insert, remove, replace or exchange with their neighbour to turn one word into the other. */
function countEdits(from: string, to: string): number {
  let [before, row]: readonly number[][] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let index = 1; index <= to.length; index += 1) {
      const same = from[at - 1] === to[index - 1];
      const isExchange =
        at > 1 && index > 1 && from[at - 1] === to[index - 2] && from[at - 2] === to[index - 1];
      const edits = [
        (row?.[index] ?? 0) + 1,
        (next[index - 1] ?? 0) + 1,
        (row?.[index - 1] ?? 0) + (same ? 0 : 1),
      ];
      next.push(Math.min(...edits, ...(isExchange ? [(before?.[index - 2] ?? 0) + 1] : [])));
    }
    [before, row] = [row ?? [], next];
  }
  return row?.at(-1) ?? 0;
}

/** The share of letters that a misspelt word may have wrong. */
const MOST_WRONG = 0.4;
const LONGEST = 80;

/** The known word that a misspelt one probably means: one that begins with it, or the one with the fewest differences. null if none is near. */
export function findNearest(word: string, known: readonly string[]): string | null {
  if (word === '' || word.length > LONGEST) return null;
  const beginning = known.filter((each) => each.startsWith(word));
  if (beginning.length === 1) return beginning[0] ?? null;
  const mostOf = (each: string): number => Math.ceil(Math.max(word.length, each.length) * MOST_WRONG);
  const [best] = known
    .filter((each) => Math.abs(word.length - each.length) <= mostOf(each))
    .map((each) => ({ each, edits: countEdits(word.toLowerCase(), each.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits);
  return best !== undefined && best.edits <= mostOf(best.each) ? best.each : null;
}

/** ` Did you mean "serve"?`, with the space before it; empty if no known word is near. `show`: how to write the word. */
export function suggest(
  word: string,
  known: readonly string[],
  show = (each: string): string => `"${each}"`,
): string {
  const nearest = findNearest(word, known);
  return nearest === null ? '' : ` Did you mean ${show(nearest)}?`;
}
