import { parseJsonList, parseJsonText } from '../json/parse-json.ts';

/** Most JSON text inside JSON values that is parsed per request, in total. Bytes. */
export const PACKED_LIMIT = 128 * 1024;

/** State while the parameters of a request are read. */
export class Reading {
  /** The limit of a list that had too many items and was cut after the first one too many; null: none was cut. */
  cutAt: number | null = null;
  /** How many bytes may still be parsed as JSON. Texts beyond that stay strings. */
  #left: number;
  /** How much of each list that was tried may be parsed: branches of a schema try the same text. */
  #lists: Map<string, number> | undefined;
  #objects: Map<string, unknown> | undefined;

  constructor(left = Infinity) {
    this.#left = left;
  }

  /** Returns `cutAt` and resets it for the next value. */
  takeCut(): number | null {
    const { cutAt } = this;
    this.cutAt = null;
    return cutAt;
  }

  /** Allows the texts of a form to be parsed as JSON, once per text. */
  allow(value: unknown): void {
    if (typeof value === 'string') this.#left += Buffer.byteLength(value);
    else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) this.allow(member);
  }

  /** The object that a text contains as JSON; undefined if there is none. It is parsed once, even if several branches are tried. */
  parseObject(text: string): unknown {
    if (!text.trimStart().startsWith('{')) return undefined;
    this.#objects ??= new Map();
    if (!this.#objects.has(text)) this.#objects.set(text, this.#parseObject(text));
    return this.#objects.get(text);
  }

  /** The list that a text contains as JSON, up to a limit; undefined if there is none. */
  parseList(text: string, most: number): unknown {
    if (!text.trimStart().startsWith('[')) return undefined;
    this.#lists ??= new Map();
    const longest = this.#lists.get(text) ?? this.#left;
    if (!this.#lists.has(text)) {
      this.#lists.set(text, longest);
      this.#left -= Buffer.byteLength(text);
    }
    return longest > 0 ? this.#parse(() => parseJsonList(text, most, longest)) : undefined;
  }

  #parseObject(text: string): unknown {
    const bytes = Buffer.byteLength(text);
    if (bytes > this.#left) return undefined;
    this.#left -= bytes;
    return this.#parse(() => parseJsonText(text));
  }

  #parse(parse: () => unknown): unknown {
    try {
      return parse();
    } catch {
      return undefined; // not JSON: it stays a string, and validation says what is wrong with it
    }
  }
}
