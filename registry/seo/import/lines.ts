import { pause } from '../../../lib/core/pause.ts';

/** One line with its number, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lines read between two pauses. */
const AT_ONCE = 500;

/** Lines behind the given number; blank ones are left out. */
export async function* numberLines(lines: AsyncIterable<string>, behind = 0): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number % AT_ONCE === 0) await pause();
    if (number > behind && text.trim() !== '') yield { number, text };
  }
}
