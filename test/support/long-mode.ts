/** Whether the tests run in long mode, `npm run test:long`: with many more cases, which takes hours. */
export const isLong: boolean = process.env['ROUTEBOOK_LONG'] === '1';

/** Generated cases of a property, or rounds of a crash: the first number in `npm test`, the second in long mode. */
export function countRuns(usual: number, long: number): number {
  return isLong ? long : usual;
}
