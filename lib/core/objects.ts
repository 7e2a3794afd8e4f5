/** The member that the record itself holds, never an inherited one such as `constructor`. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The first member that is not known; undefined: all are known. */
export function findUnknownMember(value: object, known: ReadonlySet<string>): string | undefined {
  for (const name in value) if (!known.has(name)) return name;
  return undefined;
}

// V8 keeps the members of `Object.create(null)` in a hash table, which takes three times as long to fill, to read and to freeze.
const NO_MEMBERS = Object.freeze(Object.create(null) as object);

/** A new object that inherits nothing, for members whose names come from outside. */
export function createRecord<T = unknown>(): Record<string, T> {
  return Object.create(NO_MEMBERS) as Record<string, T>;
}

/** A value that is made once for each object, when it is first needed. The object must not change. */
export function perObject<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** The items of a list by a key, in their order. */
export function groupBy<K, T>(list: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of list) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Adds one to the count of a key. */
export function countOne<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The members that have a value. */
export const defined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The parts of a list that have so many items; the last one may have fewer. */
export function* slicesOf<T>(list: readonly T[], size: number): Generator<readonly T[], undefined, void> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** Freezes a value and everything in it. The value must be a tree, as JSON is. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

const given = new WeakSet<object>();

/** Freezes data that the host has given, so that no call can change it for the next one. Parts may be shared. */
export function freezeGiven<T>(value: T): T {
  if (typeof value !== 'object' || value === null || given.has(value)) return value;
  given.add(value);
  for (const member of Object.values(value)) freezeGiven(member);
  return Object.freeze(value);
}

/** Runs a check, but only once in the process for what `freezeGiven` has frozen: that cannot change, and further sites are made of the same parts. */
export function createGivenCheck(): (value: object, check: () => void) => void {
  const passed = new WeakSet<object>();
  return (value, check) => {
    if (passed.has(value)) return;
    check();
    if (given.has(value)) passed.add(value);
  };
}

/** Names by which a plain object reaches a prototype. Input under these names is ignored, and descriptors must not use them. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The kind of a value, for messages. The value itself is not shown, because it may be secret. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : String(value);
  if (typeof value === 'bigint') return 'a BigInt';
  if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (isPlainObject(value)) return 'a plain object';
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  if (typeof name === 'string' && name !== '' && name !== 'Object') return `an instance of ${name}`;
  // A generator and an iterator have no constructor of their own.
  const tag: unknown = (value as Partial<Record<symbol, unknown>>)[Symbol.toStringTag];
  return typeof tag === 'string' && tag !== '' ? `an instance of ${tag}` : 'an object';
}

/** Whether an object only holds members: an object literal, an object read from JSON, or one without a prototype. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A JSON object (not null, not a list). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Makes `instanceof` recognise instances that another copy of this package created: a namespace or a store adapter may bring
 * its own copy. The mark is a registered symbol, which all copies share.
 *
 * A mark promises the public data members of the class, in every version. Methods are called only on own instances,
 * except `toJSON`. A version that changes the meaning of a member must use another name.
 */
export function brand(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`routebook.${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A subclass inherits this function, but not every marked instance belongs to the subclass.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      if (typeof value !== 'object' || value === null) return false;
      // Nearly every value is of this copy or plain, and the search for the mark takes V8 far longer.
      const prototype: unknown = Object.getPrototypeOf(value);
      return (
        prototype === type.prototype ||
        (prototype !== Object.prototype && prototype !== Array.prototype && mark in value)
      );
    },
  });
}

function refuseChange(): never {
  throw new TypeError('this set is shared with other calls and cannot change; copy it with new Set(set)');
}

/** A set that never changes. A Set cannot be frozen, so its methods refuse. */
export class FixedSet<T> extends Set<T> {
  constructor(values: Iterable<T> = []) {
    super();
    for (const value of values) super.add(value);
    Object.freeze(this);
  }

  override add(): never {
    return refuseChange();
  }

  override delete(): never {
    return refuseChange();
  }

  override clear(): never {
    return refuseChange();
  }
}
