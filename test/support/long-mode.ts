/** Whether the tests run in long mode, `npm run test:long`, with many more cases. It takes hours. */
export const isLong: boolean = process.env['ROUTEBOOK_LONG'] === '1';

/** Number of generated cases of a property, or of rounds of a crash test: `usual` in `npm test`, `long` in long mode. */
export function countRuns(usual: number, long: number): number {
  return isLong ? long : usual;
}
