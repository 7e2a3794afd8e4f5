import { MAX_DEPTH } from '../html/html-tree.ts';
import { VOID_ELEMENTS } from '../html/html.ts';
import { BLOCK_ELEMENTS } from '../html/paragraphs.ts';
import { CELLS, FORMATTING, IMPLIED_ENDS, OMITTED_ENDS, TABLE_PARTS } from './allowed.ts';

/** End tags for nested elements, the innermost first. `around`: the element whose end ends them, '' for the end of the text. */
function toEnds(names: readonly string[], around: string): string {
  let ends = '';
  let parent = around;
  for (const name of names) {
    const parents = OMITTED_ENDS.get(name);
    const isOmitted = parents !== undefined && (parent === '' || parents.has(parent));
    if (!isOmitted) ends = `</${name}>${ends}`;
    parent = name;
  }
  return ends;
}

/** Element -> the open elements that its start tag ends: the inverse of `IMPLIED_ENDS`. */
const ENDED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...new Set([...IMPLIED_ENDS.values()].flatMap((names) => Array.from(names)))].map((name) => [
    name,
    new Set([...IMPLIED_ENDS.keys()].filter((each) => IMPLIED_ENDS.get(each)?.has(name))),
  ]),
);

/** A start tag inside one of these elements does not end elements outside of it (HTML 13.2.6.4.7, li and dd). */
const OUTSIDE: ReadonlySet<string> = new Set(
  [...BLOCK_ELEMENTS].filter((name) => !['address', 'audio', 'div', 'map', 'p', 'video'].includes(name)),
);

/** Tracks the open elements of a text, so that all of them are closed at its end and no end tag closes an element around the text. */
export class OpenElements {
  readonly #names: string[] = [];
  /** Number of open table parts outside of a table, by name. Browsers ignore their tags. */
  readonly #strays = new Map<string, number>();

  /** @returns false if the element would be nested too deep and must be left out */
  start(name: string): boolean {
    if (TABLE_PARTS.has(name) && !this.#names.includes('table')) {
      this.#strays.set(name, (this.#strays.get(name) ?? 0) + 1);
      return true;
    }
    const isVoid = VOID_ELEMENTS.has(name);
    if (!isVoid && this.#names.length >= MAX_DEPTH) return false;
    this.#endBefore(name);
    if (!isVoid) this.#names.push(name);
    return true;
  }

  /** @returns the end tags that are missing before that of this element; null if it does not end an element */
  end(name: string): string | null {
    const index = this.#find(name);
    if (index === -1) return this.#endStray(name);
    if (index === this.#names.length - 1 || FORMATTING.has(name)) {
      this.#names.splice(index, 1);
      return '';
    }
    return toEnds(this.#close(index).slice(1), name);
  }

  /** @returns the end tags that are missing at the end of the text */
  finish(): string {
    return toEnds(this.#names.splice(0), '');
  }

  /** Closes the elements that the start tag of this element ends. */
  #endBefore(name: string): void {
    const ended = ENDED.get(name);
    if (ended === undefined) return;
    const index = TABLE_PARTS.has(name)
      ? this.#findInTable(ended)
      : this.#findBeside(ended, name === 'table' ? CELLS : OUTSIDE);
    if (index !== -1) this.#close(index);
  }

  /** Index of the outermost element in `ended`, or -1. The search goes outwards and stops at an element in `outside`. */
  #findBeside(ended: ReadonlySet<string>, outside: ReadonlySet<string>): number {
    let found = -1;
    for (let index = this.#names.length - 1; index >= 0; index -= 1) {
      const each = this.#names[index] ?? '';
      if (ended.has(each)) found = index;
      if (outside.has(each)) break;
    }
    return found;
  }

  /** Index of the outermost element of the innermost table that ends before the next part of the table: a cell, a row, or an element that is not a table part. */
  #findInTable(ended: ReadonlySet<string>): number {
    const table = this.#names.lastIndexOf('table');
    return this.#names.findIndex(
      (each, index) => index > table && (ended.has(each) || !TABLE_PARTS.has(each)),
    );
  }

  /** Closes an element and those inside it. Formatting elements stay open, but not beyond their cell. @returns the closed elements */
  #close(index: number): readonly string[] {
    const names = this.#names.splice(index);
    const cell = names.findIndex((each) => CELLS.has(each));
    const stays = (each: string, place: number): boolean =>
      FORMATTING.has(each) && (cell === -1 || place < cell);
    this.#names.push(...names.filter(stays));
    return names.filter((each, place) => !stays(each, place));
  }

  #endStray(name: string): string | null {
    const count = this.#strays.get(name) ?? 0;
    if (count === 0 || this.#names.includes('table')) return null;
    this.#strays.set(name, count - 1);
    return '';
  }

  #find(name: string): number {
    const isOutside = !TABLE_PARTS.has(name) && name !== 'table';
    for (let index = this.#names.length - 1; index >= 0; index -= 1) {
      const each = this.#names[index] ?? '';
      if (each === name) return index;
      if (isOutside && (CELLS.has(each) || each === 'table')) return -1;
    }
    return -1;
  }
}
