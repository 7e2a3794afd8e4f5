import type { SortKeys, Row } from '../../../lib/store/row.ts';
import { toSortText } from '../../../lib/store/stored-text.ts';
import { GRAM, type TextCondition } from '../../../lib/store/text-condition.ts';
import type { Cursor } from './sorted-rows.ts';

/** Numbers in ascending order that grow at the end. */
interface Posting {
  slots: Uint32Array;
  length: number;
}

/** Fewest abandoned slots that are worth the time to renumber all others. */
const MOST_ABANDONED = 1000;
/** Lists that differ more in length are intersected by binary search. */
const MUCH_LONGER = 16;

/** The trigrams of a text as numbers. Different trigrams may share a number, so a search must test what it finds. */
function eachGram(text: string, visit: (gram: number) => void): void {
  for (let at = 0; at + GRAM <= text.length; at += 1) {
    visit(
      (Math.imul(Math.imul(text.charCodeAt(at), 0x9e_37) + text.charCodeAt(at + 1), 0x85_eb) +
        text.charCodeAt(at + 2)) &
        0x3f_ff_ff_ff,
    );
  }
}

function append(posting: Posting, slot: number): void {
  if (posting.length === posting.slots.length) {
    const longer = new Uint32Array(Math.max(4, posting.length * 2));
    longer.set(posting.slots);
    posting.slots = longer;
  }
  posting.slots[posting.length] = slot;
  posting.length += 1;
}

/** The first position from `from` whose slot is not smaller. */
function locate({ slots, length }: Posting, slot: number, from: number): number {
  let [low, high] = [from, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] as number) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

function intersect(few: readonly number[], posting: Posting): readonly number[] {
  const isLong = posting.length > MUCH_LONGER * few.length;
  let at = 0;
  return few.filter((slot) => {
    if (isLong) at = locate(posting, slot, at);
    else while (at < posting.length && (posting.slots[at] as number) < slot) at += 1;
    return posting.slots[at] === slot && at < posting.length;
  });
}

/** The rows of a collection by the trigrams of their searched texts. */
export class TextRows {
  readonly watched: readonly string[];
  readonly #positions: readonly number[];
  readonly #postings = new Map<number, Posting>();
  readonly #slots = new Map<Row, number>();
  /** The rows by slot. A row gets a new slot whenever it is inserted; the old one stays in the postings, without a row. */
  #rows: (Row | undefined)[] = [];

  constructor(fields: readonly string[], { folded }: SortKeys) {
    this.watched = fields;
    this.#positions = fields.map((field) => folded[field] ?? 0);
  }

  insert(row: Row): void {
    const slot = this.#rows.push(row) - 1;
    this.#slots.set(row, slot);
    for (const position of this.#positions)
      eachGram(String(row.sortValues[position]), (gram) => this.#post(gram, slot));
  }

  remove(row: Row): void {
    this.#rows[this.#slots.get(row) ?? -1] = undefined;
    this.#slots.delete(row);
    const abandoned = this.#rows.length - this.#slots.size;
    if (abandoned > MOST_ABANDONED && abandoned > this.#slots.size) this.#renumber();
  }

  /** The rows that may satisfy the condition, among them all that do. */
  find(condition: TextCondition): readonly Row[] {
    return this.#findSlots(condition)
      .map((slot) => this.#rows[slot])
      .filter((row) => row !== undefined);
  }

  #post(gram: number, slot: number): void {
    const known = this.#postings.get(gram);
    if (known === undefined) this.#postings.set(gram, { slots: Uint32Array.of(slot), length: 1 });
    else if (known.slots[known.length - 1] !== slot) append(known, slot);
  }

  #findSlots(condition: TextCondition): readonly number[] {
    if ('text' in condition) return this.#findText(condition.text);
    const found = condition.of.map((each) => this.#findSlots(each));
    if (condition.op === 'or') return [...new Set(found.flat())].sort((a, b) => a - b);
    const [first = [], ...others] = found.toSorted((a, b) => a.length - b.length);
    return others.reduce(
      (left, other) => intersect(left, { slots: Uint32Array.from(other), length: other.length }),
      first,
    );
  }

  #findText(text: string): readonly number[] {
    const grams = new Set<number>();
    eachGram(toSortText(text), (gram) => grams.add(gram));
    const postings = [...grams].map((gram) => this.#postings.get(gram));
    const [first, ...others] = postings
      .filter((posting) => posting !== undefined)
      .sort((a, b) => a.length - b.length);
    if (first === undefined || postings.includes(undefined)) return [];
    return others.reduce(intersect, [...first.slots.subarray(0, first.length)]);
  }

  #renumber(): void {
    const renumbered = new Map<number, number>();
    this.#rows = this.#rows.filter((row, slot) => row !== undefined && renumbered.set(slot, renumbered.size));
    for (const [slot, row] of this.#rows.entries()) if (row !== undefined) this.#slots.set(row, slot);
    for (const [gram, { slots, length }] of this.#postings) {
      const kept = slots
        .subarray(0, length)
        .filter((slot) => renumbered.has(slot))
        .map((slot) => renumbered.get(slot) ?? 0);
      if (kept.length === 0) this.#postings.delete(gram);
      else this.#postings.set(gram, { slots: kept, length: kept.length });
    }
  }
}

/** Rows in no particular order that are read like a part of an index. */
export class RowList {
  readonly #rows: readonly Row[];

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  cursor(from: number, to: number, descending: boolean): Cursor {
    let at = descending ? to : from - 1;
    return () => {
      at += descending ? -1 : 1;
      return at >= from && at < to ? this.#rows[at] : undefined;
    };
  }
}
