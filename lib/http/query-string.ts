import { engineError, type RestError } from '../core/errors.ts';
import { createRecord, own, UNSAFE_NAMES } from '../core/objects.ts';
import { invalidParam } from '../schema/invalid.ts';
import type { Params, Repeated } from './request.ts';

const MAX_PAIRS = 1000;
const MAX_DEPTH = 16;
const PLUS = 0x2b;
const BLANK = 0x20;

/** A value with brackets while it is parsed: keys in order of appearance, and the next index for `[]`. */
class Branch {
  readonly entries = new Map<string, string | Branch>();
  next = 0;

  reserve(key: string): string {
    if (key === '') return String(this.next++);
    if (isDigits(key)) this.next = Math.max(this.next, Number(key) + 1);
    return key;
  }
}

export interface ParsedQuery {
  /** Objects inherit nothing, at every level; keys in order of first appearance. */
  readonly params: Params;
  /** Names without `=` (`?sticky`). Their value is ''. */
  readonly bare: ReadonlySet<string>;
  /** All values of the names that appear more than once. */
  readonly repeated: Repeated;
}

/** Values by name while they are parsed, with the branches of those with brackets. */
interface Collecting {
  readonly params: Record<string, unknown>;
  /** null: no name appeared more than once. */
  repeated: Map<string, unknown[]> | null;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_REPEATED: Repeated = new Map();

/**
 * Parses a query string or a form body: `a=1`, `a[]=1`, `a[0]=x`, `a[b][c]=1`; `+` is a space. A repeated name keeps its
 * last value in `params`. A value whose keys are all digits is a list in order of appearance. A parameter whose name reaches a prototype is dropped,
 * as no endpoint has it; a key within brackets that does so is refused.
 * @throws RestError `rest_invalid_param` (such a key), `rest_too_many_parameters` (over 1,000 pairs, or over 16 levels), `rest_invalid_encoding` (bad `%`, or NUL)
 */
export function parseQuery(sent: string): ParsedQuery {
  const text = sent.includes('+') ? toBlanks(sent) : sent;
  const collecting: Collecting = { params: createRecord(), repeated: null };
  let bare: Set<string> | null = null;
  let pairs = 0;
  let nested = false;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = start;
    if (text[start] === '&') continue;
    end = text.indexOf('&', start);
    if (end === -1) end = text.length;
    if (++pairs > MAX_PAIRS)
      throw engineError('rest_too_many_parameters', {
        message: `More than ${MAX_PAIRS} parameters were sent.`,
      });
    const pair = text.slice(start, end);
    const equals = pair.indexOf('=');
    const isBare = equals === -1;
    const sentName = isBare ? pair : pair.slice(0, equals);
    const name = decode(sentName, 'name', sentName);
    if (isBare) (bare ??= new Set()).add(name);
    const value = isBare ? '' : decode(pair.slice(equals + 1), 'value', name);
    if (name.includes('[', 1)) nested = insert(collecting, toKeys(name), value) || nested;
    else if (name !== '' && !UNSAFE_NAMES.has(name)) put(collecting, name, value);
  }
  const { params, repeated } = collecting;
  if (nested) {
    for (const name in params) params[name] = toParam(params[name]);
    for (const parts of repeated?.values() ?? [])
      parts.forEach((part, index) => {
        parts[index] = toParam(part);
      });
  }
  return { params, bare: bare ?? NO_NAMES, repeated: repeated ?? NO_REPEATED };
}

/** A plus is a space. Replaced in bytes, because replacing many of them in a string takes V8 a hundred times as long. */
function toBlanks(text: string): string {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = BLANK;
  return bytes.toString();
}

function put(collecting: Collecting, name: string, value: string | Branch): void {
  const { params } = collecting;
  const known = own(params, name);
  params[name] = value;
  if (known === undefined) return;
  collecting.repeated ??= new Map();
  const parts = collecting.repeated.get(name);
  if (parts === undefined) collecting.repeated.set(name, [known, value]);
  else parts.push(value);
}

