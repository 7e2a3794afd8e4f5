import { JsonText } from './json-document.ts';
import { isPlainObject, kindOf } from './objects.ts';

/** A value that JSON would leave out or write as `null` or `{}`. */
export interface Loss {
  /** `a NaN`, `an instance of Map`. */
  readonly what: string;
  /** `a.b[2]`; empty: the whole value. */
  readonly place: string;
}

/** An object with its own JSON form, such as a date. */
interface Convertible {
  readonly toJSON: (key: string) => unknown;
}

function isConvertible(value: object): value is Convertible {
  return typeof (value as Partial<Convertible>).toJSON === 'function';
}

const WORD = /^[A-Za-z_$][\w$]*$/;

function within(step: string, { what, place }: Loss): Loss {
  return { what, place: place === '' || place.startsWith('[') ? step + place : `${step}.${place}` };
}

const lost = (value: unknown): Loss => ({ what: kindOf(value), place: '' });

/** `outer`: the objects that contain this one, outermost first. */
function findInList(list: readonly unknown[], outer: object[]): Loss | null {
  for (let at = 0; at < list.length; at += 1) {
    const loss = find(list[at], outer, String(at));
    if (loss !== null) return within(`[${at}]`, loss);
  }
  return null;
}

function findInMembers(value: object, outer: object[]): Loss | null {
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const loss = find(member, outer, name);
    if (loss !== null) return within(WORD.test(name) ? name : `[${JSON.stringify(name)}]`, loss);
  }
  return null;
}

/** Values whose content JSON does not see: iterables, streams, errors, and instances without own members. */
function isOpaque(value: object): boolean {
  if (value instanceof Error || Symbol.iterator in value || Symbol.asyncIterator in value) return true;
  const isPlainElsewhere = Object.getPrototypeOf(Object.getPrototypeOf(value)) === null;
  return !isPlainElsewhere && Object.keys(value).length === 0;
}

/** Wrapper objects, which JSON writes as the wrapped value. */
const BOXED: ReadonlySet<string> = new Set(['[object Number]', '[object String]', '[object Boolean]']);

function findInInstance(value: object, outer: object[], key: string): Loss | null {
  if (BOXED.has(Object.prototype.toString.call(value))) return find(value.valueOf(), outer, key);
  return isOpaque(value) ? lost(value) : findInMembers(value, outer);
}

function findInObject(value: object, outer: object[], key: string): Loss | null {
  if (outer.includes(value)) return { what: 'an object that contains itself', place: '' };
  outer.push(value);
  const loss = Array.isArray(value) ? findInList(value, outer) : (isPlainObject(value) ? findInMembers : findInInstance)(value, outer, key);
  outer.pop();
  return loss;
}

/** An object with a `toJSON` method. It is called once and not again on its result, as JSON.stringify does. */
function findInSaid(value: Convertible, outer: object[], key: string): Loss | null {
  if (value instanceof JsonText) return null;
  if (ArrayBuffer.isView(value) || (value instanceof Date && Number.isNaN(value.getTime()))) return lost(value);
  const said = value.toJSON(key);
  return typeof said === 'object' && said !== null ? findInObject(said, outer, key) : find(said, outer, key);
}

function find(value: unknown, outer: object[], key: string): Loss | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : lost(value);
  if (typeof value !== 'object') return lost(value);
  return isConvertible(value) ? findInSaid(value, outer, key) : findInObject(value, outer, key);
}

/** Deeper than nearly every response. */
const QUICK_DEPTH = 32;

/** `for in` instead of `Object.values`, which creates a list and takes three times as long. */
function areSimple(members: Readonly<Record<string, unknown>>, depth: number): boolean {
  for (const name in members) {
    const member = members[name];
    if (member !== undefined && !isSimple(member, depth)) return false;
  }
  return true;
}

/** Whether one quick pass can tell that JSON keeps the value. Most responses hold only strings, numbers, lists and plain objects. */
function isSimple(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0) return false;
  if (!Array.isArray(value)) return isPlainObject(value) && areSimple(value as Readonly<Record<string, unknown>>, depth - 1);
  for (let at = 0; at < value.length; at += 1) if (!isSimple(value[at], depth - 1)) return false;
  return true;
}

/** Finds the first value that JSON would lose. Members that are `undefined` are omitted on purpose, as everywhere in JSON. */
export function findLoss(value: unknown): Loss | null {
  return isSimple(value, QUICK_DEPTH) ? null : find(value, [], '');
}

/** @throws TypeError `… returned NaN at rows[2].price, which JSON cannot hold` */
export function checkJson(what: string, value: unknown): void {
  const loss = findLoss(value);
  if (loss !== null) throw new TypeError(`${what} ${loss.what}${loss.place === '' ? '' : ` at ${loss.place}`}, which JSON cannot hold`);
}
