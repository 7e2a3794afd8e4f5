import type { Names } from '../../lib/core/names.ts';

type Curie = Names['curie'];

function rename(text: string, from: string, to: string): string {
  return from === to ? text : text.replaceAll(`<!-- ${from}:`, `<!-- ${to}:`).replaceAll(`<!-- /${from}:`, `<!-- /${to}:`);
}

/** Block comments in the words in which texts are stored, whatever the words of the wire are. */
export function toStoredBlocks(text: string, { wire, neutral }: Curie): string {
  return rename(text, wire, neutral);
}

/** Block comments of a stored text in the words of the wire. */
export function toShownBlocks(text: string, { wire, neutral }: Curie): string {
  return rename(text, neutral, wire);
}