/** `what`: part of the parameter. `name`: as shown if that part cannot be decoded. */
function decode(text: string, what: 'name' | 'value', name: string): string {
  if (text.includes('\0')) throw invalidEncoding(what, name);
  if (!text.includes('%')) return text;
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    /* URIError: answered below, like NUL */
  }
  throw invalidEncoding(what, name);
}

function invalidEncoding(what: 'name' | 'value', name: string): RestError {
  return engineError('rest_invalid_encoding', {
    message: `The ${what} of the parameter "${name.slice(0, 60)}" must be percent-encoded UTF-8 without NUL; a percent sign is written %25.`,
  });
}

/** `a[b][]` is `['a', 'b', '']`. A bracket that is never closed is part of the name. Text after the last bracket is ignored. */
function toKeys(name: string): string[] {
  let open = name.indexOf('[', 1);
  if (!name.includes(']', open)) return [name];
  const keys = [name.slice(0, open)];
  while (name[open] === '[') {
    const close = name.indexOf(']', open);
    if (close === -1) break;
    keys.push(name.slice(open + 1, close));
    if (keys.length > MAX_DEPTH) {
      throw engineError('rest_too_many_parameters', {
        message: `The parameter "${name.slice(0, 60)}" nests deeper than ${MAX_DEPTH} levels.`,
      });
    }
    open = close + 1;
  }
  return keys;
}

function invalidKey(name: string, key: string): RestError {
  const message = `${key} is not a valid property of Object.`;
  return invalidParam(name, message, 'rest_additional_properties_forbidden');
}

/** @returns whether a branch was created. @throws RestError for a key that reaches a prototype */
function insert(collecting: Collecting, keys: readonly string[], value: string): boolean {
  const [name = '', ...rest] = keys;
  const last = rest.pop();
  if (UNSAFE_NAMES.has(name)) return false;
  const unsafe = keys.find((key) => UNSAFE_NAMES.has(key));
  if (unsafe !== undefined) throw invalidKey(name, unsafe);
  if (last === undefined) {
    put(collecting, name, value);
    return false;
  }
  const top = own(collecting.params, name);
  let branch = top instanceof Branch ? top : new Branch();
  if (branch !== top) put(collecting, name, branch);
  for (const key of rest) {
    const place = branch.reserve(key);
    const known = branch.entries.get(place);
    const child = known instanceof Branch ? known : new Branch();
    branch.entries.set(place, child);
    branch = child;
  }
  branch.entries.set(branch.reserve(last), value);
  return true;
}

function toParam(value: unknown): unknown {
  if (!(value instanceof Branch)) return value;
  if ([...value.entries.keys()].every(isDigits)) return [...value.entries.values()].map(toParam);
  const object = createRecord();
  for (const [key, child] of value.entries) object[key] = toParam(child);
  return object;
}

function isDigits(key: string): boolean {
  return /^\d{1,15}$/.test(key);
}

/**
 * Writes parameters as a query string, in the form of page links: `include%5B0%5D=101`, a space as `+`, true as `1`,
 * '' and false as a bare name. null, undefined and empty lists are omitted.
 */
export function toQuery(params: Params): string {
  const pairs: string[] = [];
  for (const name in params) addPairs(pairs, name, params[name]);
  return pairs.join('&');
}

function addPairs(pairs: string[], name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) addPairs(pairs, `${name}[${key}]`, child);
    return;
  }
  const text = typeof value === 'boolean' ? (value ? '1' : '') : String(value);
  pairs.push(text === '' ? encode(name) : `${encode(name)}=${encode(text)}`);
}

const PLAIN = /^[\w.-]*$/;

/** Keeps letters, digits and `-_.`, as page links do. A lone surrogate cannot be encoded and becomes U+FFFD. */
function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
    .replaceAll('%20', '+')
    .replaceAll(/[!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
