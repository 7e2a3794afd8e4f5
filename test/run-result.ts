/** What the tests of one file gave. */
export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  /** What failed and why, for a person; empty if all passed. */
  readonly errors: string;
  /** Bytes of memory of the process after the file. */
  readonly memory: number;
}

/** Encloses a result in the output of tests. No test prints this character. */
const MARK = '\u0000';

export function toResultLine(result: TestResult): string {
  return `${MARK}${JSON.stringify(result)}${MARK}`;
}

/** Splits output into what the tests printed and the result, which is null until it is complete. */
export function readResult(output: string): { readonly printed: string; readonly result: TestResult | null } {
  const [printed = '', result, end] = output.split(MARK);
  return {
    printed,
    result: result === undefined || end === undefined ? null : (JSON.parse(result) as TestResult),
  };
}
