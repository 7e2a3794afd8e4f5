/** What a value is, for messages: its kind alone, because what it says may be secret. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : String(value);
  if (typeof value === 'bigint') return 'a BigInt';
  if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (isPlainObject(value)) return 'a plain object';
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object';
}

/** An object that only holds members: written as `{…}`, read from JSON, or made without a prototype. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
