/** Generated cases of a property: the first number in `npm test`, the second with ROUTEBOOK_LONG=1. */
export function countRuns(usual: number, long: number): number {
  return process.env['ROUTEBOOK_LONG'] === '1' ? long : usual;
}
