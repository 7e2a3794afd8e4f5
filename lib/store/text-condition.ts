import type { CollectionDescriptor } from './collection.ts';
import type { Predicate } from './query.ts';

/** What the searched texts of every match contain. `text`: folded, with at least three characters unless others were asked for. */
export type TextCondition =
  | { readonly text: string }
  | { readonly op: 'and' | 'or'; readonly of: readonly TextCondition[] };

/** Length of the parts of a text that an index holds, in code points. */
export const GRAM = 3;

function isLong(text: string, shortest: number): boolean {
  // Most texts need no count of their code points, which takes longer.
  return text.length >= 2 * shortest || (text.length >= shortest && Array.from(text).length >= shortest);
}

function join(op: 'and' | 'or', parts: readonly TextCondition[]): TextCondition | null {
  // A word that is searched in several fields gives the same condition for each of them.
  const different = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  const [first] = different;
  return different.length > 1 ? { op, of: different } : (first ?? null);
}

/**
 * The condition on the searched texts that a checked predicate implies. Other records may satisfy it too. Null: there is none, so every record must be tested.
 * `shortest`: the shortest text that it may have, in code points.
 */
export function toTextCondition(
  { search }: Pick<CollectionDescriptor, 'search'>,
  where: Predicate,
  shortest = GRAM,
): TextCondition | null {
  if (search === undefined || where.op === 'not') return null;
  if (where.op === 'contains' || where.op === 'equalsFolded')
    return search.includes(where.field) && isLong(where.text, shortest) ? { text: where.text } : null;
  if (where.op !== 'and' && where.op !== 'or') return null;
  const parts = where.of.map((each) => toTextCondition({ search }, each, shortest));
  const known = parts.filter((part) => part !== null);
  return where.op === 'or' && known.length < parts.length ? null : join(where.op, known);
}
