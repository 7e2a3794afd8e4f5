import { parseJsonList, parseJsonText } from '../json/parse-json.ts';
import type { ArgSchema } from './schema-dialect.ts';
import { listLimit, typesOf } from './schema.ts';

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

const WORD = /[^ \t\n\r\v\f,]+/g;
const DIGITS = /^\d+$/;

/** The words of a text, separated by commas and spaces, up to `most` of them. The rest is not read. */
export function splitWords(text: string, most: number): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) if (words.push(word) >= most) break;
  return words;
}

/** The words of a text, or of each text of a list; null if there are more words or texts than the limit. */
export function wordsOf(value: unknown, limit: number): readonly string[] | null {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (parts.length > limit) return null;
  const words: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') words.push(...splitWords(part, limit + 1 - words.length));
    if (words.length > limit) return null;
  }
  return words;
}

/** Whether an object is a list as forms send it: `{0: 'a', 5: 'b'}`. */
export function isNumbered(value: object): boolean {
  return Object.keys(value).every((key) => DIGITS.test(key));
}

/** The items of a value that stands for a list, up to a limit; null if it does not. */
export function toItems(value: unknown, most: number, reading = new Reading()): readonly unknown[] | null {
  if (Array.isArray(value)) return value.slice(0, most);
  if (typeof value === 'string') {
    const parsed = reading.parseList(value, most);
    return Array.isArray(parsed) ? parsed : splitWords(value, most);
  }
  // As text, like every other single value: the schema of the items decides what it means.
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return typeof value === 'object' && value !== null && isNumbered(value)
    ? Object.values(value).slice(0, most)
    : null;
}

/** Most items of a list that an argument accepts; 0: it does not accept lists. */
function mostItems(schema: ArgSchema): number {
  if (schema.oneOf !== undefined) return Math.max(0, ...schema.oneOf.map(mostItems));
  return typesOf(schema).includes('array') ? listLimit(schema) : 0;
}

/**
 * The value of a name that was sent more than once. For a list: all items, with each part read like a single
 * list; else the last value.
 */
export function joinParts(schema: ArgSchema, parts: readonly unknown[], reading = new Reading()): unknown {
  const most = mostItems(schema);
  if (most === 0) return parts.at(-1);
  const items: unknown[] = [];
  for (const part of parts) {
    items.push(...(toItems(part, most + 1 - items.length, reading) ?? [part]));
    if (items.length > most) break;
  }
  return items;
}
