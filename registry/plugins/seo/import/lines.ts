import { pause } from '../../../../lib/core/cooperative.ts';

/** A line with its number, counted from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Number of lines between two pauses. */
const AT_ONCE = 500;

/** The lines after the given number, without blank ones. */
export async function* numberLines(lines: AsyncIterable<string>, behind = 0): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number % AT_ONCE === 0) await pause();
    if (number > behind && text.trim() !== '') yield { number, text };
  }
}
