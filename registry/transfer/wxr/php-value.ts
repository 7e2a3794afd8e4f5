import type { Json } from '../../../lib/schema/schema-dialect.ts';

const toKey = (key: string | number): string =>
  typeof key === 'number' || /^(?:0|-?[1-9]\d{0,14})$/.test(key) ? `i:${key};` : writePhpValue(key);

const toMembers = (members: readonly (readonly [string | number, Json])[]): string =>
  `a:${members.length}:{${members.map(([key, value]) => `${toKey(key)}${writePhpValue(value)}`).join('')}}`;

/** The text that PHP's `serialize` writes for a value. Lists and objects are arrays; lengths of strings count bytes of UTF-8. */
export function writePhpValue(value: Json): string {
  if (value === null) return 'N;';
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  if (typeof value === 'boolean') return `b:${Number(value)};`;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value};` : `d:${value};`;
  return Array.isArray(value)
    ? toMembers(value.map((member: Json, index) => [index, member] as const))
    : toMembers(Object.entries(value) as (readonly [string, Json])[]);
}

/** The text is not a value that PHP's `serialize` wrote. */
export class PhpError extends Error {}

const MAX_DEPTH = 64;
const PLAIN_CLASS = 'stdClass';
/** A list has at least four bytes for each member: `i:0;`. */
const LEAST_MEMBER = 4;

/** Reads serialised values. Lengths of strings count bytes, so the text is read as UTF-8. */
class PhpReader {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
  }

  /** @throws PhpError */
  readAll(): Json {
    const value = this.#value();
    if (this.#at !== this.#bytes.length) throw new PhpError('something follows the value');
    return value;
  }

  #take(length: number): string {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new PhpError('the value is cut off');
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  #expect(text: string): void {
    if (this.#take(text.length) !== text) throw new PhpError(`${text} is missing`);
  }

  /** The text before the next mark, which is skipped. */
  #until(mark: string): string {
    const end = this.#bytes.indexOf(mark, this.#at);
    if (end === -1) throw new PhpError('the value is cut off');
    const text = this.#bytes.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #count(mark: string): number {
    const text = this.#until(mark);
    const count = Number(text);
    if (!/^\d+$/.test(text) || count > this.#bytes.length) throw new PhpError('a length is not valid');
    return count;
  }

  #string(): string {
    const length = this.#count(':');
    this.#expect('"');
    const text = this.#take(length);
    this.#expect('"');
    return text;
  }

  #scalar(kind: string): Json {
    if (kind === 's' || kind === 'E') {
      const text = this.#string();
      this.#expect(';');
      return text;
    }
    const text = this.#until(';');
    if (kind === 'b') return text === '1';
    const number = Number(text);
    if (text === '' || Number.isNaN(number)) throw new PhpError('a number is not valid');
    return Number.isFinite(number) ? number : null;
  }

  #members(): readonly (readonly [string, Json])[] {
    const count = this.#count(':');
    if (count * LEAST_MEMBER > this.#bytes.length) throw new PhpError('a length is not valid');
    this.#expect('{');
    const members = Array.from({ length: count }, () => [String(this.#value()), this.#value()] as const);
    this.#expect('}');
    return members;
  }

  #list(): Json {
    const members = this.#members();
    return members.every(([key], index) => key === String(index))
      ? members.map(([, value]) => value)
      : Object.fromEntries(members);
  }

  /** Objects of a class mean something to its program alone. Those without one are plain values. */
  #object(): Json {
    if (this.#string() !== PLAIN_CLASS) throw new PhpError('objects of PHP are not read');
    this.#expect(':');
    return Object.fromEntries(this.#members());
  }

  #value(): Json {
    const kind = this.#take(1);
    if (kind === 'N') {
      this.#expect(';');
      return null;
    }
    this.#expect(':');
    if ('sEbid'.includes(kind)) return this.#scalar(kind);
    if (kind !== 'a' && kind !== 'O')
      throw new PhpError(
        kind === 'C' ? 'objects of PHP are not read' : `the kind ${JSON.stringify(kind)} is not read`,
      );
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new PhpError(`it is nested deeper than ${MAX_DEPTH} levels`);
    const value = kind === 'a' ? this.#list() : this.#object();
    this.#depth -= 1;
    return value;
  }
}

/** Whether a text looks like a serialised value, as WordPress decides. */
export function isSerialised(text: string): boolean {
  return text === 'N;' || /^(?:[bid]:[^;]*;|[sE]:\d+:"[^]*";|[aOC]:\d+:[^]*\})$/.test(text);
}

/** The value that PHP's `serialize` wrote as this text. A list with the keys 0, 1, … is a list, any other an object, as is an object of `stdClass`. @throws PhpError */
export function readPhpValue(text: string): Json {
  return new PhpReader(text).readAll();
}
