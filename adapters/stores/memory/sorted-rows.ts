import type { SortValue } from '../../../lib/store/collection.ts';
import { positionsOf } from '../../../lib/store/match.ts';
import type { Predicate, Scalar } from '../../../lib/store/query.ts';
import { isBefore, type Row, type SortKeys } from '../../../lib/store/row.ts';

/** Most rows in one chunk. A larger value makes writes slower; a smaller one makes more chunks to count over. */
const CHUNK = 512;
/** Most waiting rows. The limit keeps both the reader that settles them and the write that fills the limit fast. */
const MOST_WAITING = 64;

/** Returns the next row; undefined at the end. */
export type Cursor = () => Row | undefined;

interface Position {
  readonly chunk: number;
  readonly index: number;
}

/**
 * Rows sorted by some sort values: a list of short sorted lists, so that a write moves few rows and a lookup takes two steps.
 * New rows wait outside these lists until the next read, because a collection has many orders and few are read between two writes.
 */
export class SortedRows {
  readonly #positions: readonly number[];
  #waiting: Row[] = [];
  #chunks: Row[][] = [];
  /** Rank of the first row of each chunk; null after a write. */
  #starts: number[] | null = null;
  #size = 0;

  /** @param positions must end with the position of the id, so that no two rows are equal. */
  constructor(positions: readonly number[]) {
    this.#positions = positions;
  }

  get size(): number {
    return this.#size;
  }

  insert(row: Row): void {
    this.#waiting.push(row);
    this.#size += 1;
    if (this.#waiting.length === MOST_WAITING) this.#settle();
  }

  remove(row: Row): void {
    const at = this.#waiting.indexOf(row);
    if (at === -1) this.#take(row);
    else this.#waiting.splice(at, 1);
    this.#size -= 1;
  }

  /** How many rows come before those that begin with `prefix`. With `after`, those rows are counted too. */
  rank(prefix: readonly SortValue[], after: boolean): number {
    this.#settle();
    const { chunk, index } = this.#locate(prefix, after);
    return (this.#toStarts()[chunk] ?? this.#size) + index;
  }

  /** A cursor over the ranks from `from` (included) to `to` (excluded); backwards when `descending`. */
  cursor(from: number, to: number, descending: boolean): Cursor {
    let left = to - from;
    if (left <= 0) return () => undefined;
    this.#settle();
    const starts = this.#toStarts();
    const rank = descending ? to - 1 : from;
    let chunk = findChunk(starts, rank);
    let index = rank - (starts[chunk] ?? 0);
    const chunks = this.#chunks;
    return () => {
      if (left <= 0) return undefined;
      left -= 1;
      const row = chunks[chunk]?.[index];
      index += descending ? -1 : 1;
      if (descending ? index < 0 : index >= (chunks[chunk]?.length ?? 0)) {
        chunk += descending ? -1 : 1;
        index = descending ? (chunks[chunk]?.length ?? 0) - 1 : 0;
      }
      return row;
    };
  }

  #settle(): void {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    rows.sort((left, right) => this.#compare(left, right));
    for (let from = 0; from < rows.length;) from = this.#put(rows, from);
    this.#waiting = [];
    this.#starts = null;
  }

  /** Inserts the first of the sorted rows, together with those that precede the same next row, because new rows often belong together. @returns the index of the next row */
  #put(sorted: readonly Row[], from: number): number {
    const first = sorted[from] as Row;
    const place = this.#locate(this.#keyOf(first), false);
    const behind = this.#chunks[place.chunk]?.[place.index];
    const isBeforeIt = (row: Row): boolean => behind === undefined || this.#compare(row, behind) < 0;
    const most = Math.min(sorted.length, from + CHUNK / 2);
    let to = from + 1;
    while (to < most && isBeforeIt(sorted[to] as Row)) to += 1;
    this.#splice(place, sorted.slice(from, to));
    return to;
  }

