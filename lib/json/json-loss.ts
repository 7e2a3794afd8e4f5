import { abandon } from '../core/maybe-promise.ts';
import { isPlainObject, kindOf } from '../core/objects.ts';
import { JsonText } from './json-document.ts';

/** A value that JSON would leave out or write as `null` or `{}`. */
interface Loss {
  /** `a NaN`, `an instance of Map`. */
  readonly what: string;
  /** `a.b[2]`; empty: the whole value. */
  readonly place: string;
  /** What is lost. */
  readonly value: unknown;
}

/** An object with its own JSON form, such as a date. */
interface Convertible {
  readonly toJSON: (key: string) => unknown;
}

function isConvertible(value: object): value is Convertible {
  return typeof (value as Partial<Convertible>).toJSON === 'function';
}

const WORD = /^[A-Za-z_$][\w$]*$/;

function within(step: string, { place, ...loss }: Loss): Loss {
  return { ...loss, place: place === '' || place.startsWith('[') ? step + place : `${step}.${place}` };
}

const lost = (value: unknown, what = kindOf(value)): Loss => ({ what, place: '', value });

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
  if (outer.includes(value)) return lost(value, 'an object that contains itself');
  outer.push(value);
  const loss = Array.isArray(value)
    ? findInList(value, outer)
    : (isPlainObject(value) ? findInMembers : findInInstance)(value, outer, key);
  outer.pop();
  return loss;
}

/** An object with a `toJSON` method. It is called once and not again on its result, as JSON.stringify does. */
function findInSaid(value: Convertible, outer: object[], key: string): Loss | null {
  if (value instanceof JsonText) return null;
  if (ArrayBuffer.isView(value) || (value instanceof Date && Number.isNaN(value.getTime())))
    return lost(value);
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
  if (!Array.isArray(value))
    return isPlainObject(value) && areSimple(value as Readonly<Record<string, unknown>>, depth - 1);
  for (let at = 0; at < value.length; at += 1) if (!isSimple(value[at], depth - 1)) return false;
  return true;
}

/** Finds the first value that JSON would lose. Members that are `undefined` are omitted on purpose, as everywhere in JSON. */
export function findLoss(value: unknown): Loss | null {
  return isSimple(value, QUICK_DEPTH) ? null : find(value, [], '');
}

/** Every promise in a value that is refused: each of them may reject, and nobody waits for it. */
function abandonPromises(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return;
  seen.add(value);
  abandon(value);
  for (const member of Object.values(value)) abandonPromises(member, seen);
}

const hasMember = (value: object, name: symbol): boolean => name in value;

function adviceOnObject(value: object): string {
  if (value instanceof Promise) return 'await it, or Promise.all of a list';
  if (value instanceof Error) return 'throw it';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return 'return bytes as new RawBody(type, bytes)';
  if (value instanceof Map) return 'write Object.fromEntries(map)';
  if (hasMember(value, Symbol.asyncIterator))
    return 'give the endpoint streams, or collect its values in a list first, with for await';
  return hasMember(value, Symbol.iterator) ? 'write a list, [...values]' : '';
}

/** What the program must do with a value instead of returning it. */
function adviceOn(value: unknown): string {
  if (value === undefined) return 'is a return missing? null is a value';
  if (typeof value === 'number') return 'write null';
  if (typeof value === 'bigint') return 'write Number(value), or String(value) beyond 2 ** 53';
  if (typeof value === 'function') return 'call it';
  return typeof value === 'object' && value !== null ? adviceOnObject(value) : '';
}

/** @throws TypeError `… returned NaN at rows[2].price, which JSON cannot hold`. Its cause is an error that was returned */
export function checkJson(what: string, value: unknown): void {
  const loss = findLoss(value);
  if (loss === null) return;
  abandonPromises(value);
  const place = loss.place === '' ? '' : ` at ${loss.place}`;
  const advice = adviceOn(loss.value);
  throw new TypeError(
    `${what} ${loss.what}${place}, which JSON cannot hold${advice === '' ? '' : `; ${advice}`}`,
    loss.value instanceof Error ? { cause: loss.value } : undefined,
  );
}
