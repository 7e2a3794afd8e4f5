import * as assert from 'uvu/assert';

/** The message of the TypeError that the function throws. Fails when it returns or throws anything else. */
export function refusalOf(run: () => unknown): string {
  let text: string | null = null;
  assert.throws(run, (error: unknown) => {
    text = error instanceof TypeError ? error.message : null;
    return true;
  });
  assert.type(text, 'string', 'not a TypeError');
  return String(text);
}
