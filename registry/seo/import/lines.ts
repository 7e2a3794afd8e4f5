import { pause } from '../../pause.ts';
import type { Ports } from '../../ports.ts';
import { seoError } from '../errors.ts';

/** One line with its number, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lines read between two pauses. */
const AT_ONCE = 500;

/** Lines behind the given number; blank ones are left out. @throws RestError `import_source_missing` */
export async function* readLines({ imports }: Pick<Ports, 'imports'>, name: string, behind = 0): AsyncGenerator<Line> {
  const lines = await imports?.lines(name);
  if (lines === undefined || lines === null) throw seoError('import_source_missing', { message: `The import directory holds no ${name}.` });
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number % AT_ONCE === 0) await pause();
    if (number > behind && text.trim() !== '') yield { number, text };
  }
}
