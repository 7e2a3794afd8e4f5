import { engineError, type RestError } from '../core/errors.ts';

export const MAX_JSON_DEPTH = 64;
export const MAX_JSON_KEYS = 10_000;
/** Lists and objects, including empty ones. Creating one takes as long as about ten numbers. */
export const MAX_JSON_NODES = 50_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const END_OF_LIST = 0x5d;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Only text that matches can hold a key that reaches a prototype, a NUL character, or half a surrogate pair. */
const SUSPICIOUS = /(?:__proto__|constructor)"\s*:|\\u(?:00|[dD][89a-fA-F])/;

/**
 * Parses untrusted JSON: UTF-8 only, at most 64 levels, 10,000 keys and 50,000 lists and
 * objects (counted before parsing), no NUL, no half surrogate pair, no `__proto__` and no `constructor.prototype`.
 * @throws RestError `rest_invalid_json`
 */
export function parseJson(bytes: Uint8Array): unknown {
  findEnd(bytes, Infinity);
  return parseText(decodeUtf8(bytes));
}

/** The same for JSON in a string. The limits of a JSON body apply, because the string comes from a request, too. */
export function parseJsonText(text: string): unknown {
  findEnd(Buffer.from(text), Infinity);
  return parseText(text.toWellFormed());
}

/**
 * The same for a JSON list in a string, up to `most` items; the rest is not read. `longest`: largest size of these items in bytes.
 * @throws RestError `rest_invalid_json`
 */
export function parseJsonList(text: string, most: number, longest = Infinity): unknown {
  const bytes = Buffer.from(text);
  const end = findEnd(bytes, most);
  if (end > longest)
    throw engineError('rest_invalid_json', { message: `The JSON text is longer than ${longest} bytes.` });
  if (end === bytes.length) return parseText(text.toWellFormed());
  bytes[end] = END_OF_LIST;
  return parseText(decodeUtf8(bytes.subarray(0, end + 1)));
}

function parseText(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(4, 'Syntax error', { cause });
  }
  if (SUSPICIOUS.test(text)) checkContent(value);
  return value;
}

/**
 * Applies the limits in one pass over the bytes. In UTF-8, the bytes of quotes, brackets, colons and commas stand for nothing else.
 * @returns the position of the comma after `most` items of the outermost list, or the end if there are no more items.
 */
function findEnd(bytes: Uint8Array, most: number): number {
  let [depth, keys, nodes, items] = [0, 0, 0, 0];
  let at = 0;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at);
    else if (byte === 0x5b || byte === 0x7b) {
      depth++;
      nodes++;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === COLON) keys++;
    else if (byte === COMMA && depth === 1 && ++items === most) break;
    if (depth > MAX_JSON_DEPTH)
      throw invalid(1, 'Maximum stack depth exceeded', {
        message: `The JSON body nests deeper than ${MAX_JSON_DEPTH} levels.`,
      });
  }
  if (keys > MAX_JSON_KEYS)
    throw engineError('rest_invalid_json', {
      message: `The JSON body holds ${keys} keys; at most ${MAX_JSON_KEYS} are read.`,
    });
  if (nodes > MAX_JSON_NODES)
    throw engineError('rest_invalid_json', {
      message: `The JSON body holds ${nodes} lists and objects; at most ${MAX_JSON_NODES} are read.`,
    });
  return Math.min(at, bytes.length);
}

/** @returns the position of the closing quote, or the end. */
function skipString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw invalid(5, 'Malformed UTF-8 characters, possibly incorrectly encoded', { cause });
  }
}

/** The depth is already limited here. */
function checkContent(value: unknown): void {
  if (typeof value === 'string') checkText(value);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    // Skips other items without a call: most long lists hold numbers.
    for (const item of value as readonly unknown[])
      if (typeof item === 'string' || typeof item === 'object') checkContent(item);
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    checkText(key);
    const reaches =
      key === '__proto__' ||
      (key === 'constructor' &&
        typeof child === 'object' &&
        child !== null &&
        Object.hasOwn(child, 'prototype'));
    if (reaches)
      throw engineError('rest_invalid_json', {
        message: `The JSON body contains the key "${key}", which is not accepted.`,
      });
    checkContent(child);
  }
}

function checkText(text: string): void {
  if (text.includes('\0'))
    throw engineError('rest_invalid_json', {
      message: 'The JSON body contains a NUL character, which is not allowed.',
    });
  if (!text.isWellFormed()) throw invalid(10, 'Single unpaired high surrogate in Unicode escape');
}

/** The codes and reasons are those of PHP, which clients of such sites know. */
function invalid(
  code: number,
  reason: string,
  detail: { message?: string; cause?: unknown } = {},
): RestError {
  return engineError('rest_invalid_json', {
    ...detail,
    data: { json_error_code: code, json_error_message: reason },
  });
}
