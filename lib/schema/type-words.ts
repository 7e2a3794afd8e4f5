import { isObject } from '../core/objects.ts';

/** A type word of the dialect: a new one is one entry of `TYPE_WORDS`, and of `SCALARS` in coerce.ts if other values are converted to it. */
interface TypeWordRule {
  /** Its JSON Schema type. */
  readonly type: string;
  /** Whether a value already is of the type. The guard is also the type that handlers see. */
  readonly fits: (value: unknown) => boolean;
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
  empty: 0,
  isScalar: true,
} as const;
const NUMBER = {
  type: 'number',
  fits: (value: unknown): value is number => typeof value === 'number',
  empty: 0,
  isScalar: true,
} as const;
const BOOLEAN = {
  type: 'boolean',
  fits: (value: unknown): value is boolean => typeof value === 'boolean',
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
