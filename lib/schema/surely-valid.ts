import { isObject } from '../core/objects.ts';
import { TYPES } from './type-words.ts';

type Test = (value: unknown) => boolean;

const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isBound: Test = (value) => Number.isFinite(value);
const isFlag: Test = (value) => typeof value === 'boolean';
const isPlain: Test = (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
const isWord: Test = (value) => typeof value === 'string';

/** A list that is not empty, whose items pass and differ. */
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(test) && new Set(value).size === value.length;
const isType: Test = (value) => typeof value === 'string' && TYPES.has(value);

/** Keyword -> what its value must be. Others may be wrong in ways that only the compiler sees, such as `pattern`. */
const KEYWORDS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['type', (value) => isType(value) || listOf(isType)(value)],
  ['enum', listOf(isPlain)],
  ['minimum', isBound],
  ['maximum', isBound],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['uniqueItems', isFlag],
  ['readOnly', isFlag],
  ['required', listOf(isWord)],
  ['items', isSurelyValid],
  ['additionalProperties', (value) => isFlag(value) || isSurelyValid(value)],
  ['properties', (value) => isObject(value) && Object.values(value).every(isSurelyValid)],
  ['allOf', (value) => Array.isArray(value) && value.length > 0 && value.every(isSurelyValid)],
]);

/** Whether a JSON Schema needs no compiler to be known as valid. Compiling takes milliseconds, and most schemas never see a value. */
export function isSurelyValid(schema: unknown): boolean {
  return (
    isObject(schema) &&
    Object.entries(schema).every(([keyword, value]) => KEYWORDS.get(keyword)?.(value) === true)
  );
}
