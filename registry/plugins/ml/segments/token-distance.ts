/** Numbers in place of tokens, which compare faster. */
function toNumbers(tokens: readonly string[], known: Map<string, number>): Int32Array {
  return Int32Array.from(tokens, (token) => {
    const number = known.get(token) ?? known.size;
    known.set(token, number);
    return number;
  });
}

/**
 * The edit distance of two lists: how many tokens must be inserted, removed or replaced (Levenshtein). Returns `limit` + 1 if it is larger
 * than `limit`. Only the diagonals that `limit` can reach are computed (Ukkonen), so the cost is length × limit.
 */
export function toDistance(left: readonly string[], right: readonly string[], limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  const known = new Map<string, number>();
  const [a, b] = [toNumbers(left, known), toNumbers(right, known)];
  let before = Int32Array.from({ length: b.length + 1 }, (_, index) => Math.min(index, limit + 1));
  let row = new Int32Array(b.length + 1);
  for (let at = 1; at <= a.length; at += 1) {
    const [first, last] = [Math.max(1, at - limit), Math.min(b.length, at + limit)];
    row.fill(limit + 1);
    if (first === 1) row[0] = Math.min(at, limit + 1);
    let least = row[first - 1] ?? 0;
    for (let place = first; place <= last; place += 1) {
      const replaced = (before[place - 1] ?? 0) + (a[at - 1] === b[place - 1] ? 0 : 1);
      const value = Math.min(replaced, (before[place] ?? 0) + 1, (row[place - 1] ?? 0) + 1, limit + 1);
      row[place] = value;
      least = Math.min(least, value);
    }
    if (least > limit) return limit + 1;
    [before, row] = [row, before];
  }
  return before[b.length] ?? limit + 1;
}

/** The lowest match that the memory suggests, in percent. */
export const LEAST_MATCH = 75;
/** The highest match of two different texts. */
const MOST_DIFFERENT = 99;

/** How alike two texts are: 100 × (1 − distance ÷ length of the longer one), rounded down. 0 below `LEAST_MATCH`. Texts with the same tokens that differ in markup, punctuation or case are 99. */
export function toMatch(left: readonly string[], right: readonly string[]): number {
  const length = Math.max(left.length, right.length);
  if (length === 0) return 0;
  const limit = Math.floor((length * (100 - LEAST_MATCH)) / 100);
  const distance = toDistance(left, right, limit);
  return distance > limit ? 0 : Math.min(MOST_DIFFERENT, Math.floor((100 * (length - distance)) / length));
}
