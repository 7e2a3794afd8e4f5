import { parseJsonList, parseJsonText } from '../core/parse-json.ts';

/** How much JSON a request may hold in texts of what was JSON already, together. Characters. */
export const PACKED_LIMIT = 128 * 1024;

/** What is known while the parameters of a request are read. */
export class Reading {
  /** Most items of a list that came with more of them and was cut behind the first one too many; null: none was. */
  cutAt: number | null = null;
  /** How much text may still be parsed as JSON. What may not stays a text. */
  #left: number;
  readonly #objects = new Map<string, unknown>();

  constructor(left = Infinity) {
    this.#left = left;
  }

  /** `cutAt`, which is null again for the next value. */
  takeCut(): number | null {
    const { cutAt } = this;
    this.cutAt = null;
    return cutAt;
  }

  /** Lets the texts of a form be parsed as JSON once: they were not before. */
  allow(value: unknown): void {
    if (typeof value === 'string') this.#left += value.length;
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) this.allow(member);
  }

  /** The object that a text holds as JSON; undefined where it holds none. Parsed once, however many forms of a value are tried. */
  parseObject(text: string): unknown {
    if (!text.trimStart().startsWith('{')) return undefined;
    if (!this.#objects.has(text)) this.#objects.set(text, text.length > this.#left ? undefined : this.#parse(text, () => parseJsonText(text)));
    return this.#objects.get(text);
  }

  /** The list that a text holds as JSON, up to so many items; undefined where it holds none. */
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
