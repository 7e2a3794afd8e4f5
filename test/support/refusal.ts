import * as assert from 'uvu/assert';

/** The text of the TypeError that the function throws. Anything else, and nothing, fails. */
export function refusalOf(run: () => unknown): string {
  let text: string | null = null;
  assert.throws(run, (error: unknown) => {
    text = error instanceof TypeError ? error.message : null;
    return true;
  });
  assert.type(text, 'string', 'not a TypeError');
  return String(text);
}
