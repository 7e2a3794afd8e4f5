import { isObject } from '../core/objects.ts';

// Only ASCII whitespace is allowed around a number.
const INTEGER_TEXT = /^[ \t\n\r\v\f]*[+-]?\d{1,15}(?:\.0*)?[ \t\n\r\v\f]*$/;
const NUMBER_TEXT =
  /^[ \t\n\r\v\f]*[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?[ \t\n\r\v\f]*$/i;
const TRUE = new Set<unknown>([true, 1, '1', 'true']);
const FALSE = new Set<unknown>([false, 0, '0', 'false']);

/** The number that a string spells; any other value unchanged. */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && INTEGER_TEXT.test(value) ? Number(value) : value;
}

/** The same, with fractions and exponents. */
export function toNumber(value: unknown): unknown {
  return typeof value === 'string' && NUMBER_TEXT.test(value) ? Number(value) : value;
}

/**
 * The string for a number, true or false: '' for false and null, "1" for true. Any other value is unchanged, and so is
 * an integer beyond 2^53, because it may differ from the one that was sent.
 */
export function toText(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? value : String(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  return value ?? '';
}

/** The boolean that a word or a number stands for; any other value unchanged. */
export function toBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : value;
}

/** A type word of the dialect: a new one is one entry of `TYPE_WORDS`. */
interface TypeWordRule {
  /** Its JSON Schema type. */
  readonly type: string;
  /** Whether a value already is of the type. The guard is also the type that handlers see. */
  readonly fits: (value: unknown) => boolean;
  /** Converts a value of another type, such as a string. Values that it cannot convert stay unchanged. Default: no conversion. Lists and objects are read by `coerce`. */
  readonly convert?: (value: unknown) => unknown;
  /** The value of a field that could not be rendered. */
  readonly empty: unknown;
  /** Whether it is a plain value, which can be split from text, counted and compared cheaply. */
  readonly isScalar: boolean;
}

const TEXT = {
  type: 'string',
  fits: (value: unknown): value is string => typeof value === 'string',
  empty: '',
  isScalar: true,
} as const;
const INTEGER = {
  type: 'integer',
  fits: (value: unknown): value is number => Number.isSafeInteger(value),
  convert: toInteger,
  empty: 0,
  isScalar: true,
} as const;
const NUMBER = {
  type: 'number',
  fits: (value: unknown): value is number => typeof value === 'number',
  convert: toNumber,
  empty: 0,
  isScalar: true,
} as const;
const BOOLEAN = {
  type: 'boolean',
  fits: (value: unknown): value is boolean => typeof value === 'boolean',
  convert: toBoolean,
  empty: false,
  isScalar: true,
} as const;

/** The type words. The index shows `int` and `bool` as they are written. */
export const TYPE_WORDS = {
  string: TEXT,
  integer: INTEGER,
  number: NUMBER,
  boolean: BOOLEAN,
  array: {
    type: 'array',
    fits: (value: unknown): value is readonly unknown[] => Array.isArray(value),
    empty: Object.freeze([]),
    isScalar: false,
  },
  object: { type: 'object', fits: isObject, empty: Object.freeze({}), isScalar: false },
  null: {
    type: 'null',
    fits: (value: unknown): value is null => value === null,
    empty: null,
    isScalar: false,
  },
  int: INTEGER,
  bool: BOOLEAN,
} as const satisfies Readonly<Record<string, TypeWordRule>>;

/** A type of the schema dialect. */
export type TypeWord = keyof typeof TYPE_WORDS;

/** The TypeScript type of a type word. */
export type ValueOfWord<W> = W extends TypeWord
  ? (typeof TYPE_WORDS)[W]['fits'] extends ((value: unknown) => value is infer V)
    ? V
    : never
  : never;

/** The rules by JSON Schema type. */
export const TYPES: ReadonlyMap<string, TypeWordRule> = new Map(
  Object.values(TYPE_WORDS).map((rule) => [rule.type, rule]),
);
