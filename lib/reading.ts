import { parseJson } from './json-text.ts';

/** What is known while a value is read for its schema. */
export class Reading {
  /** Most items of a list that came with more of them and was cut behind the first one too many; null: none was. */
  cutAt: number | null = null;
  readonly #parsed = new Map<string, unknown>();

  /** `cutAt`, which is null again for the next value. */
  takeCut(): number | null {
    const { cutAt } = this;
    this.cutAt = null;
    return cutAt;
  }

  /** The object that a text holds as JSON; undefined where it holds none. Parsed once, however many forms of a value are tried. */
  parseObject(text: string): unknown {
    if (!text.trimStart().startsWith('{')) return undefined;
    if (!this.#parsed.has(text)) this.#parsed.set(text, tryJson(() => parseJson(Buffer.from(text))));
    return this.#parsed.get(text);
  }
}

/** JSON in a text is held to the limits of a JSON body: it is one by another way. What is no JSON stays a text, and validation names what is wrong with it. */
export function tryJson(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
