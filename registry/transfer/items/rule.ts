import { type Item, leftOut, type ReadResult } from './item.ts';

/** Tells what of an item is left out, and why. Returns null, for a rule that leaves out all of it. */
export type Report = (what: string, reason: string) => null;

/** What a rule makes of an item: the item, or what remains of it; null: it is left out. */
export type Rule = (item: Item, report: Report) => Item | null;

/** One rule of several, each of which gets what the one before it has left. */
export const joinRules =
  (rules: readonly Rule[]): Rule =>
  (item, report) =>
    rules.reduce<Item | null>((rest, rule) => (rest === null ? null : rule(rest, report)), item);

/** The item with other values. */
export const changed = (item: Item, values: Item['values']): Item => ({
  ...item,
  values: { ...item.values, ...values },
});

/** The same results, with each item held to a rule. What the rule reports comes before the item. */
export async function* hold(found: AsyncIterable<ReadResult>, rule: Rule): AsyncGenerator<ReadResult> {
  for await (const each of found) {
    if ('leftOut' in each) {
      yield each;
      continue;
    }
    const told: ReadResult[] = [];
    const item = rule(each.item, (what, reason) => {
      told.push(leftOut(each.item.place, what, reason));
      return null;
    });
    yield* told;
    if (item !== null) yield { item };
  }
}
