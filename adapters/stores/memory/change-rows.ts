import { fromChangeRow, type ChangeRow } from '../../../lib/store/change-rows.ts';
import type { Change } from '../../../lib/store/change.ts';

/** The log of one collection. Its revisions have no gaps, so that the place of each is known. */
export class ChangeRows {
  #rows: ChangeRow[] = [];
  /** The revision after which the log begins. */
  start = 0;

  add(row: ChangeRow): void {
    this.#rows.push(row);
  }

  after(revision: number, limit: number): readonly Change[] {
    const first = Math.max(0, revision - this.start);
    return this.#rows.slice(first, first + limit).map(fromChangeRow);
  }

  forget(through: number): void {
    const gone = Math.min(Math.max(0, through - this.start), this.#rows.length);
    this.#rows = this.#rows.slice(gone);
    this.start += gone;
  }
}