  /** Inserts rows at a position, at most half a chunk at a time. */
  #splice({ chunk, index }: Position, added: readonly Row[]): void {
    const last = this.#chunks.length - 1;
    const isBehindAll = chunk > last;
    const rows = this.#chunks[Math.min(chunk, last)];
    if (rows === undefined) {
      this.#chunks.push([...added]);
      return;
    }
    rows.splice(isBehindAll ? rows.length : index, 0, ...added);
    // Rows inserted in order leave full chunks behind.
    if (rows.length > CHUNK) this.#chunks.splice(chunk + 1, 0, rows.splice(isBehindAll ? CHUNK : CHUNK / 2));
  }

  #take(row: Row): void {
    const chunk = this.#locateChunk(this.#keyOf(row), false);
    const rows = this.#chunks[chunk] ?? [];
    // Finding the reference costs less than comparing rows that are scattered in memory.
    const index = rows.indexOf(row);
    if (index === -1) throw new Error('The row to remove is not in the index.');
    rows.splice(index, 1);
    if (rows.length === 0) this.#chunks.splice(chunk, 1);
    this.#starts = null;
  }

  #compare(left: Row, right: Row): number {
    for (const position of this.#positions) {
      const own = left.sortValues[position] as SortValue;
      const other = right.sortValues[position] as SortValue;
      if (own !== other) return isBefore(own, other) ? -1 : 1;
    }
    return 0;
  }

  #keyOf(row: Row): readonly SortValue[] {
    return this.#positions.map((position) => row.sortValues[position] ?? 0);
  }

  /** True when the row is before the prefix (with `after`: or begins with it). This is the innermost loop of every read and write. */
  #isLeft(row: Row | undefined, prefix: readonly SortValue[], after: boolean): boolean {
    if (row === undefined) return false;
    for (let part = 0; part < prefix.length; part += 1) {
      const own = row.sortValues[this.#positions[part] as number] as SortValue;
      const wanted = prefix[part] as SortValue;
      if (own !== wanted) return isBefore(own, wanted);
    }
    return after;
  }

  /** The first chunk whose last row is not before the prefix. */
  #locateChunk(prefix: readonly SortValue[], after: boolean): number {
    let chunk = 0;
    for (let high = this.#chunks.length; chunk < high;) {
      const middle = (chunk + high) >>> 1;
      if (this.#isLeft(this.#chunks[middle]?.at(-1), prefix, after)) chunk = middle + 1;
      else high = middle;
    }
    return chunk;
  }

  /** The position of the first row that is not before the prefix. */
  #locate(prefix: readonly SortValue[], after: boolean): Position {
    const chunk = this.#locateChunk(prefix, after);
    const rows = this.#chunks[chunk] ?? [];
    let index = 0;
    for (let high = rows.length; index < high;) {
      const middle = (index + high) >>> 1;
      if (this.#isLeft(rows[middle], prefix, after)) index = middle + 1;
      else high = middle;
    }
    return { chunk, index };
  }

  #toStarts(): readonly number[] {
    if (this.#starts !== null) return this.#starts;
    let start = 0;
    const starts = this.#chunks.map((rows) => {
      const own = start;
      start += rows.length;
      return own;
    });
    this.#starts = starts;
    return starts;
  }
}

/** The last chunk that starts at or before the rank. */
function findChunk(starts: readonly number[], rank: number): number {
  let low = 0;
  for (let high = starts.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= rank) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** All rows, sorted by the given fields, then by id. */
export class FieldRows {
  readonly fields: readonly string[];
  readonly watched: readonly string[];
  readonly sorted: SortedRows;

  constructor(fields: readonly string[], sortKeys: SortKeys) {
    this.fields = fields;
    this.watched = fields;
    this.sorted = new SortedRows([...fields.flatMap((field) => positionsOf(field, sortKeys)), 0]);
  }

  insert(row: Row): void {
    this.sorted.insert(row);
  }

  remove(row: Row): void {
    this.sorted.remove(row);
  }
}

const NO_ROWS = new SortedRows([0]);

/** For each item of one list field, the rows that contain it, sorted by other fields, then by id. */
export class ListRows {
  /** The list field. */
  readonly field: string;
  readonly sortedBy: readonly string[];
  readonly watched: readonly string[];
  readonly #positions: readonly number[];
  readonly #rows = new Map<Scalar, SortedRows>();

  constructor(fields: readonly string[], sortKeys: SortKeys) {
    const [field = '', ...sortedBy] = fields;
    this.watched = fields;
    this.field = field;
    this.sortedBy = sortedBy;
    this.#positions = sortedBy.flatMap((name) => positionsOf(name, sortKeys));
  }

  get(item: Scalar): SortedRows {
    return this.#rows.get(item) ?? NO_ROWS;
  }

  insert(row: Row): void {
    for (const item of this.#itemsOf(row)) {
      const known = this.#rows.get(item) ?? new SortedRows([...this.#positions, 0]);
      known.insert(row);
      this.#rows.set(item, known);
    }
  }

  remove(row: Row): void {
    for (const item of this.#itemsOf(row)) {
      const known = this.get(item);
      known.remove(row);
      if (known.size === 0) this.#rows.delete(item);
    }
  }

  /** The items with the fewest rows of which every match must contain at least one. Null when the predicate does not ask for items. */
  findItems(where: Predicate): readonly Scalar[] | null {
    if (where.op === 'and')
      return this.#fewest(where.of.map((each) => this.findItems(each)).filter((each) => each !== null));
    if ((where.op !== 'hasAny' && where.op !== 'hasAll') || where.field !== this.field) return null;
    return where.op === 'hasAny' ? where.values : this.#fewest(where.values.map((item) => [item]));
  }

  #fewest(choices: readonly (readonly Scalar[])[]): readonly Scalar[] | null {
    const count = (items: readonly Scalar[]): number =>
      items.reduce<number>((sum, item) => sum + this.get(item).size, 0);
    return choices.reduce<readonly Scalar[] | null>(
      (best, each) => (best === null || count(each) < count(best) ? each : best),
      null,
    );
  }

  #itemsOf(row: Row): ReadonlySet<Scalar> {
    return new Set(row.record[this.field] as readonly Scalar[]);
  }
}
