/** Whether the tests run in long mode, `npm run test:long`, with many more cases. It takes hours. */
export const isLong: boolean = process.env['ROUTEBOOK_LONG'] === '1';

/** Whether all tests run, `npm run test:all`. */
export const isAll: boolean = process.env['ROUTEBOOK_ALL'] === '1';

/** The part of the usual number that `npm test` runs. */
const QUICK = 0.1;

/** Number of generated cases of a property, or of rounds of a crash test: `usual` in `npm run test:all`, a tenth in `npm test`, `long` in long mode. */
export function countRuns(usual: number, long: number): number {
  return isLong ? long : isAll ? usual : Math.ceil(usual * QUICK);
}
