import { parseJsonList, parseJsonText } from '../core/parse-json.ts';

/** Most characters of JSON text inside JSON values that are parsed per request, in total. */
export const PACKED_LIMIT = 128 * 1024;

/** State while the parameters of a request are read. */
export class Reading {
  /** The limit of a list that had too many items and was cut after the first one too many; null: none was cut. */
  cutAt: number | null = null;
  /** How many characters may still be parsed as JSON. Texts beyond that stay strings. */
  #left: number;
  readonly #objects = new Map<string, unknown>();

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
    if (typeof value === 'string') this.#left += value.length;
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) this.allow(member);
  }

  /** The object that a text contains as JSON; undefined if there is none. It is parsed once, even if several branches are tried. */
  parseObject(text: string): unknown {
    if (!text.trimStart().startsWith('{')) return undefined;
    if (!this.#objects.has(text)) this.#objects.set(text, text.length > this.#left ? undefined : this.#parse(text, () => parseJsonText(text)));
    return this.#objects.get(text);
  }

  /** The list that a text contains as JSON, up to a limit; undefined if there is none. */
  parseList(text: string, most: number): unknown {
    if (!text.trimStart().startsWith('[')) return undefined;
    const longest = this.#left;
    return this.#parse(text, () => parseJsonList(text, most, longest));
  }

  #parse(text: string, parse: () => unknown): unknown {
    this.#left -= text.length;
    try {
      return parse();
    } catch {
      return undefined; // no JSON: it stays a text, and validation names what is wrong with it
    }
  }
}
