import type { Names } from '../../../../lib/core/names.ts';

type Curie = Names['curie'];

function rename(text: string, from: string, to: string): string {
  return from === to
    ? text
    : text.replaceAll(`<!-- ${from}:`, `<!-- ${to}:`).replaceAll(`<!-- /${from}:`, `<!-- /${to}:`);
}

/** Converts wire names in block comments to the neutral names in which texts are stored. */
export function toStoredBlocks(text: string, { wire, neutral }: Curie): string {
  return rename(text, wire, neutral);
}

/** Converts the neutral names in block comments of a stored text to wire names. */
export function toShownBlocks(text: string, { wire, neutral }: Curie): string {
  return rename(text, neutral, wire);
}
