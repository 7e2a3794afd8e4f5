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
